// Mapping: how the analysis model moves the display model. Kind, degrees of the lattice, bones of the skeleton.
#pragma once

#include <QWidget>

#include "ui/model/context.h"

class QLabel;

namespace hazumi {

class BoneSection;
class FieldWidget;
class ObjectBinding;
class PanelPage;
class Section;
class Segments;

class MappingPanel : public QWidget {
  Q_OBJECT
 public:
  MappingPanel(UiContext& context, QWidget* parent);

  Segments* kinds() const { return kinds_; }
  QLabel* words() const { return words_; }
  FieldWidget* lattice() const { return lattice_; }
  BoneSection* skeleton() const { return skeleton_; }

 private:
  void refresh();
  void pick_kind(int kind);

  UiContext context_;
  ObjectBinding* binding_;
  PanelPage* page_;
  Segments* kinds_;
  QLabel* words_;
  FieldWidget* lattice_;
  Section *lattice_box_, *skeleton_box_;
  BoneSection* skeleton_;
};

}  // namespace hazumi
