#include "ui/model/own_materials.h"

#include <algorithm>
#include <cmath>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include "core/export/frame_sink.h"
#include "core/scene/values/fields.h"

namespace hazumi {

namespace {

// Written through the field table: the same keys as in a scene file, the same ranges when read.
constexpr std::string_view kPrefix = "material.";

QString key_of(const Field<Object>& field) {
  const auto key = field.path.substr(kPrefix.size());
  return QString::fromUtf8(key.data(), static_cast<qsizetype>(key.size()));
}

template <class Do>
void for_each_field(Do&& act) {
  for (const auto& field : object_fields())
    if (field.path.starts_with(kPrefix) && field.path != "material.preset") act(field);
}

QJsonValue to_json(const FieldValue& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return *yes;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* v = std::get_if<Vec3>(&value)) return QJsonArray{v->x(), v->y(), v->z()};
  return {};
}

/// Nothing when the JSON has another type than `like`.
std::optional<FieldValue> from_json(const QJsonValue& json, const FieldValue& like) {
  if (std::holds_alternative<bool>(like) && json.isBool()) return json.toBool();
  if (std::holds_alternative<double>(like) && json.isDouble()) return json.toDouble();
  if (std::holds_alternative<Vec3>(like) && json.isArray() && json.toArray().size() == 3) {
    const QJsonArray a = json.toArray();
    return Vec3(a[0].toDouble(-1), a[1].toDouble(-1), a[2].toDouble(-1));
  }
  return std::nullopt;
}

}  // namespace

OwnMaterials::OwnMaterials(QString file) : file_(std::move(file)) {
  if (file_.isEmpty())
    file_ = QDir(QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation)).filePath("materials.json");
  load();
}

void OwnMaterials::load() {
  QFile file(file_);
  if (!file.open(QIODevice::ReadOnly) || file.size() > (1 << 22)) return;
  const QJsonArray list = QJsonDocument::fromJson(file.readAll()).object().value("materials").toArray();
  for (const QJsonValue& entry : list) {
    const QJsonObject json = entry.toObject();
    const QString name = json.value("name").toString().trimmed().left(100);
    if (name.isEmpty()) continue;
    Object holder;
    for_each_field([&](const Field<Object>& field) {
      const auto value = from_json(json.value(key_of(field)), field.get(holder));
      if (value && field_problem(field, *value).empty()) field.set(holder, *value);
    });
    holder.material.substance_follows = false;
    all_.push_back({name, holder.material});
  }
}

Status OwnMaterials::write() const {
  QJsonArray list;
  for (const auto& own : all_) {
    Object holder;
    holder.material = own.material;
    QJsonObject json{{"name", own.name}};
    for_each_field([&](const Field<Object>& field) { json[key_of(field)] = to_json(field.get(holder)); });
    list.append(json);
  }
  QDir().mkpath(QFileInfo(file_).absolutePath());
  const QByteArray bytes = QJsonDocument(QJsonObject{{"version", 1}, {"materials", list}}).toJson();
  return write_whole_file(file_.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

Status OwnMaterials::save(const QString& name, const Material& material) {
  const auto at = std::find_if(all_.begin(), all_.end(), [&](const OwnMaterial& own) { return own.name == name; });
  if (at != all_.end())
    at->material = material;
  else
    all_.push_back({name, material});
  std::sort(all_.begin(), all_.end(), [](const OwnMaterial& a, const OwnMaterial& b) { return a.name < b.name; });
  return write();
}

Status OwnMaterials::remove(const QString& name) {
  std::erase_if(all_, [&](const OwnMaterial& own) { return own.name == name; });
  return write();
}

}  // namespace hazumi
