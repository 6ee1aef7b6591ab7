// The wall of takes: up to 16 that are ticked in the panel, side by side over the view, small and playing at once, each as far as it is
// computed. A click on one goes on with it, Esc closes. The runs are those of the fill, one take after the other (PlaybackController::run_kept):
// what takes share is computed once, and a take that is chosen has its frames.
#pragma once

#include <memory>
#include <vector>

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <QWidget>

#include "core/base/shared.h"
#include "core/playback/frame_cache.h"
#include "render/camera.h"
#include "ui/model/context.h"

namespace hazumi {

class WallJob;

inline constexpr std::size_t kMostOnWall = 16;

class TakeWall : public QWidget {
  Q_OBJECT
 public:
  /// Over `view`, as from its camera; it goes when it is closed.
  TakeWall(UiContext& context, const ViewCamera& camera, bool grid, QWidget* view);
  ~TakeWall() override;

  struct Tile {
    Id take;
    QString name;
    bool current = false;
    Shared<Scene> scene;
    std::shared_ptr<const FrameCache> frames;  ///< null: nothing is computed yet
    bool complete = false;
    QString failure;  ///< why it ends before the others
    QImage picture;
  };
  const std::vector<Tile>& tiles() const { return tiles_; }
  QRect place_of(std::size_t tile) const;  ///< in the wall
  bool complete() const { return computing_ >= tiles_.size(); }
  int frame() const;                          ///< that is played now
  int pictures() const { return pictures_; }  ///< how often the tiles were drawn

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void gather();
  void compute_next();
  void follow_fill();
  void on_tick();
  void paint_tile(QPainter& painter, std::size_t tile) const;
  int tile_at(QPointF mouse) const;

  UiContext context_;
  ViewCamera camera_;
  bool grid_;
  std::vector<Tile> tiles_;
  std::size_t computing_ = 0;  ///< number of the tile whose run the fill has
  int left_out_ = 0;           ///< takes that have no room
  int hovered_ = -1;
  int pictures_ = 0;
  bool between_ = false;  ///< the fill still has the run of the tile before
  bool paused_ = false, closing_ = false;
  qint64 played_ = 0;  ///< ms, before the clock was started last
  QElapsedTimer clock_;
  QTimer tick_;
  QString problem_;
  std::unique_ptr<WallJob> job_;
};

}  // namespace hazumi
