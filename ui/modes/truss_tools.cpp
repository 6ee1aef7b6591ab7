#include "ui/modes/truss_tools.h"

#include <utility>

#include <QCoreApplication>
#include <QLineF>
#include <QPainter>

#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/modes/truss_commands.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr glm::vec4 kNewSpring{1.0f, 0.82f, 0.45f, 1.0f};

std::optional<std::uint32_t> node_under(const ModePointer& pointer) {
  if (pointer.element && pointer.element->type == 0) return pointer.element->number;
  return std::nullopt;
}

Vec3 middle(const StrungTruss& truss, const NodeSelection& nodes) {
  Vec3 sum = Vec3::Zero();
  for (std::uint32_t node : nodes) sum += truss.nodes[node].position;
  return nodes.empty() ? sum : Vec3(sum / static_cast<double>(nodes.size()));
}

/// The depth that the person works at: of the selection, else of the whole truss.
Vec3 working_place(const StrungTruss& truss, const Elements& elements) {
  NodeSelection nodes = meant_nodes(truss, elements);
  if (nodes.empty())
    for (std::uint32_t i = 0; i < truss.nodes.size(); ++i) nodes.push_back(i);
  return middle(truss, nodes);
}

class AddNodes : public ModeToolRun {
 public:
  bool press(const ModeContext& context, const ModePointer& pointer) override {
    const auto truss = edited_truss(context.elements);
    if (!truss) return false;
    const bool joins = pointer.modifiers & Qt::ShiftModifier;
    const NodeSelection from = selected_nodes(context.elements.elements());
    const OptionalSymmetry symmetry = symmetry_of(context.elements);
    // With Shift a click on a node that is there strings the last one to it and goes on from there.
    if (const auto node = node_under(pointer)) {
      if (joins && context.elements.has_active() && context.elements.active().type == 0)
        (void)edit_truss(context.ui, tr("String a spring"), [&](const StrungTruss& t) {
          return string_nodes(t, context.elements.active().number, *node, symmetry);
        });
      context.elements.select_only({0, *node});
      return true;
    }
    const auto place = pointer.surface
                           ? pointer.surface
                           : place_in_view(context, pointer, working_place(*truss, context.elements.elements()));
    if (!place) return false;
    StrungNode node;
    node.position = *place;
    const Element active = context.elements.active();
    const bool strings = joins && !from.empty() && active.type == 0 && active.number < truss->nodes.size();
    std::uint32_t added = kNoNode;
    const bool done =
        edit_truss(context.ui, strings ? tr("Add a node and a spring") : tr("Add a node"), [&](const StrungTruss& t) {
          TrussEdit edit = add_node(t, node, symmetry);
          if (edit.selected.empty()) return edit;
          added = edit.selected.front();
          if (!strings) return edit;
          const std::uint32_t mapped = edit.node_map[active.number];
          TrussEdit strung = string_nodes(edit.truss, mapped, added, symmetry);
          strung.selected = edit.selected;
          strung.node_map = edit.node_map;
          return strung;
        });
    if (done && added != kNoNode) context.elements.select_only({0, added});
    return true;
  }
  void move(const ModeContext& context, const ModePointer& pointer) override {
    const auto truss = edited_truss(context.elements);
    place_.reset();
    if (!truss || node_under(pointer)) return;
    place_ = pointer.surface ? pointer.surface
                             : place_in_view(context, pointer, working_place(*truss, context.elements.elements()));
    joins_ = pointer.modifiers & Qt::ShiftModifier;
  }
  void draw(const ModeView& view, RenderList& list) const override {
    if (!place_) return;
    const auto& truss = view.object.analysis.strung;
    const glm::vec3 at = view.space.at(*place_);
    list.points_on_top.push_back({at, kNewSpring, 8});
    if (!joins_ || !truss || view.active.type != 0 || !view.selected.count(view.active)) return;
    if (view.active.number >= truss->nodes.size()) return;
    DrawLines line;
    line.width = 1.6f;
    line.on_top = true;
    line.vertices = {{view.space.at(truss->nodes[view.active.number].position), kNewSpring}, {at, kNewSpring}};
    list.lines.push_back(std::move(line));
  }
  QString hint() const override {
    return tr(
        "Click adds a node on the surface, or at the depth of the selection · Shift joins it to the selected node · "
        "Esc ends");
  }

 private:
  std::optional<Vec3> place_;
  bool joins_ = false;
};

class StringSprings : public ModeToolRun {
 public:
  bool press(const ModeContext& context, const ModePointer& pointer) override {
    const auto node = node_under(pointer);
    if (!node) return false;
    from_ = *node;
    context.elements.select_only({0, *node});
    move(context, pointer);
    return true;
  }
  void move(const ModeContext& context, const ModePointer& pointer) override {
    to_.reset();
    end_.reset();
    const auto truss = edited_truss(context.elements);
    if (!from_ || !truss || *from_ >= truss->nodes.size()) return;
    to_ = node_under(pointer);
    end_ = to_ ? truss->nodes[*to_].position : place_in_view(context, pointer, truss->nodes[*from_].position);
  }
  void release(const ModeContext& context, const ModePointer& pointer) override {
    move(context, pointer);
    const auto from = std::exchange(from_, std::nullopt);
    end_.reset();
    if (!from || !to_ || *from == *to_) return;
    const auto before = edited_truss(context.elements);
    const bool done = edit_truss(context.ui, tr("String a spring"), [&](const StrungTruss& t) {
      return string_nodes(t, *from, *to_, symmetry_of(context.elements));
    });
    if (!done && edited_truss(context.elements) == before)
      emit context.ui.document.refused(tr("A spring joins these nodes already."));
    context.elements.select_only({0, *to_});
  }
  bool key(const ModeContext&, int key, Qt::KeyboardModifiers) override {
    if (key != Qt::Key_Escape || !from_) return false;
    from_.reset();
    end_.reset();
    return true;
  }
  void draw(const ModeView& view, RenderList& list) const override {
    const auto& truss = view.object.analysis.strung;
    if (!from_ || !end_ || !truss || *from_ >= truss->nodes.size()) return;
    DrawLines line;
    line.width = 2.4f;
    line.on_top = true;
    glm::vec4 colour = kNewSpring;
    if (!to_) colour.a = 0.6f;
    line.vertices = {{view.space.at(truss->nodes[*from_].position), colour}, {view.space.at(*end_), colour}};
    list.lines.push_back(std::move(line));
  }
  QString hint() const override { return tr("Drag from node to node strings a spring · Esc ends"); }

 private:
  std::optional<std::uint32_t> from_, to_;
  std::optional<Vec3> end_;
};

class CutSprings : public ModeToolRun {
 public:
  bool press(const ModeContext&, const ModePointer& pointer) override {
    line_ = {pointer.pixel};
    return true;
  }
  void move(const ModeContext&, const ModePointer& pointer) override {
    if (line_.empty()) return;
    if (QLineF(line_.back(), pointer.pixel).length() >= 3) line_.push_back(pointer.pixel);
  }
  void release(const ModeContext& context, const ModePointer& pointer) override {
    move(context, pointer);
    const std::vector<QPointF> line = std::exchange(line_, {});
    const auto truss = edited_truss(context.elements);
    const auto view = context.stage.mode_view();
    if (!truss || !view) return;
    SpringSelection cut;
    // A click cuts the spring under the mouse.
    if (line.size() < 2) {
      if (pointer.element && pointer.element->type == 1) cut.push_back(pointer.element->number);
    } else {
      for (std::uint32_t s = 0; s < truss->springs.size(); ++s)
        if (crossed(*view, *truss, truss->springs[s], line)) cut.push_back(s);
    }
    if (cut.empty()) return;
    const QString text = cut.size() == 1 ? tr("Cut a spring") : tr("Cut %1 springs").arg(cut.size());
    (void)edit_truss(context.ui, text,
                     [&](const StrungTruss& t) { return delete_springs(t, cut, symmetry_of(context.elements)); });
  }
  bool key(const ModeContext&, int key, Qt::KeyboardModifiers) override {
    if (key != Qt::Key_Escape || line_.empty()) return false;
    line_.clear();
    return true;
  }
  void paint(const ModeView&, QPainter& painter) const override {
    if (line_.size() < 2) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const QPolygonF line(QList<QPointF>(line_.begin(), line_.end()));
    painter.setPen(QPen(QColor(0, 0, 0, 170), 4));
    painter.drawPolyline(line);
    painter.setPen(QPen(theme_colours().error, 1.8, Qt::DashLine));
    painter.drawPolyline(line);
  }
  QString hint() const override { return tr("Drag over springs cuts them; nodes stay · Esc ends"); }

 private:
  static bool crossed(const ModeView& view, const StrungTruss& truss, const StrungSpring& spring,
                      const std::vector<QPointF>& line) {
    const glm::vec3 a = view.camera.project(view.space.at(truss.nodes[spring.a].position), view.size);
    const glm::vec3 b = view.camera.project(view.space.at(truss.nodes[spring.b].position), view.size);
    if (!(a.z > 0 && a.z < 1 && b.z > 0 && b.z < 1)) return false;
    const QLineF seen(a.x, a.y, b.x, b.y);
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      if (seen.intersects(QLineF(line[i], line[i + 1]), nullptr) == QLineF::BoundedIntersection) return true;
    return false;
  }
  std::vector<QPointF> line_;
};

}  // namespace

std::optional<Vec3> place_in_view(const ModeContext& context, const ModePointer& pointer, const Vec3& through) {
  const auto view = context.stage.mode_view();
  if (!view) return std::nullopt;
  const auto hit = on_plane(pointer.ray, view->space.world(through), to_double(view->camera.forward()));
  if (!hit) return std::nullopt;
  return view->space.local(*hit);
}

std::unique_ptr<ModeToolRun> start_add_nodes(const ModeContext&) { return std::make_unique<AddNodes>(); }
std::unique_ptr<ModeToolRun> start_string_springs(const ModeContext&) { return std::make_unique<StringSprings>(); }
std::unique_ptr<ModeToolRun> start_cut_springs(const ModeContext&) { return std::make_unique<CutSprings>(); }

}  // namespace hazumi
