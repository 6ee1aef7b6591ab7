#include "ui/editors/clip_rows.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>

#include "ui/editors/dialog_parts.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kTold = 1e-3;  // of its size: a stretch that is told

QString number(double x, int digits = 3) { return QLocale().toString(x, 'g', digits); }

QString of_count(std::size_t n, const QString& one, const QString& many) { return n == 1 ? one : many.arg(n); }

}  // namespace

ClipRows::ClipRows(QGridLayout* grid, int& row, QWidget* form, const Scene& scene)
    : QObject(form), scene_rate_(scene.settings.frame_rate), scene_is_empty_(scene.tracks.empty()) {
  const auto put = [&](const QString& label, QWidget* widget) {
    QWidget* text = make_row_label(label, {}, form);
    grid->addWidget(text, row, 0);
    grid->addWidget(widget, row++, 1);
    all_ << text << widget;
  };
  clip_ = new QComboBox(form);
  clip_->setObjectName("import_clip");
  clip_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  clip_->setMinimumContentsLength(28);
  put(tr("Motion"), clip_);
  keys_ = new QComboBox(form);
  keys_->setObjectName("import_keys");
  keys_->addItem(tr("As the file has them"));
  keys_->addItem(tr("As few as do"));
  keys_->setToolTip(
      tr("Keys stay as they are where nothing above their node moves; all others, or all, are made anew: the "
         "fewest splines that stay within 0.05 mm and 0.003° of the file."));
  put(tr("Keys"), keys_);
  effect_ = plain_label("import_clip_effect", form);
  effect_->setWordWrap(true);
  effect_->setMinimumHeight(2 * effect_->fontMetrics().lineSpacing());
  effect_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  effect_->setStyleSheet(QStringLiteral("color: %1;").arg(theme_colours().quiet_text.name()));
  put({}, effect_);
  time_ = new QCheckBox(form);
  time_->setObjectName("import_clip_time");
  time_->setToolTip(tr("Otherwise the scene keeps its own, and keys lie where their seconds are."));
  put({}, time_);
  for (QWidget* widget : all_) widget->hide();
  connect(clip_, &QComboBox::activated, this, [this] {
    show_time();
    emit changed();
  });
  connect(keys_, &QComboBox::activated, this, &ClipRows::changed);
}

void ClipRows::show_file(const std::shared_ptr<const ClipFile>& file) {
  file_ = file;
  clip_->clear();
  for (QWidget* widget : all_) widget->setVisible(file_ != nullptr);
  if (!file_) return;
  for (const Clip& clip : file_->clips)
    clip_->addItem(tr("%1 (%2 s)").arg(QString::fromStdString(clip.name), number(clip.end - clip.begin)));
  clip_->addItem(tr("None: one mesh that does not move"));
  time_->setChecked(scene_is_empty_);
  show_time();
}

std::optional<ClipAsked> ClipRows::asked() const {
  if (!file_ || clip_->currentIndex() < 0 || clip_->currentIndex() >= static_cast<int>(file_->clips.size())) return {};
  ClipAsked asked;
  asked.clip = static_cast<std::size_t>(clip_->currentIndex());
  asked.way.fewest = keys_->currentIndex() == 1;
  asked.way.scene_rate = scene_rate_;
  return asked;
}

std::optional<ClipTime> ClipRows::time() const {
  const std::optional<ClipAsked> clip = asked();
  if (!clip || !time_->isChecked()) return {};
  const double rate = file_->rate > 0 ? std::clamp(file_->rate, 1.0, 1000.0) : scene_rate_;
  // Runs begin at frame 0, and a range has two frames.
  const auto [first, last] = clip_frames(file_->clips[clip->clip], rate);
  return ClipTime{rate, std::max(first, 0), std::max({first, 0, last - 1}) + 1};
}

void ClipRows::show_time() {
  const std::optional<ClipAsked> clip = asked();
  for (QWidget* widget : {static_cast<QWidget*>(keys_), static_cast<QWidget*>(time_)})
    widget->setEnabled(clip.has_value());
  if (!clip) {
    effect_->clear();
    return;
  }
  const double rate = file_->rate > 0 ? file_->rate : scene_rate_;
  const auto [first, last] = clip_frames(file_->clips[clip->clip], rate);
  time_->setText(
      file_->rate > 0
          ? tr("The scene gets its %1 frames per second, frames %2 to %3").arg(number(rate, 5)).arg(first).arg(last)
          : tr("The scene gets its length, frames %1 to %2").arg(first).arg(last));
}

void ClipRows::show_made(const ImportPreview& preview) {
  if (!preview.clip) {
    effect_->setText(preview.problem);
    return;
  }
  std::size_t led = 0, keys = 0;
  bool sampled = false;
  double off = 0, turned = 0;
  for (const PieceMotion& motion : preview.clip->motion) {
    led += motion.moves() ? 1 : 0;
    keys += motion.place.size() + motion.rotation.size();
    sampled = sampled || motion.sampled;
    off = std::max(off, motion.off);
    turned = std::max(turned, motion.turned);
  }
  const std::size_t still = preview.clip->motion.size() - led;
  QString text = of_count(led, tr("1 object is led by keys"), tr("%1 objects are led by keys"));
  text += tr(" (%1)").arg(QLocale().toString(static_cast<qulonglong>(keys)));
  if (still > 0) text += of_count(still, tr(", 1 stands still"), tr(", %1 stand still"));
  text += QLatin1Char('.');
  if (sampled)
    text += tr(" New keys are within %1 mm and %2° of the file.")
                .arg(number(std::max(1000 * off, 1e-3), 2), number(std::max(degrees(turned), 1e-4), 2));
  effect_->setText(text);
}

QStringList ClipRows::warnings(const ImportPreview& preview) const {
  QStringList all;
  if (!preview.clip) return all;
  QStringList stretched;
  std::size_t more = 0;
  bool cut = false;
  for (std::size_t i = 0; i < preview.clip->motion.size(); ++i) {
    cut = cut || (preview.clip->bones[i] && file_ && file_->cut);
    if (preview.clip->motion[i].stretch < kTold) continue;
    if (stretched.size() < 3)
      stretched << QStringLiteral("“%1”").arg(QString::fromStdString(preview.clip->meshes[i].settings.piece));
    else
      ++more;
  }
  if (!stretched.isEmpty())
    all << tr("%1 change their size or shape in the file; objects keep the one that they have at rest.")
               .arg(stretched.join(QStringLiteral(", ")) + (more > 0 ? tr(" and %1 more").arg(more) : QString()));
  if (cut) all << tr("The skin is cut at its joints: each bone leads the triangles that follow it.");
  return all;
}

}  // namespace hazumi
