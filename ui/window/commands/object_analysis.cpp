// How an analysis model is made for the display model.
#include "ui/panels/truss_builder.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

const CommandTable& commands_object_analysis() {
  static const Command rows[] = {
      {"analysis.string", "&String by Hand", "string_spring", "", "Object/Analysis Model",
       "Turn the analysis model into nodes and springs that are edited one by one.",
       [](TrussBuilder& b) { b.string(); }, [](TrussBuilder& b) { return b.why_not_string(); }},
      {"analysis.fit", "Fit to &Display Model", "frame_selected", "", "Object/Analysis Model",
       "A truss as large as the box around the display model, in its place.", [](TrussBuilder& b) { b.fit(); },
       [](TrussBuilder& b) { return b.why_not_fit(); }},
      {"analysis.fit_axes", "Fit Along &Principal Axes", "fit_axes", "", "Object/Analysis Model",
       "A truss as long, wide and deep as the display model, turned the way that lies.",
       [](TrussBuilder& b) { b.fit_axes(); }, [](TrussBuilder& b) { return b.why_not_mesh(); }},
      {"analysis.decimate", "From Display &Mesh…", "shade_wire", "", "Object/Analysis Model",
       "Nodes at the simplified vertices of the display model, springs along its edges and through it.",
       [](TrussBuilder& b) { b.open(TrussSource::decimation); }, [](TrussBuilder& b) { return b.why_not_mesh(); }},
      {"analysis.fill", "&Fill with Tetrahedra…", "tetra", "", "Object/Analysis Model",
       "Fill the inside of the display model with tetrahedra; their edges become springs.",
       [](TrussBuilder& b) { b.open(TrussSource::tetrahedra); }, [](TrussBuilder& b) { return b.why_not_fill(); }},
      {"analysis.cells", "Fill with &Voronoi Cells…", "tetra", "", "Object/Analysis Model",
       "Divide the inside of the display model into polyhedra, each of which keeps its shape.",
       [](TrussBuilder& b) { b.open(TrussSource::voronoi); }, [](TrussBuilder& b) { return b.why_not_fill(); }},
      {"analysis.cloth", "&Cloth from Display Mesh…", "cloth", "", "Object/Analysis Model",
       "Make a cloth of the surface of the display model, open or closed: it folds, drapes and lies in folds.",
       [](TrussBuilder& b) { b.open(TrussSource::cloth); }, [](TrussBuilder& b) { return b.why_not_mesh(); }},
  };
  static const CommandTable table{4, rows};
  return table;
}

}  // namespace hazumi
