// Groups of boxes on the canvas of motion graphs: a frame round all that have one name.
#include <QPainter>

#include "core/scene/derived/motion_rules.h"
#include "ui/model/document_controller.h"
#include "ui/model/motion_commands.h"
#include "ui/panels/motion_canvas.h"
#include "ui/widgets/name_edit.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kGroupMargin = 14, kGroupTitle = 24;  // logical pixels
constexpr int kLongestGroup = 200;

}  // namespace

std::string MotionCanvas::group_of(Id id) const {
  const MotionNode* node = find_motion(context_.document.scene(), id);
  return node ? node->group : std::string();
}

std::set<Id> MotionCanvas::grouped_with(Id id) const {
  const std::string name = group_of(id);
  std::set<Id> ids = {id};
  for (const auto& node : context_.document.scene().motion)
    if (!name.empty() && node->group == name) ids.insert(node->id);
  return ids;
}

std::map<std::string, MotionCanvas::GroupFrame> MotionCanvas::group_frames() const {
  std::map<std::string, GroupFrame> all;
  for (const auto& node : context_.document.scene().motion) {
    const MotionBox* item = node->group.empty() ? nullptr : box(node->id);
    if (!item) continue;
    GroupFrame& group = all[node->group];
    group.frame |= item->placed();
    group.ids.insert(node->id);
    group.hovered = group.hovered || hovered_ == Hit{Part::group, node->id, {}};
  }
  for (auto& [name, group] : all) {
    group.frame.adjust(-kGroupMargin, -kGroupMargin - kGroupTitle, kGroupMargin, kGroupMargin);
    group.title = QRectF(group.frame.topLeft(), QSizeF(group.frame.width(), kGroupTitle));
  }
  return all;
}

void MotionCanvas::paint_groups(QPainter& painter) const {
  const ThemeColours& colours = theme_colours();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& [name, group] : group_frames()) {
    const bool chosen = std::all_of(group.ids.begin(), group.ids.end(), [&](Id id) { return chosen_.contains(id); });
    QColor fill = colours.text;
    fill.setAlpha(12);
    painter.setBrush(fill);
    QColor edge = chosen ? colours.accent : colours.quiet_text;
    if (!chosen) edge.setAlpha(group.hovered ? 200 : 90);
    painter.setPen(QPen(edge, 1.2));
    painter.drawRoundedRect(group.frame, 6, 6);
    painter.setPen(group.hovered || chosen ? colours.text : colours.quiet_text);
    const QRectF words = group.title.adjusted(10, 2, -10, 0);
    const QString text = QString::fromStdString(name);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, words.width()));
  }
  painter.restore();
}

void MotionCanvas::group_chosen() {
  const Scene& now = context_.document.scene();
  if (chosen_.ids().empty()) return say(tr("Select the boxes of the group first."));
  const Id first = *chosen_.ids().begin();
  if (!edit(tr("Group %1").arg(boxes_text(now, chosen_.ids())),
            with_group(now, chosen_.ids(), free_group_name(now, tr("Group").toStdString()))))
    return;
  name_group(first);
}

void MotionCanvas::ungroup_chosen() {
  const Scene& now = context_.document.scene();
  std::set<Id> grouped;
  for (const Id id : chosen_.ids())
    if (!group_of(id).empty()) grouped.insert(id);
  if (grouped.empty()) return say(tr("Select boxes of a group first."));
  edit(tr("Ungroup %1").arg(boxes_text(now, grouped)), with_group(now, grouped, {}));
}

/// One that another group has already makes one of the two.
void MotionCanvas::name_group(Id id) {
  const std::string old = group_of(id);
  const auto groups = group_frames();
  const auto at = groups.find(old);
  if (at == groups.end()) return;
  drag_ = Drag::none;
  const QRect place = mapFromScene(at->second.title).boundingRect();
  auto* field = new NameEdit(QString::fromStdString(old), "motion_group_name", kLongestGroup, viewport());
  field->begin(QRect(place.left(), place.top(), std::clamp(place.width(), 120, 260), 24), this,
               [this, old, id](const QString& name) {
                 const Scene& now = context_.document.scene();
                 const std::string wanted = name.trimmed().toStdString();
                 if (wanted.empty() || wanted == old || group_of(id) != old) return;
                 edit(tr("Rename to \"%1\"").arg(name.trimmed()), with_group(now, grouped_with(id), wanted));
               });
}

}  // namespace hazumi
