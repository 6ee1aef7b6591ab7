// What commands, panels, editors and tools are given: references into the session (ui/window/session.h), never singletons.
// Only names stand here; who uses a part includes its header.
#pragma once

namespace hazumi {

class ActionSet;
class DiagnosticsModel;
class DocumentController;
class ElementSelection;
class Isolation;
class Keying;
class KeySelection;
class MetaballJob;
class MotionSelection;
class LivePull;
class PlaybackController;
class Selection;
class SoundJob;
class SurfaceChanges;
class TimeWindow;

struct UiContext {
  DocumentController& document;
  Selection& selection;
  ElementSelection& elements;  ///< edit mode and selected elements
  PlaybackController& playback;
  ActionSet& actions;
  DiagnosticsModel& diagnostics;  ///< the list of problems
  MetaballJob& metaballs;
  Isolation& isolation;      ///< which objects the view shows alone
  Keying& keying;            ///< the scene at the frame that is shown, and keys set there
  KeySelection& keys;        ///< selected keys and tracks
  TimeWindow& time;          ///< which frames the editors of time show
  SoundJob& sounds;          ///< decoded sounds and their waveforms
  LivePull& pull;            ///< what the mouse has hold of while it runs
  MotionSelection& boxes;    ///< selected boxes of motion graphs
  SurfaceChanges& surfaces;  ///< where surfaces merge and part
};

}  // namespace hazumi
