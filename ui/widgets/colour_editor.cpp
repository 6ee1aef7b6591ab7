#include "ui/widgets/colour_editor.h"

#include <cmath>

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QScreen>
#include <QVBoxLayout>

#include "ui/widgets/bubble.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"

namespace hazumi {

namespace {
constexpr int kStrip = 18;  // logical pixels
constexpr int kColourGap = 8;
constexpr int kEdge = 6;  // room for the handles
}  // namespace

QColor to_qcolor(const Vec3& colour) {
  const auto part = [](double x) { return static_cast<float>(std::clamp(x, 0.0, 1.0)); };
  return QColor::fromRgbF(part(colour.x()), part(colour.y()), part(colour.z()));
}

QPixmap colour_pixmap(int side, const Vec3& colour, const QPen& edge, const std::function<void(QPainter&)>& draw) {
  QPixmap picture(side, side);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(edge);
  painter.setBrush(to_qcolor(colour));
  draw(painter);
  return picture;
}

Vec3 from_hsv(const Vec3& hsv) {
  const double h = std::fmod(std::fmod(hsv.x(), 360.0) + 360.0, 360.0) / 60.0;
  const auto part = [&](double n) {
    const double k = std::fmod(n + h, 6.0);
    return hsv.z() * (1 - hsv.y() * std::max(0.0, std::min({k, 4 - k, 1.0})));
  };
  return {part(5), part(3), part(1)};
}

Vec3 to_hsv(const Vec3& rgb, const Vec3& like) {
  const double high = rgb.maxCoeff(), low = rgb.minCoeff(), span = high - low;
  if (high <= 0) return {like.x(), like.y(), 0};
  if (span <= 1e-12) return {like.x(), 0, high};
  double h = 0;
  if (high == rgb.x())
    h = std::fmod((rgb.y() - rgb.z()) / span + 6, 6.0);
  else if (high == rgb.y())
    h = (rgb.z() - rgb.x()) / span + 2;
  else
    h = (rgb.x() - rgb.y()) / span + 4;
  h *= 60;
  if (h < 1e-9 && like.x() >= 360 - 1e-9) h = 360;  // the strip's far end is red as well
  return {h, span / high, high};
}

// ---- square

HueSquare::HueSquare(QWidget* parent) : QWidget(parent) {
  setMinimumSize(150, 100);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setCursor(Qt::CrossCursor);
}

QRect HueSquare::square() const {
  return {kEdge, kEdge, width() - 2 * kEdge - kStrip - kColourGap, height() - 2 * kEdge};
}
QRect HueSquare::strip() const { return {width() - kEdge - kStrip, kEdge, kStrip, height() - 2 * kEdge}; }

void HueSquare::set_hsv(const Vec3& hsv) {
  if (hsv == hsv_) return;
  hsv_ = hsv;
  update();
}

void HueSquare::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRect box = square(), hues = strip();
  if (shade_hue_ != hsv_.x() || shade_.isNull()) {
    shade_ = QImage(64, 64, QImage::Format_RGB32);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) shade_.setPixelColor(x, y, to_qcolor(from_hsv({hsv_.x(), x / 63.0, 1 - y / 63.0})));
    shade_hue_ = hsv_.x();
  }
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(box, shade_);
  QLinearGradient gradient(hues.topLeft(), hues.bottomLeft());
  for (int i = 0; i <= 6; ++i) gradient.setColorAt(i / 6.0, to_qcolor(from_hsv({i * 60.0, 1, 1})));
  painter.fillRect(hues, gradient);

  const QPointF at(box.left() + hsv_.y() * (box.width() - 1), box.top() + (1 - hsv_.z()) * (box.height() - 1));
  painter.setPen(QPen(Qt::black, 3));
  painter.setBrush(to_qcolor(from_hsv(hsv_)));
  painter.drawEllipse(at, 5, 5);
  painter.setPen(QPen(Qt::white, 1.5));
  painter.drawEllipse(at, 5, 5);
  const double y = hues.top() + hsv_.x() / 360 * (hues.height() - 1);
  const QRectF mark(hues.left() - 2.5, y - 3, hues.width() + 5, 6);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Qt::black, 3));
  painter.drawRoundedRect(mark, 2, 2);
  painter.setPen(QPen(Qt::white, 1.5));
  painter.drawRoundedRect(mark, 2, 2);
}

void HueSquare::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  held_ = event->position().x() >= strip().left() - kColourGap / 2 ? Part::strip : Part::square;
  pick(event->position(), false);
}

void HueSquare::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) pick(event->position(), true);
}

void HueSquare::pick(const QPointF& at, bool continues) {
  const auto share = [](double x, double low, double span) {
    return std::clamp((x - low) / std::max(1.0, span - 1), 0.0, 1.0);
  };
  Vec3 next = hsv_;
  if (held_ == Part::strip) {
    next.x() = 360 * share(at.y(), strip().top(), strip().height());
  } else {
    next.y() = share(at.x(), square().left(), square().width());
    next.z() = 1 - share(at.y(), square().top(), square().height());
  }
  set_hsv(next);
  emit edited(next, continues);
}

// ---- editor

ColourEditor::ColourEditor(QWidget* parent) : QFrame(parent), square_(new HueSquare(this)), hex_(new QLineEdit(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(6);
  column->addWidget(square_, 1);
  auto* grid = new QGridLayout;
  grid->setSpacing(4);
  const char* names[] = {QT_TR_NOOP("Hue"), QT_TR_NOOP("Saturation"), QT_TR_NOOP("Value")};
  for (int i = 0; i < 3; ++i) {
    auto* number = numbers_[i] = new NumberField(this);
    number->set_name(tr(names[i]));
    number->set_range(0, i == 0 ? 360 : 100);
    number->set_unit(i == 0 ? "°" : "%");
    number->set_step(0.5);
    grid->addWidget(new QLabel(tr(names[i])), i, 0);
    grid->addWidget(number, i, 1);
    connect(number, &NumberField::edited, this, [this, i](double shown, bool continues) {
      Vec3 next = hsv_;
      next[i] = i == 0 ? shown : shown / 100;
      set_hsv(next, continues);
    });
  }
  grid->addWidget(new QLabel(tr("Hex")), 3, 0);
  grid->addWidget(hex_, 3, 1);
  grid->setColumnStretch(1, 1);
  column->addLayout(grid);
  connect(square_, &HueSquare::edited, this, &ColourEditor::set_hsv);
  connect(hex_, &QLineEdit::editingFinished, this, [this] {
    if (!hex_->isModified()) return;
    hex_->setModified(false);
    static const QRegularExpression form("^#?([0-9a-fA-F]{6})$");
    const auto match = form.match(hex_->text().trimmed());
    if (!match.hasMatch()) {
      Bubble::show_at(hex_, tr("A colour is # and six digits 0–9 or a–f, like #e0a030."));
      return show_numbers();
    }
    const QColor c("#" + match.captured(1));
    set_colour({c.red() / 255.0, c.green() / 255.0, c.blue() / 255.0});
    emit edited(rgb_, false);
  });
  show_numbers();
}

void ColourEditor::set_colour(const Vec3& rgb) {
  if (rgb == rgb_) return;
  rgb_ = rgb;
  hsv_ = to_hsv(rgb, hsv_);
  show_numbers();
}

void ColourEditor::set_hsv(const Vec3& hsv, bool continues) {
  hsv_ = hsv;
  rgb_ = from_hsv(hsv);
  show_numbers();
  emit edited(rgb_, continues);
}

void ColourEditor::show_numbers() {
  square_->set_hsv(hsv_);
  numbers_[0]->set_value(std::round(hsv_.x() * 100) / 100);
  numbers_[1]->set_value(std::round(hsv_.y() * 1e4) / 100);
  numbers_[2]->set_value(std::round(hsv_.z() * 1e4) / 100);
  if (!hex_->isModified()) hex_->setText(to_qcolor(rgb_).name());
}

// ---- swatch

ColourSwatch::ColourSwatch(QWidget* parent) : QAbstractButton(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setCursor(Qt::PointingHandCursor);
  connect(this, &QAbstractButton::clicked, this, &ColourSwatch::open_editor);
}

QSize ColourSwatch::sizeHint() const { return {with_text_ ? 110 : 34, fontMetrics().height() + 7}; }

void ColourSwatch::set_colour(const Vec3& rgb) {
  rgb_ = rgb;
  if (editor_) editor_->set_colour(rgb);
  update();
}

void ColourSwatch::set_mixed(bool mixed) {
  mixed_ = mixed;
  update();
}

void ColourSwatch::set_with_text(bool with_text) {
  with_text_ = with_text;
  if (!with_text) setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  updateGeometry();
}

void ColourSwatch::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor colour = to_qcolor(rgb_);
  QColor border = hasFocus() ? palette().color(QPalette::Highlight) : palette().color(QPalette::WindowText);
  if (!hasFocus()) border.setAlpha(underMouse() ? 120 : 60);
  painter.setPen(QPen(border, 1));
  painter.setBrush(mixed_ ? palette().color(QPalette::Base) : colour);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  if (!with_text_ && !mixed_) return;
  const bool light = qGray(colour.rgb()) > 140 && !mixed_;
  painter.setPen(mixed_  ? palette().color(QPalette::PlaceholderText)
                 : light ? QColor(20, 20, 20)
                         : QColor(240, 240, 240));
  painter.drawText(rect().adjusted(6, 0, -6, 0), Qt::AlignRight | Qt::AlignVCenter,
                   mixed_ ? QStringLiteral("—") : colour.name());
}

void ColourSwatch::open_editor() {
  auto* popup = new QFrame(this, Qt::Popup);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  popup->setObjectName("colour_popup");
  popup->setFrameShape(QFrame::StyledPanel);
  auto* column = new QVBoxLayout(popup);
  column->setContentsMargins(2, 6, 2, 2);
  column->setSpacing(0);
  if (!title_.isEmpty()) {
    column->addWidget(bold_label("  " + title_, popup));
  }
  editor_ = new ColourEditor(popup);
  editor_->set_colour(rgb_);
  column->addWidget(editor_);
  connect(editor_, &ColourEditor::edited, this, [this](const Vec3& rgb, bool continues) {
    rgb_ = rgb;
    mixed_ = false;
    update();
    emit edited(rgb, continues);
  });
  connect(editor_, &QObject::destroyed, this, [this] { editor_ = nullptr; });
  popup->resize(250, 300);
  const QRect screen = this->screen()->availableGeometry();
  QPoint at = mapToGlobal(QPoint(0, height() + 2));
  if (at.y() + popup->height() > screen.bottom()) at.setY(mapToGlobal(QPoint(0, -popup->height() - 2)).y());
  at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - popup->width())));
  popup->move(at);
  popup->show();
}

}  // namespace hazumi
