#include "ui/panels/life_section.h"

#include <algorithm>
#include <cmath>

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QVBoxLayout>

#include "core/scene/derived/particle_shade.h"
#include "core/scene/values/lists.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/expression.h"
#include "ui/widgets/life_bar.h"
#include "ui/widgets/section.h"

namespace hazumi {

namespace {

constexpr double kMostSize = 1000, kMostSpeed = 100, kMostDrag = 1000;  // as columns have them

/// Between its neighbours.
template <class Key>
double free_age(const std::vector<Key>& keys, std::size_t at, double wanted, double low, double high) {
  if (at > 0) low = keys[at - 1].age + kLeastLifeAge;
  if (at + 1 < keys.size()) high = keys[at + 1].age - kLeastLifeAge;
  return std::clamp(wanted, std::min(low, high), high);
}

/// Where a key of this age goes; −1: one is there already, or there are as many as may be.
template <class Key>
int place_for(const std::vector<Key>& keys, double age) {
  if (keys.size() >= lists::kMostLifeKeys) return -1;
  int place = 0;
  for (const Key& key : keys) {
    if (std::abs(key.age - age) < kLeastLifeAge) return -1;
    place += key.age < age ? 1 : 0;
  }
  return place;
}

double between_ends(double age) { return std::clamp(age, kLeastLifeAge, 1 - kLeastLifeAge); }

QString part_text(double part) { return hazumi::tr("%1 %").arg(number_text(100 * part, 3)); }

}  // namespace

LifeSection::LifeSection(UiContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      section_(new Section(tr("Over life"), QStringLiteral("properties/Over life"), true, this)),
      sizes_(new LifeBar(LifeBar::Sort::curve)),
      colours_(new LifeBar(LifeBar::Sort::strip)),
      opacities_(new LifeBar(LifeBar::Sort::curve)),
      speeds_(new LifeBar(LifeBar::Sort::curve)),
      drags_(new LifeBar(LifeBar::Sort::curve)) {
  setObjectName(QStringLiteral("life_section"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(section_);
  auto* rows = new QVBoxLayout(section_->body());
  rows->setContentsMargins(8, 6, 8, 6);
  rows->setSpacing(6);
  const auto row = [&](const QString& name, const char* id, LifeBar* bar, const QString& tip) {
    auto* whole = new QWidget(section_->body());
    auto* line = new QVBoxLayout(whole);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(2);
    line->addWidget(new QLabel(name, whole));
    line->addWidget(bar);
    bar->setObjectName(QLatin1String(id));
    bar->setAccessibleName(name);
    const QString how = tr("A double click adds a key, a drag moves it, Delete takes it out; a right click has all.");
    bar->setToolTip(tip + ' ' + how);
    rows->addWidget(whole);
    return whole;
  };
  row(tr("Size"), "life_size", sizes_,
      tr("How many times as large particles are drawn, from birth (left) to the end of their life (Growth)."));
  colour_row_ =
      row(tr("Colour"), "life_colour", colours_,
          tr("Their colours from birth to the end of their life. A double click on a key changes its colour."));
  opacity_row_ = row(tr("Opacity"), "life_opacity", opacities_,
                     tr("Which part of Opacity they have over their life. Fade in and Fade out come on top."));
  row(tr("Speed"), "life_speed", speeds_,
      tr("How many times as fast they go over their life. What pulls, blows and bounces goes on meanwhile: at 0 they "
         "stand, and then go on from there."));
  row(tr("Drag"), "life_drag", drags_,
      tr("How many times as hard air, water and drag of their own brake them over their life, and wind takes them "
         "along."));
  for (const auto& [bar, most] : std::initializer_list<std::pair<LifeBar*, double>>{
           {sizes_, kMostSize}, {speeds_, kMostSpeed}, {drags_, kMostDrag}}) {
    bar->set_range(most, 2);
    bar->set_text([](double value) { return hazumi::tr("%1 times").arg(number_text(value, 3)); });
  }
  opacities_->set_text(part_text);
  connect_sizes();
  connect_colours();
  connect_numbers(
      opacities_, &ParticleSource::opacity_keys,
      {tr("Add opacity key"), tr("Move opacity key"), tr("Delete opacity key"), tr("Reset opacity over life")});
  connect_numbers(speeds_, &ParticleSource::speed_keys,
                  {tr("Add speed key"), tr("Move speed key"), tr("Delete speed key"), tr("Reset speed over life")});
  connect_numbers(drags_, &ParticleSource::drag_keys,
                  {tr("Add drag key"), tr("Move drag key"), tr("Delete drag key"), tr("Reset drag over life")});
  connect(&context_.document, &DocumentController::changed, this, &LifeSection::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &LifeSection::refresh);
  connect(&context_.selection, &Selection::changed, this, &LifeSection::refresh);
  refresh();
}

const ParticleSource* LifeSection::source() const {
  const Scene& scene = context_.document.scene();
  const ParticleSource* found = find_source(scene, context_.selection.active());
  for (const Id id : context_.selection.ids())
    if (!found) found = find_source(scene, id);
  return found && !gives_copies(*found) ? found : nullptr;
}

void LifeSection::edit(const QString& what, const std::function<void(ParticleSource&)>& change, bool continues) {
  const ParticleSource* const shown = source();
  if (!shown) return;
  if (!continues || gesture_ == 0) gesture_ = context_.document.new_gesture();
  ParticleSource made = *shown;
  change(made);
  Scene next = context_.document.scene();
  for (const Id id : context_.selection.ids())
    if (const ParticleSource* one = find_source(next, id); one && !gives_copies(*one))
      next = with_source(std::move(next), id, [&](ParticleSource& s) {
        s.size_keys = made.size_keys;
        s.colour_keys = made.colour_keys;
        s.opacity_keys = made.opacity_keys;
        s.speed_keys = made.speed_keys;
        s.drag_keys = made.drag_keys;
        s.growth = made.growth;
        s.colour = made.colour;
        s.end_colour = made.end_colour;
      });
  (void)context_.document.edit(tr("%1 of %2").arg(what, QString::fromStdString(shown->name)), std::move(next),
                               gesture_);
}

void LifeSection::connect_sizes() {
  connect(sizes_, &LifeBar::added, this, [this](double age, double value) {
    const ParticleSource* s = source();
    const double at = between_ends(age);
    const int place = s ? place_for(s->size_keys, at) : -1;
    if (place < 0) return;
    edit(tr("Add size key"), [&](ParticleSource& one) {
      one.size_keys.insert(one.size_keys.begin() + place, {at, value});
    });
    sizes_->select(static_cast<std::size_t>(place) + 1);
  });
  connect(sizes_, &LifeBar::moved, this, [this](int key, double age, double value, bool continues) {
    edit(
        tr("Move size key"),
        [&](ParticleSource& s) {
          const auto at = static_cast<std::size_t>(key) - 1;
          if (key == 0) return;
          if (at >= s.size_keys.size())
            s.growth = value;
          else
            s.size_keys[at] = {free_age(s.size_keys, at, age, kLeastLifeAge, 1 - kLeastLifeAge), value};
        },
        continues);
  });
  connect(sizes_, &LifeBar::removed, this, [this](int key) {
    sizes_->select(std::nullopt);
    edit(tr("Delete size key"), [&](ParticleSource& s) { s.size_keys.erase(s.size_keys.begin() + key - 1); });
  });
  connect(sizes_, &LifeBar::reset, this,
          [this] { edit(tr("Reset size over life"), [](ParticleSource& s) { s.size_keys.clear(); }); });
}

void LifeSection::connect_colours() {
  connect(colours_, &LifeBar::added, this, [this](double age, double) {
    const ParticleSource* s = source();
    const double at = between_ends(age);
    const int place = s ? place_for(s->colour_keys, at) : -1;
    if (place < 0) return;
    const Vec3 colour = colour_over_life(*s, at).cwiseMax(0.0).cwiseMin(1.0);
    edit(tr("Add colour key"), [&](ParticleSource& one) {
      one.colour_keys.insert(one.colour_keys.begin() + place, {at, colour});
    });
    colours_->select(static_cast<std::size_t>(place) + 1);
  });
  connect(colours_, &LifeBar::moved, this, [this](int key, double age, double, bool continues) {
    edit(
        tr("Move colour key"),
        [&](ParticleSource& s) {
          const auto at = static_cast<std::size_t>(key) - 1;
          if (key > 0 && at < s.colour_keys.size())
            s.colour_keys[at].age = free_age(s.colour_keys, at, age, kLeastLifeAge, 1 - kLeastLifeAge);
        },
        continues);
  });
  connect(colours_, &LifeBar::removed, this, [this](int key) {
    colours_->select(std::nullopt);
    edit(tr("Delete colour key"), [&](ParticleSource& s) { s.colour_keys.erase(s.colour_keys.begin() + key - 1); });
  });
  connect(colours_, &LifeBar::reset, this,
          [this] { edit(tr("Reset colour over life"), [](ParticleSource& s) { s.colour_keys.clear(); }); });
  connect(colours_, &LifeBar::colour_wanted, this, &LifeSection::choose_colour);
}

template <class Key>
void LifeSection::connect_numbers(LifeBar* bar, std::vector<Key> ParticleSource::*keys, const NumberWords& words) {
  connect(bar, &LifeBar::added, this, [this, bar, keys, words](double age, double value) {
    const ParticleSource* s = source();
    const int place = s ? place_for(s->*keys, age) : -1;
    if (place < 0) return;
    edit(words.add, [&](ParticleSource& one) { (one.*keys).insert((one.*keys).begin() + place, {age, value}); });
    bar->select(static_cast<std::size_t>(place));
  });
  connect(bar, &LifeBar::moved, this, [this, keys, words](int key, double age, double value, bool continues) {
    edit(
        words.move,
        [&](ParticleSource& s) {
          const auto at = static_cast<std::size_t>(key);
          if (at < (s.*keys).size()) (s.*keys)[at] = {free_age(s.*keys, at, age, 0, 1), value};
        },
        continues);
  });
  connect(bar, &LifeBar::removed, this, [this, bar, keys, words](int key) {
    bar->select(std::nullopt);
    edit(words.remove, [&](ParticleSource& s) { (s.*keys).erase((s.*keys).begin() + key); });
  });
  connect(bar, &LifeBar::reset, this,
          [this, keys, words] { edit(words.reset, [keys](ParticleSource& s) { (s.*keys).clear(); }); });
}

void LifeSection::choose_colour(int key) {
  auto* popup = new QFrame(colours_, Qt::Popup);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  popup->setObjectName(QStringLiteral("life_colour_popup"));
  popup->setFrameShape(QFrame::StyledPanel);
  auto* column = new QVBoxLayout(popup);
  column->setContentsMargins(2, 2, 2, 2);
  auto* editor = new ColourEditor(popup);
  editor->set_colour(colours_->keys()[static_cast<std::size_t>(key)].colour);
  column->addWidget(editor);
  connect(editor, &ColourEditor::edited, this, [this, key](const Vec3& rgb, bool continues) {
    edit(
        tr("Colour key"),
        [&](ParticleSource& s) {
          const auto at = static_cast<std::size_t>(key) - 1;
          (key == 0 ? s.colour : at < s.colour_keys.size() ? s.colour_keys[at].colour : s.end_colour) = rgb;
        },
        continues);
  });
  popup->resize(250, 290);
  const QRect screen = colours_->screen()->availableGeometry();
  QPoint at = colours_->mapToGlobal(colours_->place_of(static_cast<std::size_t>(key)).toPoint() + QPoint(-125, 10));
  if (at.y() + popup->height() > screen.bottom()) at.ry() -= popup->height() + 24;
  at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - popup->width())));
  popup->move(at);
  popup->show();
}

void LifeSection::refresh() {
  const ParticleSource* const shown = source();
  setVisible(shown != nullptr);
  if (!shown) return;
  const auto now = std::make_shared<const ParticleSource>(*shown);
  std::vector<LifeKey> keys = {{0, 1, Vec3::Zero(), true, true}};
  for (const LifeSize& key : shown->size_keys) keys.push_back({key.age, key.size});
  keys.push_back({1, shown->growth, Vec3::Zero(), true});
  sizes_->show_curve(std::move(keys), [now](double age) { return size_over_life(*now, age); });
  keys = {{0, 0, shown->colour, true, true}};
  for (const LifeColour& key : shown->colour_keys) keys.push_back({key.age, 0, key.colour});
  keys.push_back({1, 0, shown->end_colour, true, true});
  colours_->show_strip(std::move(keys), [now](double age) { return colour_over_life(*now, age); });
  keys.clear();
  for (const LifeOpacity& key : shown->opacity_keys) keys.push_back({key.age, key.opacity});
  opacities_->show_curve(std::move(keys), [now](double age) { return opacity_over_life(*now, age); });
  keys.clear();
  for (const LifeSpeed& key : shown->speed_keys) keys.push_back({key.age, key.speed});
  speeds_->show_curve(std::move(keys), [now](double age) { return speed_over_life(*now, age); });
  keys.clear();
  for (const LifeDrag& key : shown->drag_keys) keys.push_back({key.age, key.drag});
  drags_->show_curve(std::move(keys), [now](double age) { return drag_over_life(*now, age); });
  const bool coloured = shown->look != ParticleLook::mesh;
  colour_row_->setVisible(coloured);
  opacity_row_->setVisible(coloured);
}

}  // namespace hazumi
