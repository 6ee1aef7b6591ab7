// What panels, editors and tools are given: references, never singletons.
#pragma once

namespace hazumi {

class DocumentController;
class Selection;
class PlaybackController;
class ActionSet;
class Viewport;
class DiagnosticsModel;
class ElementSelection;

struct UiContext {
  DocumentController& document;
  Selection& selection;
  PlaybackController& playback;
  ActionSet& actions;
  /// The list of problems (ui/model/diagnostics_model.h), made by the main window. Null (small tests): the diagnostics panel
  /// makes one of its own.
  DiagnosticsModel* diagnostics = nullptr;
  /// Edit mode and selected elements (ui/modes), made by the main window. Null (small tests): the viewport makes its own.
  ElementSelection* elements = nullptr;
};

}  // namespace hazumi
