#include "ui/panels/motion_catalogue.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QCheckBox>
#include <QCursor>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QToolTip>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

#include "core/motion/catalogue.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/file/scene_io.h"
#include "ui/jobs/thumbnail_job.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_commands.h"
#include "ui/model/motion_selection.h"
#include "ui/model/motion_stage.h"
#include "ui/model/selection.h"
#include "ui/model/sentence.h"
#include "ui/model/settings.h"
#include "ui/model/text.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/theme.h"

namespace hazumi {
namespace {

constexpr int kNumberOfMotion = Qt::UserRole + 1;
constexpr QSize kPictureSize(56, 35);  // logical pixels
constexpr int kLoops = 3;              // of the one that is picked
constexpr int kRestPicture = 6;        // something has happened by then
constexpr qsizetype kLongestMotionName = 60;

/// "Slide to a stop" → "slide_to_a_stop": letters, digits and underscores of any language.
QString file_name(const QString& name) {
  QString file;
  for (const QChar c : name.simplified().toLower()) file += c.isLetterOrNumber() ? c : QLatin1Char('_');
  return file + QStringLiteral(".json");
}

BodyOf body_of(MeshStore& meshes) {
  return [&meshes](const Object& object) {
    const auto mesh = meshes.ready(object);
    return motion_body(object, mesh ? *mesh : DisplayMesh());
  };
}

double lowest_box(const Scene& scene) {
  double low = 0;
  for (const auto& node : scene.motion) low = std::max(low, node->y + 110);
  return low;
}

}  // namespace

MotionCatalogue::MotionCatalogue(UiContext& context, MotionSelection& chosen, QWidget* parent)
    : QWidget(parent),
      context_(context),
      chosen_(chosen),
      list_(new QTreeWidget(this)),
      about_(new QLabel(this)),
      said_(new QLabel(this)),
      stays_(new QLabel(this)),
      lengths_(new QCheckBox(tr("Lengths"), this)),
      times_(new QCheckBox(tr("Times"), this)),
      masses_(new QCheckBox(tr("Masses"), this)),
      model_(new QCheckBox(tr("Bends"), this)),
      put_(new QPushButton(this)),
      save_(new QPushButton(tr("Save"), this)),
      name_(new QLineEdit(this)) {
  setObjectName(QStringLiteral("motion_catalogue"));
  // In a low dock it scrolls: its height is not that of the window's lower edge.
  auto* around = new QVBoxLayout(this);
  around->setContentsMargins(0, 0, 0, 0);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* inside = new QWidget(scroll);
  scroll->setWidget(inside);
  around->addWidget(scroll);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(6, 4, 6, 4);
  column->setSpacing(4);
  list_->setObjectName(QStringLiteral("motion_catalogue_list"));
  list_->setHeaderHidden(true);
  list_->setMinimumHeight(56);
  list_->setRootIsDecorated(false);
  list_->setIndentation(8);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setIconSize(kPictureSize);
  list_->setMouseTracking(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setToolTip(
      tr("Motions without shapes. Double-click one to put it on what is selected, or drag it onto an object in the "
         "view."));
  column->addWidget(list_, 1);
  about_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  about_->setTextFormat(Qt::PlainText);
  about_->setObjectName(QStringLiteral("motion_about"));
  column->addWidget(about_);
  auto* adapts = new QHBoxLayout;
  adapts->setSpacing(8);
  const std::pair<QCheckBox*, QString> boxes[] = {
      {lengths_, tr("Lengths grow with the size of the object that it is put on.")},
      {times_, tr("Times grow with the root of its size, so that what is large moves as heavily as it looks.")},
      {masses_, tr("Forces and impulses grow with its mass.")},
      {model_,
       tr("Of something that bends: a rigid object that it is put on bends then as that did, with its analysis model "
          "and its solver, as large and as heavy as the object is.")}};
  for (const auto& [box, tip] : boxes) {
    box->setChecked(true);
    box->setToolTip(tip);
    adapts->addWidget(box);
  }
  put_->setObjectName(QStringLiteral("motion_put"));
  adapts->addStretch(1);
  column->addLayout(adapts);
  column->addWidget(put_);
  auto* saving = new QHBoxLayout;
  name_->setObjectName(QStringLiteral("motion_name"));
  name_->setPlaceholderText(tr("Name of a new motion"));
  name_->setMaxLength(kLongestMotionName);
  name_->setToolTip(
      tr("The boxes that are selected are saved under this name in your own folder, without what is seen."));
  save_->setObjectName(QStringLiteral("motion_save"));
  saving->addWidget(name_, 1);
  saving->addWidget(save_);
  column->addLayout(saving);
  said_->setWordWrap(true);
  said_->setTextFormat(Qt::PlainText);
  said_->setObjectName(QStringLiteral("motion_said"));
  said_->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().quiet_text.name()));
  said_->hide();
  column->addWidget(said_);
  stays_->setWordWrap(true);
  stays_->setTextFormat(Qt::PlainText);
  stays_->setObjectName(QStringLiteral("motion_stays"));
  stays_->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().quiet_text.name()));
  stays_->hide();
  column->insertWidget(column->count() - 2, stays_);  // over the name
  listen();
  read();
  tell();
}

void MotionCatalogue::listen() {
  list_->viewport()->installEventFilter(this);
  timer_.setInterval(1000 / kThumbnailRate);
  connect(&timer_, &QTimer::timeout, this, &MotionCatalogue::animate);
  connect(list_, &QTreeWidget::currentItemChanged, this, [this] {
    tell();
    if (const Known* known = current(); known && known->pictures.isEmpty() && isVisible()) want_pictures();
  });
  connect(list_, &QTreeWidget::itemDoubleClicked, this, [this] { put(); });
  connect(put_, &QPushButton::clicked, this, [this] { put(); });
  connect(save_, &QPushButton::clicked, this, [this] { save(); });
  connect(name_, &QLineEdit::returnPressed, this, [this] { save(); });
  connect(name_, &QLineEdit::textChanged, this, [this] { tell(); });
  connect(&chosen_, &MotionSelection::changed, this, [this] { tell(); });
  connect(&context_.selection, &Selection::changed, this, [this] { tell(); });
  connect(&context_.document, &DocumentController::changed, this, [this] { tell(); });
  connect(&context_.document, &DocumentController::document_replaced, this, [this] { tell(); });
}

void MotionCatalogue::read() {
  const std::pair<QString, bool> folders[] = {{motions_folder(), false}, {own_motions_folder(), true}};
  worker_.post([this, folders = std::vector(std::begin(folders), std::end(folders))] {
    auto found = std::make_shared<std::vector<Known>>();
    QStringList faults;
    for (const auto& [folder, own] : folders) {
      if (folder.isEmpty()) continue;
      for (const QFileInfo& file : QDir(folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        auto motion = load_scene(file.filePath().toStdString());
        const std::string why = motion.ok() ? no_motion(*motion) : motion.error().message;
        if (why.empty())
          found->push_back({file.filePath(), own, Shared<Scene>(std::move(motion).value())});
        else
          faults.append(tr("%1 is no motion: %2").arg(file.fileName(), text_of(why)));
      }
    }
    Worker::deliver(this, [this, found, faults] { take(std::move(*found), faults); });
  });
}

void MotionCatalogue::take(std::vector<Known> found, const QStringList& faults) {
  motions_ = std::move(found);
  moving_ = nullptr;
  list_->clear();
  for (const bool own : {false, true}) {
    QTreeWidgetItem* heading = nullptr;
    for (std::size_t i = 0; i < motions_.size(); ++i) {
      if (motions_[i].own != own) continue;
      if (!heading) {
        heading = new QTreeWidgetItem(list_, {own ? tr("Your own") : tr("Shipped")});
        heading->setFlags(Qt::ItemIsEnabled);
        heading->setForeground(0, theme_colours().quiet_text);
      }
      auto* entry = new QTreeWidgetItem(heading, {text_of(motions_[i].motion->name)});
      entry->setToolTip(0, text_of(motions_[i].motion->description));
      entry->setData(0, kNumberOfMotion, static_cast<int>(i));
      show_picture(entry, kRestPicture);
    }
  }
  list_->expandAll();
  if (QTreeWidgetItem* item = wanted_.isEmpty() ? nullptr : item_of(wanted_)) list_->setCurrentItem(item);
  wanted_.clear();
  if (!faults.isEmpty()) {
    said_->setText(faults.join(QLatin1Char('\n')));
    said_->show();
  }
  if (isVisible()) want_pictures();
  tell();
}

void MotionCatalogue::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  want_pictures();
  timer_.start();
}

void MotionCatalogue::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  timer_.stop();
  if (thumbnails_) thumbnails_->stop();
}

void MotionCatalogue::want_pictures() {
  QStringList files;
  for (const Known& known : motions_)
    if (known.pictures.isEmpty()) files << known.file;
  if (files.isEmpty()) return;
  if (const Known* known = current(); known && known->pictures.isEmpty()) {  // it comes first
    files.removeOne(known->file);
    files.prepend(known->file);
  }
  if (!thumbnails_) {
    thumbnails_ = new ThumbnailJob(thumbnail_folder(), context_.document.mesh_store(), this, motion_stage);
    connect(thumbnails_, &ThumbnailJob::ready, this, &MotionCatalogue::take_pictures);
  }
  thumbnails_->request(files);
}

void MotionCatalogue::take_pictures(const QString& file, const QVector<QImage>& pictures) {
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    if (motions_[i].file != file) continue;
    motions_[i].pictures.clear();
    for (const QImage& picture : pictures)  // as large as they are drawn
      motions_[i].pictures << picture.scaled(2 * kPictureSize, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    for (QTreeWidgetItemIterator item(list_); *item; ++item)
      if (known_of(*item) == &motions_[i]) show_picture(*item, kRestPicture);
    if (known_of(moving_) == &motions_[i]) picture_ = 0;
  }
}

/// Until there is one an empty picture keeps its place.
void MotionCatalogue::show_picture(QTreeWidgetItem* item, int number) {
  const Known& known = *known_of(item);
  QPixmap picture(2 * kPictureSize);
  if (known.pictures.isEmpty())
    picture.fill(theme_colours().base);
  else
    picture = QPixmap::fromImage(known.pictures[number % static_cast<int>(known.pictures.size())]);
  picture.setDevicePixelRatio(2);
  QIcon icon(picture);
  icon.addPixmap(picture, QIcon::Selected);  // not tinted
  item->setIcon(0, icon);
}

void MotionCatalogue::animate() {
  QTreeWidgetItem* item =
      list_->viewport()->underMouse() ? list_->itemAt(list_->viewport()->mapFromGlobal(QCursor::pos())) : nullptr;
  const bool under_mouse = item && item->parent();
  if (!under_mouse) item = current() ? list_->currentItem() : nullptr;
  if (item != moving_) {
    if (moving_) show_picture(moving_, kRestPicture);
    moving_ = item;
    picture_ = 0;
  }
  // What is picked moves for a while and rests: each picture has the whole window drawn where a processor draws it.
  const Known* known = known_of(moving_);
  const int count = known ? static_cast<int>(known->pictures.size()) : 0;
  if (count == 0 || (!under_mouse && picture_ > kLoops * count)) return;
  show_picture(moving_, picture_ == kLoops * count && !under_mouse ? kRestPicture : picture_);
  ++picture_;
}

int MotionCatalogue::pictures_of(const QString& name) const {
  const Known* known = known_of(item_of(name));
  return known ? static_cast<int>(known->pictures.size()) : 0;
}

QTreeWidgetItem* MotionCatalogue::item_of(const QString& name) const {
  QTreeWidgetItem* last = nullptr;  // the person's own comes after a shipped one of the same name
  for (int i = 0; i < list_->topLevelItemCount(); ++i)
    for (int k = 0; k < list_->topLevelItem(i)->childCount(); ++k)
      if (list_->topLevelItem(i)->child(k)->text(0) == name) last = list_->topLevelItem(i)->child(k);
  return last;
}

const MotionCatalogue::Known* MotionCatalogue::known_of(const QTreeWidgetItem* item) const {
  if (!item || !item->parent()) return nullptr;
  const auto number = static_cast<std::size_t>(item->data(0, kNumberOfMotion).toInt());
  return number < motions_.size() ? &motions_[number] : nullptr;
}

const MotionCatalogue::Known* MotionCatalogue::current() const { return known_of(list_->currentItem()); }

void MotionCatalogue::tell() {
  const Scene& scene = context_.document.scene();
  const Known* known = current();
  const Id whose = owner_of_new_box(scene, context_.selection, chosen_.active());
  const QString name = name_of(scene, whose);
  about_->setText(known ? text_of(known->motion->description) : tr("Pick a motion."));
  about_->setToolTip(about_->text());
  put_->setText(name.isEmpty() ? tr("Select an object first") : tr("Put on %1").arg(name));
  put_->setEnabled(known && !name.isEmpty());
  put_->setToolTip(tr("Adds the boxes of the motion to what is selected, in its size, time and mass; one undo step."));
  tell_what_stays();
  save_->setEnabled(!chosen_.ids().empty() && !name_->text().simplified().isEmpty());
  save_->setToolTip(chosen_.ids().empty() ? tr("Select boxes on the canvas first.")
                                          : tr("Saves the selected boxes as a motion of your own."));
}

/// Before it is saved: which of the selected boxes would not come along.
void MotionCatalogue::tell_what_stays() {
  QStringList names;
  const Scene& scene = context_.document.scene();
  for (const MotionNode& node : boxes_of(scene, left_behind(scene, chosen_.ids()))) {
    const QString name = QStringLiteral("\"%1\"").arg(box_title(node));
    if (!names.contains(name)) names.append(name);
  }
  if (names.isEmpty()) return stays_->hide();
  stays_->setText(
      tr("%1 will not be saved with it: particles, and numbers of joints, forces and fields, stay with their scene.")
          .arg(names.join(QStringLiteral(", "))));
  stays_->show();
}

Id MotionCatalogue::object_below(const QPoint& global) const {
  for (QWidget* at = QApplication::widgetAt(global); at; at = at->parentWidget())
    if (auto* view = qobject_cast<Viewport*>(at)) return view->object_under(view->mapFromGlobal(global));
  return {};
}

/// A motion is dragged onto an object in the view.
bool MotionCatalogue::eventFilter(QObject* watched, QEvent* event) {
  const auto global = [&] { return static_cast<QMouseEvent*>(event)->globalPosition().toPoint(); };
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      press_ = static_cast<QMouseEvent*>(event)->position().toPoint();
      held_ = static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton && list_->itemAt(press_) &&
              list_->itemAt(press_)->parent();
      dragging_ = false;
      break;
    case QEvent::MouseMove: {
      if (!held_) break;
      const QPoint at = static_cast<QMouseEvent*>(event)->position().toPoint();
      dragging_ = dragging_ || (at - press_).manhattanLength() >= QApplication::startDragDistance();
      if (!dragging_) return true;
      const QString name = name_of(context_.document.scene(), object_below(global()));
      list_->viewport()->setCursor(name.isEmpty() ? Qt::ForbiddenCursor : Qt::DragCopyCursor);
      QToolTip::showText(global(), name.isEmpty() ? tr("Onto an object in the view") : tr("Put on %1").arg(name));
      return true;
    }
    case QEvent::MouseButtonRelease:
      if (!std::exchange(held_, false)) break;
      list_->viewport()->unsetCursor();
      if (!std::exchange(dragging_, false)) break;
      QToolTip::hideText();
      if (const Id whose = object_below(global())) {
        context_.selection.select_only(whose);
        put_on(whose);
      }
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

void MotionCatalogue::put() {
  put_on(owner_of_new_box(context_.document.scene(), context_.selection, chosen_.active()));
}

void MotionCatalogue::put_on(Id whose) {
  const Known* known = current();
  const Scene& scene = context_.document.scene();
  if (!known || !whose) return;
  const std::vector<StandIn> wanted = stand_ins(*known->motion);
  const MotionAdapts adapts{lengths_->isChecked(), times_->isChecked(), masses_->isChecked(), model_->isChecked()};
  auto made = put_motion(scene, *known->motion, {{wanted.front().id, whose}}, adapts,
                         body_of(*context_.document.mesh_store()), 0, lowest_box(scene));
  if (!made.ok()) {
    emit context_.document.refused(sentence_of(made.error()));
    return;
  }
  MotionPut result = std::move(made).value();
  const QString text = tr("Motion \"%1\" on %2").arg(text_of(known->motion->name), name_of(scene, whose));
  if (!context_.document.edit(text, std::move(result.scene)).ok()) return;
  chosen_.set(result.boxes);
  emit was_put();
}

void MotionCatalogue::save() {
  const QString name = name_->text().simplified();
  if (name.isEmpty() || chosen_.ids().empty()) return;
  const Scene& scene = context_.document.scene();
  QStringList parts;
  for (const MotionNode& node : boxes_of(scene, chosen_.ids())) parts.append(box_title(node));
  const QString about = tr("Your own: %1.").arg(parts.join(QStringLiteral(", ")));
  const Scene motion = motion_of(scene, chosen_.ids(), name.toStdString(), about.toStdString(),
                                 body_of(*context_.document.mesh_store()));
  if (const std::string why = no_motion(motion); !why.empty()) {
    emit context_.document.refused(tr("Nothing was saved. %1").arg(text_of(why)));
    return;
  }
  const QString file = own_motions_folder() + QLatin1Char('/') + file_name(name);
  wanted_ = name;
  worker_.post([this, motion, file] {
    const Status done = save_scene(motion, file.toStdString());
    if (!done.ok()) {
      const QString why = sentence_of(done.error());
      Worker::deliver(this,
                      [this, why] { emit context_.document.refused(tr("The motion was not saved. %1").arg(why)); });
    }
  });
  name_->clear();
  read();
}

}  // namespace hazumi
