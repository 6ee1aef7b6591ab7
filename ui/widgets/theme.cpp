#include "ui/widgets/theme.h"

#include <QApplication>
#include <QFile>
#include <QFont>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>

#include "ui/widgets/theme_style.h"

// Q_INIT_RESOURCE must stand outside every namespace; a static library's resources are dropped without it.
static void initialise_resources() { Q_INIT_RESOURCE(icons); }

namespace hazumi {

namespace {

/// Draws one-colour SVG in the colour that fits the mode, at the resolution that is asked for.
class TintedEngine : public QIconEngine {
 public:
  explicit TintedEngine(QByteArray svg, QColor always = {}) : svg_(std::move(svg)), always_(std::move(always)) {}

  void paint(QPainter* painter, const QRect& rectangle, QIcon::Mode mode, QIcon::State state) override {
    const ThemeColours& colours = theme_colours();
    QColor colour = colours.text;
    if (always_.isValid())
      colour = always_;
    else if (mode == QIcon::Disabled)
      colour = QColor(0x62, 0x66, 0x6d);
    else if (mode == QIcon::Selected)
      colour = Qt::white;
    else if (state == QIcon::On)
      colour = colours.accent;
    QByteArray tinted = svg_;
    tinted.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(tinted);
    painter->setRenderHint(QPainter::Antialiasing);
    renderer.render(painter, rectangle);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap picture(size);
    if (picture.isNull()) return picture;  // of a button that is squeezed to nothing
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return picture;
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
    return pixmap(size, mode, state);
  }
  QIconEngine* clone() const override { return new TintedEngine(svg_, always_); }

 private:
  QByteArray svg_;
  QColor always_;
};

QPalette dark_palette() {
  const ThemeColours& c = theme_colours();
  QPalette palette;
  palette.setColor(QPalette::Window, c.window);
  palette.setColor(QPalette::WindowText, c.text);
  palette.setColor(QPalette::Base, c.base);
  palette.setColor(QPalette::AlternateBase, QColor(0x24, 0x26, 0x2a));
  palette.setColor(QPalette::Text, c.text);
  palette.setColor(QPalette::PlaceholderText, c.quiet_text);
  palette.setColor(QPalette::Button, c.raised);
  palette.setColor(QPalette::ButtonText, c.text);
  palette.setColor(QPalette::BrightText, Qt::white);
  palette.setColor(QPalette::Highlight, QColor(0x4a, 0x5f, 0x7a));
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, c.accent);
  palette.setColor(QPalette::ToolTipBase, QColor(0x1a, 0x1b, 0x1e));
  palette.setColor(QPalette::ToolTipText, c.text);
  palette.setColor(QPalette::Light, QColor(0x48, 0x4b, 0x52));
  palette.setColor(QPalette::Midlight, QColor(0x3f, 0x42, 0x48));
  palette.setColor(QPalette::Mid, QColor(0x24, 0x26, 0x29));
  palette.setColor(QPalette::Dark, c.border);
  palette.setColor(QPalette::Shadow, QColor(0x0e, 0x0f, 0x10));
  const QColor off(0x70, 0x75, 0x7d);
  for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, off);
  palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(0x3a, 0x40, 0x48));
  return palette;
}

}  // namespace

const QColor& axis_colour(int axis) {
  static const QColor colours[] = {QColor(0xf2, 0x50, 0x5c), QColor(0x7e, 0xc8, 0x3a), QColor(0x4c, 0x93, 0xf5)};
  return colours[axis];
}

const ThemeColours& theme_colours() {
  static const ThemeColours colours;
  return colours;
}

void apply_theme(QApplication& application) {
  application.setStyle(new ThemeStyle);
  application.setPalette(dark_palette());
  initialise_resources();
  QFile sheet(QStringLiteral(":/hazumi/theme.qss"));
  if (sheet.open(QIODevice::ReadOnly)) application.setStyleSheet(QString::fromUtf8(sheet.readAll()));
}

QIcon theme_icon(const QString& name) { return theme_icon(name, {}); }

QIcon theme_icon(const QString& name, const QColor& colour) {
  initialise_resources();
  QFile file(QStringLiteral(":/hazumi/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QIcon(new TintedEngine(file.readAll(), colour));
}

}  // namespace hazumi
