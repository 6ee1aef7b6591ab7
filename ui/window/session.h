// One run of the program without its window: the open document with what is selected, the controllers and the jobs. Made by
// main before the window and by the tests, and ends after it: a widget may speak to every part of it until the widget's own
// end. Parts are made from top to bottom and end from bottom to top; the window, panels and commands get them as UiContext.
#pragma once

#include <QObject>

#include "ui/jobs/autosave.h"
#include "ui/jobs/cloth_job.h"
#include "ui/jobs/drop_job.h"
#include "ui/jobs/mesh_job.h"
#include "ui/jobs/metaball_job.h"
#include "ui/jobs/open_job.h"
#include "ui/jobs/save_job.h"
#include "ui/jobs/separation_job.h"
#include "ui/jobs/sound_job.h"
#include "ui/jobs/sound_player.h"
#include "ui/jobs/start_job.h"
#include "ui/model/context.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/key_selection.h"
#include "ui/model/keying.h"
#include "ui/model/live_pull.h"
#include "ui/model/motion_selection.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/settings.h"
#include "ui/model/surface_changes.h"
#include "ui/model/time_window.h"
#include "ui/modes/element_selection.h"
#include "ui/widgets/actions.h"

namespace hazumi {

/// Threads for the simulation: one is left for the interface.
int simulation_threads();

class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(int threads = simulation_threads());

  Settings settings;
  QString preferences_problem;  ///< what of the stored ones made no sense
  PresentPreferences preferences{settings.preferences(&preferences_problem)};
  DocumentController document;
  Selection selection;
  Isolation isolation{document};
  KeySelection keys{document};
  TimeWindow time{document};
  ElementSelection elements{document, selection};
  PlaybackController playback;
  Keying keying{document, playback};
  DiagnosticsModel diagnostics{document, playback};
  ActionSet actions;
  MeshJob mesh_job{document};
  MetaballJob metaballs{document};
  SeparationJob separation{document, playback};
  ClothJob cloth_job{document};
  StartJob start_job{document, playback};
  DropJob drop_job{document};
  Autosave autosave;
  OpenJob open_job;
  SaveJob save_job;
  SoundJob sounds{document, diagnostics};
  LivePull live_pull{document, playback, selection};
  MotionSelection boxes{document, nullptr};
  SurfaceChanges surfaces{document, playback};
  SoundPlayer sound_player{document, playback, sounds};
  UiContext context{document, selection, elements, playback, actions,   diagnostics, metaballs, isolation,
                    keying,   keys,      time,     sounds,   live_pull, boxes,       surfaces};

 private:
  QObject ears_;  ///< hears for the session what its parts say; last: deaf before the first of them ends
};

}  // namespace hazumi
