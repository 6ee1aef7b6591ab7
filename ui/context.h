// What panels, editors and tools are given: references, never singletons.
#pragma once

namespace hazumi {

class DocumentController;
class Selection;
class PlaybackController;
class ActionSet;
class Viewport;

struct UiContext {
  DocumentController& document;
  Selection& selection;
  PlaybackController& playback;
  ActionSet& actions;
};

}  // namespace hazumi
