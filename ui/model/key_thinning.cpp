#include "ui/model/key_thinning.h"

#include <memory>
#include <utility>

#include <QCoreApplication>

#include "core/scene/derived/thin_keys.h"
#include "core/scene/values/field_rows.h"
#include "ui/model/document_controller.h"
#include "ui/model/key_commands.h"
#include "ui/model/last_operation.h"
#include "ui/model/operation.h"
#include "ui/model/sentence.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

using namespace rows;

struct Thinning {
  double part = 1;  ///< %
};

std::span<const Field<Thinning>> thinning_fields() {
  using Owner = Thinning;
  // clang-format off
  static const std::vector<Field<Thinning>> table = {
      ROW(part, "Tolerance", "", "%", (Range{1e-3, 100, false, 0}), look, always,
          "How far the curve may be from the one that all keys made, of what their values span: more leaves fewer keys."),
  };
  // clang-format on
  return table;
}

QString said(const char* text) { return QCoreApplication::translate("Thinning", text); }

Operation::Made thin(const Scene& before, const KeyTimes& keys, const Thinning& now) {
  Operation::Made made{before, nullptr, {}, {}};
  std::size_t gone = 0, all = 0;
  for (auto& track : made.scene.tracks) {
    const auto chosen = keys.find(track->id);
    if (chosen == keys.end()) continue;
    all += chosen->second.size();
    ThinnedTrack thinner =
        thinned(*track, type_of(before, *track), chosen->second, {now.part / 100, 1 / before.settings.frame_rate});
    if (thinner.gone == 0) continue;
    gone += thinner.gone;
    track = Shared<Track>(std::move(thinner.track));
  }
  if (gone == 0)
    made.problem = said("Within %1 % none of these keys can go: all stand where the curve turns.").arg(now.part);
  made.note = said("%L1 keys of %L2 are left").arg(all - gone).arg(all);
  return made;
}

}  // namespace

QString no_dense_keys(const UiContext& context) {
  if (QString none = no_keys(context); !none.isEmpty()) return none;
  for (const auto& [id, times] : context.keys.keys()) {
    const Track* track = find_track(context.document.scene(), id);
    int in_a_row = 0;
    for (std::size_t i = 0; track && i < track->keys.size(); ++i) {
      in_a_row = context.keys.contains({id, track->keys[i].time}) ? in_a_row + 1 : 0;
      if (in_a_row == 3) return {};
    }
  }
  return said("Select three keys in a row first.");
}

void thin_keys(UiContext& context) {
  auto operation = std::make_unique<OperationOf<Thinning>>(
      rows_of(thinning_fields()), Thinning{},
      [keys = context.keys.keys()](const Scene& before, const Thinning& now) { return thin(before, keys, now); });
  const Status done = context.document.last_operation().begin(said("Thin Out %1").arg(keys_text(context.keys.count())),
                                                              std::move(operation));
  if (!done.ok()) emit context.document.refused(sentence_of(done.error()));
}

}  // namespace hazumi
