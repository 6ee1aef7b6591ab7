#include "ui/editors/take_wall.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QPainter>

#include "core/scene/derived/takes.h"
#include "ui/jobs/wall_job.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/sentence.h"
#include "ui/model/take_commands.h"
#include "ui/model/text.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kTick = 33;                                       // ms
constexpr int kTitle = 30, kName = 22, kGap = 8, kSpacing = 6;  // logical pixels
const QColor kBehind(0x17, 0x18, 0x1b), kFrameLine(0x34, 0x37, 0x3d), kWords(0xe8, 0xea, 0xee),
    kQuiet(0x9a, 0x9e, 0xa6);

}  // namespace

TakeWall::TakeWall(UiContext& context, const ViewCamera& camera, bool grid, QWidget* view)
    : QWidget(view),
      context_(context),
      camera_(camera),
      grid_(grid),
      job_(std::make_unique<WallJob>(context.document.mesh_store())) {
  setObjectName(QStringLiteral("take_wall"));
  setAccessibleName(tr("Wall of takes"));
  setAttribute(Qt::WA_DeleteOnClose);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setGeometry(view->rect());
  view->installEventFilter(this);
  context_.playback.play(false);
  gather();
  connect(job_.get(), &WallJob::drawn, this, [this](const std::vector<QImage>& pictures) {
    for (std::size_t i = 0; i < pictures.size() && i < tiles_.size(); ++i)
      if (!pictures[i].isNull()) tiles_[i].picture = pictures[i];
    ++pictures_;
    update();
  });
  connect(job_.get(), &WallJob::failed, this, [this](const QString& why) {
    problem_ = why;
    tick_.stop();
    update();
  });
  connect(&context_.playback, &PlaybackController::fill_changed, this, &TakeWall::follow_fill);
  // Its takes are those of the scene that it began with.
  connect(&context_.document, &DocumentController::changed, this, &TakeWall::close);
  connect(&context_.document, &DocumentController::document_replaced, this, &TakeWall::close);
  connect(&context_.playback, &PlaybackController::beside_ended, this, &TakeWall::close);
  tick_.setInterval(kTick);
  connect(&tick_, &QTimer::timeout, this, &TakeWall::on_tick);
  clock_.start();
  tick_.start();
  show();
  raise();
  setFocus(Qt::OtherFocusReason);
  compute_next();
}

TakeWall::~TakeWall() = default;

void TakeWall::gather() {
  const Shared<Scene> scene = context_.document.snapshot();
  for (const auto& take : scene->takes) {
    if (!take->visible) continue;
    if (tiles_.size() == kMostOnWall) {
      ++left_out_;
      continue;
    }
    Tile tile;
    tile.take = take->id;
    tile.name = QString::fromStdString(take->name);
    tile.current = take->current;
    tile.scene = take->current ? scene : Shared<Scene>(in_take(*scene, take->id));
    tiles_.push_back(std::move(tile));
  }
  // What is computed already is there at once.
  std::stable_sort(tiles_.begin(), tiles_.end(), [](const Tile& a, const Tile& b) { return a.current && !b.current; });
}

void TakeWall::compute_next() {
  between_ = false;
  if (closing_) return;
  if (computing_ >= tiles_.size()) {
    update();
    return;
  }
  const Tile& tile = tiles_[computing_];
  context_.playback.run_kept(tile.scene, tile.scene->settings.last_frame);
  follow_fill();
}

void TakeWall::follow_fill() {
  if (closing_ || between_ || computing_ >= tiles_.size()) return;
  Tile& tile = tiles_[computing_];
  const FillStatus status = context_.playback.status();
  tile.frames = context_.playback.cache().snapshot();
  const bool stopped = status.phase == FillStatus::Phase::stopped;
  if (stopped || status.phase == FillStatus::Phase::complete) {
    tile.complete = true;
    if (stopped && status.failure) tile.failure = sentence_of(*status.failure);
    ++computing_;
    between_ = true;
    // Not from within what the fill tells.
    QTimer::singleShot(0, this, &TakeWall::compute_next);
  }
  update();
}

int TakeWall::frame() const {
  const SceneSettings& settings = context_.document.scene().settings;
  // As far as anything is computed, so that what there is plays meanwhile.
  int last = settings.first_frame;
  for (const Tile& tile : tiles_)
    if (tile.frames) last = std::max(last, tile.frames->size() - 1);
  last = std::min(last, settings.last_frame);
  const double time = static_cast<double>(played_ + (paused_ ? 0 : clock_.elapsed())) * 1e-3;
  const int length = std::max(last - settings.first_frame + 1, 1);
  return settings.first_frame + static_cast<int>(std::fmod(std::floor(time * settings.frame_rate), length));
}

void TakeWall::on_tick() {
  if (job_->busy() || tiles_.empty()) return;
  WallWish wish;
  wish.camera = camera_;
  wish.grid = grid_;
  const QRect place = place_of(0);
  wish.width = std::max(16, static_cast<int>(std::lround(place.width() * devicePixelRatioF())));
  wish.height = std::max(16, static_cast<int>(std::lround((place.height() - kName) * devicePixelRatioF())));
  const int now = frame();
  for (const Tile& tile : tiles_) {
    const int size = tile.frames ? tile.frames->size() : 0;
    wish.tiles.push_back({tile.scene, size > 0 ? tile.frames : nullptr, std::min(now, size - 1)});
  }
  job_->want(std::move(wish));
}

QRect TakeWall::place_of(std::size_t tile) const {
  const auto count = static_cast<int>(std::max<std::size_t>(tiles_.size(), 1));
  const int room_x = width() - 2 * kGap, room_y = height() - kTitle - kGap;
  // As large as they get with the shape of the view.
  int columns = 1, best = 0;
  for (int n = 1; n <= count; ++n) {
    const int rows = (count + n - 1) / n;
    const int wide = room_x / n - kSpacing, high = room_y / rows - kSpacing - kName;
    const int size = std::min(wide, high * width() / std::max(height(), 1));
    if (size > best) {
      best = size;
      columns = n;
    }
  }
  const int rows = (count + columns - 1) / columns;
  const int x = static_cast<int>(tile) % columns, y = static_cast<int>(tile) / columns;
  return QRect(kGap + x * room_x / columns, kTitle + y * room_y / rows, room_x / columns - kSpacing,
               room_y / rows - kSpacing);
}

int TakeWall::tile_at(QPointF mouse) const {
  for (std::size_t i = 0; i < tiles_.size(); ++i)
    if (place_of(i).contains(mouse.toPoint())) return static_cast<int>(i);
  return -1;
}

void TakeWall::paint_tile(QPainter& painter, std::size_t number) const {
  const Tile& tile = tiles_[number];
  const QRect place = place_of(number), picture = place.adjusted(0, 0, 0, -kName);
  painter.fillRect(picture, QColor(0x29, 0x2b, 0x30));
  if (!tile.picture.isNull()) painter.drawImage(picture, tile.picture);
  const bool hovered = static_cast<int>(number) == hovered_;
  painter.setPen(QPen(hovered ? theme_colours().accent : tile.current ? kWords : kFrameLine, hovered ? 2 : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(picture.adjusted(0, 0, -1, -1));
  const int size = tile.frames ? tile.frames->size() : 0, all = tile.scene->settings.last_frame + 1;
  QString state;
  if (!tile.failure.isEmpty())
    state = hazumi::tr("stops at frame %1").arg(std::max(size - 1, 0));
  else if (!tile.complete)
    state = number == computing_ ? hazumi::tr("frame %1 of %2…").arg(size).arg(all) : hazumi::tr("waits…");
  else if (tile.current)
    state = hazumi::tr("current");
  QRect words(place.left() + 2, picture.bottom() + 1, place.width() - 4, kName);
  const QFontMetrics metrics(painter.font());
  painter.setPen(kQuiet);
  painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, state);
  words.setRight(words.right() - metrics.horizontalAdvance(state) - 8);
  painter.setPen(kWords);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(tile.name, Qt::ElideRight, words.width()));
}

void TakeWall::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), kBehind);
  painter.setPen(kQuiet);
  QString title = hazumi::tr("Click a take to go on with it · Space stops and plays · Esc closes");
  if (left_out_ > 0)
    title += hazumi::tr(" · %1 more takes have no room: take the ticks of others away in the panel").arg(left_out_);
  if (tiles_.empty()) title = hazumi::tr("No take is ticked in the panel · Esc closes");
  if (!problem_.isEmpty()) title = problem_;
  painter.drawText(QRect(kGap, 0, width() - 2 * kGap, kTitle), Qt::AlignLeft | Qt::AlignVCenter, title);
  if (!tiles_.empty())
    painter.drawText(QRect(kGap, 0, width() - 2 * kGap, kTitle), Qt::AlignRight | Qt::AlignVCenter,
                     hazumi::tr("Frame %1").arg(frame()));
  for (std::size_t i = 0; i < tiles_.size(); ++i) paint_tile(painter, i);
}

void TakeWall::mousePressEvent(QMouseEvent* event) {
  event->accept();
  const int at = event->button() == Qt::LeftButton ? tile_at(event->position()) : -1;
  if (at < 0) return;
  const Id take = tiles_[static_cast<std::size_t>(at)].take;
  UiContext context = context_;
  close();
  use_take(context, take);
}

void TakeWall::mouseMoveEvent(QMouseEvent* event) {
  event->accept();
  const int at = tile_at(event->position());
  if (std::exchange(hovered_, at) == at) return;
  setCursor(at < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
  setToolTip(at < 0 ? QString() : tiles_[static_cast<std::size_t>(at)].failure);
  update();
}

void TakeWall::leaveEvent(QEvent*) {
  if (std::exchange(hovered_, -1) >= 0) update();
}

bool TakeWall::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape || key == Qt::Key_Space) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void TakeWall::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    close();
  } else if (event->key() == Qt::Key_Space) {
    if (!paused_) played_ += clock_.elapsed();
    clock_.restart();
    paused_ = !paused_;
  } else {
    QWidget::keyPressEvent(event);
  }
}

bool TakeWall::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parent() && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  return QWidget::eventFilter(watched, event);
}

void TakeWall::closeEvent(QCloseEvent* event) {
  if (!std::exchange(closing_, true)) {
    tick_.stop();
    disconnect(&context_.playback, nullptr, this, nullptr);
    disconnect(&context_.document, nullptr, this, nullptr);
    context_.playback.end_beside();
    if (parentWidget()) parentWidget()->setFocus(Qt::OtherFocusReason);
  }
  QWidget::closeEvent(event);
}

}  // namespace hazumi
