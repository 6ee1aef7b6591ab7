// What the truss mode remembers for the session: what the colours show, the brush, the springs that are strung next. Not part
// of the scene, not undone.
#pragma once

#include <memory>

#include <QObject>

#include "core/geometry/truss/values.h"
#include "ui/modes/element_selection.h"

namespace hazumi {

class TrussOptions : public QObject {
  Q_OBJECT
 public:
  enum class Colours { plain, stiffness, damping, cross_section };

  explicit TrussOptions(ElementSelection& elements);
  /// The one of this session; made when first asked for.
  static TrussOptions& of(ElementSelection& elements) { return elements.memory<TrussOptions>(); }

  Colours colours() const { return colours_; }
  void set_colours(Colours colours);
  /// `radius` in m of the world; centre is where the mouse is.
  const TrussBrush& brush() const { return brush_; }
  void set_brush(const TrussBrush& brush);
  /// The brush tool is in the hand: what it paints is shown, whatever colours() says.
  bool painting() const { return painting_; }
  void set_painting(bool on);

  /// Nodes that the rigidity check found loose in `truss`; of another truss they mean nothing.
  void set_loose(std::shared_ptr<const StrungTruss> truss, NodeSelection loose);
  /// Empty as long as the check of this truss is not done.
  const NodeSelection& loose(const std::shared_ptr<const StrungTruss>& truss) const;

 signals:
  void changed();

 private:
  Colours colours_ = Colours::plain;
  TrussBrush brush_;
  bool painting_ = false;
  std::shared_ptr<const StrungTruss> checked_;
  NodeSelection loose_;
};

/// Words for what a brush paints: "Stiffness".
QString quantity_name(BrushQuantity quantity);

}  // namespace hazumi
