#include "ui/panels/mapping_panel.h"

#include <algorithm>

#include <QGridLayout>
#include <QLabel>

#include "core/geometry/mapping/bones.h"
#include "ui/model/document_controller.h"
#include "ui/modes/bone_commands.h"
#include "ui/panels/bone_section.h"
#include "ui/panels/owners.h"
#include "ui/panels/panel.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segments.h"

namespace hazumi {

namespace {

QString kind_words(MappingKind kind) {
  switch (kind) {
    case MappingKind::automatic:
      return MappingPanel::tr("Tetrahedra where the analysis model is filled with them, else linear.");
    case MappingKind::linear:
      return MappingPanel::tr(
          "Each vertex hangs on one triangle of the hull: three nodes move it, exactly and locally.");
    case MappingKind::embedding:
      return MappingPanel::tr("Each vertex lies in a tetrahedron of the filled analysis model: four nodes move it.");
    case MappingKind::lattice:
      return MappingPanel::tr("A smooth lattice follows all nodes at once. Higher degrees follow closer.");
    case MappingKind::skeleton:
      return MappingPanel::tr("Bones follow the nodes near them; the skin follows the bones.");
  }
  return {};
}

}  // namespace

MappingPanel::MappingPanel(UiContext& context, QWidget* parent)
    : QWidget(parent), context_(context), binding_(new ObjectBinding(context, this)) {
  page_ = new PanelPage("mapping",
                        tr("Select an object with an analysis model to say how its nodes move what is seen."), this);
  QWidget* content = page_->content();
  QGridLayout* kind = make_form_grid(page_->add_section(tr("Mapping")));
  kinds_ = new Segments({{tr("Auto"), "map_automatic", tr("What fits the analysis model.")},
                         {tr("Linear"), "map_linear", kind_words(MappingKind::linear)},
                         {tr("Tetra"), "map_embedding", kind_words(MappingKind::embedding)},
                         {tr("Lattice"), "map_lattice", kind_words(MappingKind::lattice)},
                         {tr("Bones"), "bone", kind_words(MappingKind::skeleton)}},
                        true, content);
  kinds_->setObjectName("mapping_kinds");
  kind->addWidget(kinds_, 0, 0, 1, 2);
  words_ = new QLabel(content);
  words_->setObjectName("mapping_words");
  words_->setWordWrap(true);
  words_->setForegroundRole(QPalette::PlaceholderText);
  kind->addWidget(words_, 1, 0, 1, 2);

  lattice_box_ = page_->add_section(tr("Lattice"));
  lattice_ = binding_->add_row("mapping.lattice", make_form_grid(lattice_box_), content);
  skeleton_box_ = page_->add_section(tr("Bones"));
  skeleton_ = new BoneSection(context_, binding_, content);
  make_form_grid(skeleton_box_)->addWidget(skeleton_, 0, 0, 1, 2);
  setMinimumWidth(240);

  connect(kinds_, &Segments::picked, this, &MappingPanel::pick_kind);
  connect(binding_, &BindingBase::shown_changed, this, &MappingPanel::refresh);
  binding_->refresh();
}

void MappingPanel::refresh() {
  const auto objects = binding_->objects();
  const bool any = std::any_of(objects.begin(), objects.end(),
                               [](const Object* o) { return o->analysis.kind != AnalysisKind::none || is_skin(*o); });
  page_->show_content(any);
  if (!any) return;
  const Object& active = *objects.front();
  const bool same = std::all_of(objects.begin(), objects.end(),
                                [&](const Object* o) { return o->mapping.kind == active.mapping.kind; });
  kinds_->set_current(same ? static_cast<int>(active.mapping.kind) : -1);
  QString words = same ? kind_words(active.mapping.kind) : tr("The selected objects differ.");
  if (is_skin(active))
    words = tr("Its bones go with other objects; the skin follows the bones.");
  else if (!body_kind(active.body.kind).deforms)
    words += " " + tr("It comes into play when the object moves as a flexible body.");
  words_->setText(words);
  lattice_box_->setVisible(same && active.mapping.kind == MappingKind::lattice);
  skeleton_box_->setVisible(same && active.mapping.kind == MappingKind::skeleton);
  skeleton_->refresh();
}

void MappingPanel::pick_kind(int kind) {
  binding_->edit(
      tr("Mapping"),
      [&](Object& o) {
        o.mapping.kind = static_cast<MappingKind>(kind);
        // A skeleton without bones would do nothing: it begins with a chain.
        if (o.mapping.kind == MappingKind::skeleton && o.mapping.bones.empty())
          o.mapping.bones = bones_along_longest_axis(model_points(o, context_.document.meshes()), skeleton_->wanted());
      },
      false, kinds_);
  refresh();
}

const PanelInfo& panel_mapping_panel() {
  static const PanelInfo info{"mapping", "Mapping", Qt::RightDockWidgetArea, 1, 2, "drivers", make_panel<MappingPanel>};
  return info;
}

}  // namespace hazumi
