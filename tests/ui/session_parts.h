// A session without a window.
#pragma once

#include "ui/window/session.h"

namespace hazumi::test {

/// With its parts by their names.
struct SessionParts {
  Session session{1};
  DocumentController& document = session.document;
  Selection& selection = session.selection;
  ActionSet& actions = session.actions;
  PlaybackController& playback = session.playback;
  DiagnosticsModel& diagnostics = session.diagnostics;
  UiContext& context = session.context;
};

}  // namespace hazumi::test
