// A section of Properties: size, colour, opacity, speed and drag of a source's particles over their life (core/scene/derived/particle_shade.h), with
// keys that are drawn. What is edited is of all selected sources as the active one has it.
#pragma once

#include <functional>

#include <QWidget>

#include "core/scene/values/particle_source.h"
#include "ui/model/context.h"

namespace hazumi {

class LifeBar;
class Section;

class LifeSection : public QWidget {
  Q_OBJECT
 public:
  LifeSection(UiContext& context, QWidget* parent);

 private:
  const ParticleSource* source() const;  ///< null: none whose particles have looks of their own
  void refresh();
  /// `what`: "Move size key".
  void edit(const QString& what, const std::function<void(ParticleSource&)>& change, bool continues = false);
  void connect_sizes();
  void connect_colours();
  struct NumberWords {
    QString add, move, remove, reset;  ///< "Move speed key"
  };
  /// Of keys between which nothing is given.
  template <class Key>
  void connect_numbers(LifeBar* bar, std::vector<Key> ParticleSource::*keys, const NumberWords& words);
  void choose_colour(int key);

  UiContext context_;
  Section* section_;
  QWidget *colour_row_, *opacity_row_;
  LifeBar *sizes_, *colours_, *opacities_, *speeds_, *drags_;
  quint64 gesture_ = 0;
};

}  // namespace hazumi
