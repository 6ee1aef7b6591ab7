// What is painted over the scene: small text in the corners, the value of a running transform, the badge of frames that
// are still being computed, the box of a selection, the frame of the camera. Plain functions of plain data.
#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace hazumi {

struct OverlayText {
  QString view;    ///< "Front · parallel"
  QString active;  ///< name of the active object
  QString frame;   ///< "Frame 24"
  QString note;    ///< about the transform that runs; what keys do is said in the status bar
  QString value;   ///< "Move 1.25 m along X"
  QString badge;   ///< "computing frame 25…"
  QString empty;   ///< what to do first, in the middle
  QString empty_more;
  double top = 0;  ///< pixels at the top that are taken (the mode bar)
};

void paint_overlay_text(QPainter& painter, const OverlayText& text, const QRectF& area, double left_margin);
void paint_box_select(QPainter& painter, const QRectF& box, bool removes);
/// Darkens what a picture through the camera does not show.
void paint_passepartout(QPainter& painter, const QRectF& area, const QRectF& picture);
/// Of the frame what every screen shows: 93 % of each side for what happens, 90 % for titles.
void paint_safe_areas(QPainter& painter, const QRectF& picture);
void paint_problem(QPainter& painter, const QRectF& area, const QString& sentence);

}  // namespace hazumi
