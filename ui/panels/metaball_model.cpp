#include "ui/panels/metaball_model.h"

#include <algorithm>

#include <QIcon>
#include <QPainter>
#include <QPixmap>

#include "core/geometry/metaball/catalogue.h"
#include "ui/widgets/colour_editor.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

const char kMetaballsMime[] = "application/x-hazumi-metaballs";

QString metaball_icon(const MetaballPrimitive& p) {
  if (p.shape == MetaballShape::torus) return QStringLiteral("torus");
  if (p.round_xy < 0.6 && p.round_xz < 0.6) return QStringLiteral("box");
  if (p.round_xz < 0.6) return QStringLiteral("cylinder");
  if (p.round_xy > 2.5 && p.round_xz > 2.5) return QStringLiteral("pinched");
  if (p.round_xy > 1.6 && p.round_xz > 1.6) return QStringLiteral("octahedron");
  return p.radii.minCoeff() < 0.85 * p.radii.maxCoeff() ? QStringLiteral("ellipsoid") : QStringLiteral("sphere");
}

QIcon swatch(const Vec3& colour) {
  return colour_pixmap(32, colour, QPen(QColor(0, 0, 0, 160), 2),
                       [](QPainter& painter) { painter.drawRoundedRect(QRectF(3, 3, 26, 26), 6, 6); });
}

}  // namespace

MetaballModel::MetaballModel(DocumentController& document, QObject* parent)
    : RowModel(column_count, kMetaballsMime, parent), document_(document) {
  connect(&document, &DocumentController::changed, this, &MetaballModel::follow);
  connect(&document, &DocumentController::document_replaced, this, [this] { set_object({}); });
}

const Object* MetaballModel::object() const {
  const Object* found = object_ ? find_object(document_.scene(), object_) : nullptr;
  return found && found->display.kind == DisplayKind::metaballs ? found : nullptr;
}

const MetaballPrimitive* MetaballModel::primitive(int row) const {
  const Object* found = object();
  if (!found || row < 0 || row >= rowCount()) return nullptr;
  return find_primitive(found->display.metaballs, id(row));
}

void MetaballModel::set_object(Id object) {
  object_ = object;
  follow();
}

void MetaballModel::follow() {
  std::vector<RowId> now;
  if (const Object* found = object())
    for (const MetaballPrimitive& p : found->display.metaballs.primitives) now.push_back(p.id);
  if (now != row_ids()) {
    reset_rows(std::move(now));
  } else if (!row_ids().empty()) {
    emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
  }
}

int MetaballModel::row(std::uint32_t id) const {
  const auto at = std::find(row_ids().begin(), row_ids().end(), id);
  return at == row_ids().end() ? -1 : static_cast<int>(at - row_ids().begin());
}

QVariant MetaballModel::data(const QModelIndex& index, int role) const {
  const MetaballPrimitive* p = index.isValid() ? primitive(index.row()) : nullptr;
  if (!p) return {};
  if (role == id_role) return QVariant::fromValue<quint32>(p->id);
  const QString name = QString::fromStdString(p->name);
  switch (index.column()) {
    case name_column:
      if (role == Qt::DisplayRole || role == Qt::EditRole) return name;
      if (role == Qt::DecorationRole) return theme_icon(metaball_icon(*p));
      if (role == Qt::ToolTipRole) return p->weight < 0 ? tr("%1 (carves)").arg(name) : name;
      if (role == Qt::ForegroundRole && !p->visible) return theme_colours().quiet_text;
      break;
    case weight_column:
      if (role == Qt::DisplayRole) return QString::number(p->weight, 'g', 3).replace(QLatin1Char('-'), QChar(0x2212));
      if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
      if (role == Qt::ForegroundRole) return p->weight < 0 ? QColor(0xf4, 0x62, 0x9e) : theme_colours().quiet_text;
      if (role == Qt::ToolTipRole)
        return p->weight < 0 ? tr("Weight: negative, it carves.") : tr("Weight: how strongly it swells the surface.");
      break;
    case colour_column:
      if (role == Qt::DecorationRole) return swatch(p->surface.diffuse);
      if (role == Qt::ToolTipRole) return tr("Colour. Click to change it; shown with “Use own colours”.");
      break;
    case eye_column:
      if (role == Qt::DecorationRole) return theme_icon(p->visible ? QStringLiteral("show") : QStringLiteral("hide"));
      if (role == Qt::ToolTipRole)
        return p->visible ? tr("Takes part. Click to leave it out.") : tr("Left out. Click to take it in.");
      if (role == Qt::AccessibleTextRole) return p->visible ? tr("takes part") : tr("left out");
      break;
    default:
      break;
  }
  return {};
}

bool MetaballModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const MetaballPrimitive* p = index.isValid() ? primitive(index.row()) : nullptr;
  if (!p || role != Qt::EditRole || index.column() != name_column) return false;
  const std::string name = value.toString().trimmed().toStdString();
  if (name == p->name) return false;
  const std::uint32_t id = p->id;
  const QString text = tr("Rename %1").arg(QString::fromStdString(p->name));
  return document_.edit_object(text, object_, [&](Object& o) { find_primitive(o.display.metaballs, id)->name = name; })
      .ok();
}

void MetaballModel::toggle(const std::vector<std::uint32_t>& ids) {
  const Object* found = object();
  const MetaballPrimitive* first =
      found && !ids.empty() ? find_primitive(found->display.metaballs, ids.front()) : nullptr;
  if (!first) return;
  const bool on = !first->visible;
  const QString what = ids.size() == 1 ? QString::fromStdString(first->name) : tr("%1 metaballs").arg(ids.size());
  const QString text = (on ? tr("Show %1 in %2") : tr("Hide %1 in %2")).arg(what, QString::fromStdString(found->name));
  (void)document_.edit_object(text, object_, [&](Object& o) {
    for (std::uint32_t id : ids)
      if (MetaballPrimitive* p = find_primitive(o.display.metaballs, id)) p->visible = on;
  });
}

void MetaballModel::move_rows(const std::set<RowId>& ids, int row) {
  const Object* found = object();
  if (!found) return;
  const QString text = tr("Reorder metaballs of %1").arg(QString::fromStdString(found->name));
  (void)document_.edit_object(text, object_, [&](Object& o) {
    move_before(o.display.metaballs.primitives, static_cast<std::size_t>(row),
                [&](const MetaballPrimitive& p) { return ids.count(p.id) > 0; });
  });
}

}  // namespace hazumi
