// New bodies, metaballs, curves and lights.
#include "ui/model/commands.h"
#include "ui/model/context.h"
#include "ui/model/curve_commands.h"
#include "ui/modes/curve_tools.h"
#include "ui/modes/metaball_commands.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/window/commands/tables.h"

namespace hazumi {

namespace {

template <PrimitiveShape shape>
void add_shape(UiContext& c) {
  add_primitive(c.document, c.selection, shape);
}

template <Id (*add)(DocumentController&, Selection&)>
void add_by(UiContext& c) {
  add(c.document, c.selection);
}

template <MetaballKind kind>
void add_metaball(UiContext& c) {
  add_metaballs(c, MetaballStart::primitive, kind);
}

template <CurveStart start>
void add_curve_of(UiContext& c) {
  add_curve(c.document, c.selection, start);
}

template <CurveKind kind>
void draw_curve(Viewport& v) {
  if (begin_curve(v.context(), kind)) v.set_mode_tool(QStringLiteral("curve.draw"));
}

}  // namespace

const CommandTable& commands_add() {
  static const Command rows[] = {
      {"add.menu", "Add &Menu", "", "Shift+A", "Add", "The Add menu at the mouse.",
       [](Viewport& v) { v.show_add_menu(); }},
      {"add.box", "&Box", "box", "", "Add", "Add a rigid box above the floor.", &add_shape<PrimitiveShape::box>,
       nullptr, nullptr, true},
      {"add.sphere", "&Sphere", "sphere", "", "Add", "Add a rigid sphere above the floor.",
       &add_shape<PrimitiveShape::sphere>},
      {"add.cylinder", "&Cylinder", "cylinder", "", "Add", "Add a rigid cylinder above the floor.",
       &add_shape<PrimitiveShape::cylinder>},
      {"add.cone", "C&one", "cone", "", "Add", "Add a rigid cone above the floor.", &add_shape<PrimitiveShape::cone>},
      {"add.torus", "&Torus", "torus", "", "Add", "Add a rigid torus above the floor.",
       &add_shape<PrimitiveShape::torus>},
      {"add.rounded_box", "&Rounded Box", "rounded_box", "", "Add",
       "Add a rigid box with rounded edges above the floor.", &add_shape<PrimitiveShape::rounded_box>},
      {"add.capsule", "C&apsule", "capsule", "", "Add", "Add a rigid capsule above the floor.",
       &add_shape<PrimitiveShape::capsule>},
      {"add.tube", "T&ube", "tube", "", "Add", "Add a rigid tube above the floor.", &add_shape<PrimitiveShape::tube>},
      {"add.wedge", "&Wedge", "wedge", "", "Add", "Add a rigid wedge above the floor.",
       &add_shape<PrimitiveShape::wedge>},
      {"add.plane", "&Plane", "plane", "", "Add", "Add a fixed plane; it collides as an infinite floor.",
       &add_shape<PrimitiveShape::plane>},
      {"add.cloth", "C&loth", "cloth", "", "Add", "Add a cloth above the floor: it folds, drapes and meets itself.",
       &add_by<&add_cloth>, nullptr, nullptr, true},
      {"add.rope", "&Rope", "rope", "", "Add",
       "Add a rope on a hook, or from one of two selected objects to the other.", &add_by<&add_rope>},
      {"add.balloon", "Balloo&n", "sphere", "", "Add",
       "Add a balloon above the floor: a skin that keeps its volume, which may be keyed.", &add_by<&add_balloon>},
      {"add.metaball_ball", "&Ball", "sphere", "", "Add/Metaballs",
       "Add a metaball; several of one group blend into each other.", &add_metaball<MetaballKind::ball>},
      {"add.metaball_ellipsoid", "&Ellipsoid", "ellipsoid", "", "Add/Metaballs", "Add a long metaball.",
       &add_metaball<MetaballKind::ellipsoid>},
      {"add.metaball_box", "Bo&x", "box", "", "Add/Metaballs", "Add a metaball with flat sides and round edges.",
       &add_metaball<MetaballKind::box>},
      {"add.metaball_cylinder", "&Cylinder", "cylinder", "", "Add/Metaballs",
       "Add a metaball that is round about its axis and flat at its ends.", &add_metaball<MetaballKind::cylinder>},
      {"add.metaball_octahedron", "&Octahedron", "octahedron", "", "Add/Metaballs", "Add a metaball with eight faces.",
       &add_metaball<MetaballKind::octahedron>},
      {"add.metaball_pinched", "&Pinched", "pinched", "", "Add/Metaballs",
       "Add a metaball that is drawn in between its points.", &add_metaball<MetaballKind::pinched>},
      {"add.metaball_torus", "&Torus", "torus", "", "Add/Metaballs", "Add a ring that blends like the other metaballs.",
       &add_metaball<MetaballKind::torus>},
      {"add.metaball_figure", "&Figure", "figure", "", "Add/Metaballs",
       "Add a figure with head, body and limbs to begin with.",
       [](UiContext& c) { add_metaballs(c, MetaballStart::figure); }, nullptr, nullptr, true},
      {"add.metaball_animal", "&Animal", "animal", "", "Add/Metaballs", "Add an animal on four legs to begin with.",
       [](UiContext& c) { add_metaballs(c, MetaballStart::animal); }},
      {"add.superellipsoid", "Super&ellipsoid", "superellipsoid", "", "Add/Superquadric",
       "Add an ellipsoid with two exponents: boxy, round, octahedral or pinched.",
       &add_shape<PrimitiveShape::superellipsoid>},
      {"add.supertorus", "Super&torus", "supertorus", "", "Add/Superquadric",
       "Add a torus with two exponents, of its tube and of its ring.", &add_shape<PrimitiveShape::supertorus>},
      {"add.hyperboloid_one", "&One-Sheet Hyperboloid", "hyperboloid_one", "", "Add/Superquadric",
       "Add a body with a waist, closed above and below.", &add_shape<PrimitiveShape::hyperboloid_one>},
      {"add.hyperboloid_two", "T&wo-Sheet Hyperboloid", "hyperboloid_two", "", "Add/Superquadric",
       "Add two bowls, tip to tip, closed above and below.", &add_shape<PrimitiveShape::hyperboloid_two>},
      {"add.curve_line", "&Line", "curve_line", "", "Add/Curve", "Add a straight way; more points are added inside it.",
       &add_curve_of<CurveStart::line>},
      {"add.curve_arc", "&Arc", "curve_arc", "", "Add/Curve", "Add a part of a circle, through three points.",
       &add_curve_of<CurveStart::arc>},
      {"add.curve_circle", "&Circle", "curve_circle", "", "Add/Curve", "Add a whole circle.",
       &add_curve_of<CurveStart::circle>},
      {"add.curve_spline", "&Spline", "curve", "", "Add/Curve", "Add a smooth way through four points.",
       &add_curve_of<CurveStart::spline>},
      {"add.draw_line", "&Draw a Line", "", "", "Add/Curve",
       "Click by click from point to point, on the floor or on what is under the mouse.", &draw_curve<CurveKind::line>},
      {"add.draw_arc", "Dra&w an Arc", "", "", "Add/Curve", "Three clicks: where it begins, a point on it, its end.",
       &draw_curve<CurveKind::arc>},
      {"add.draw_spline", "D&raw a Spline", "", "", "Add/Curve",
       "Click by click, smooth; a drag pulls the tangents of the new point.", &draw_curve<CurveKind::spline>},
      {"add.light_directional", "&Sun", "sun", "", "Add/Light", "Add a light whose rays are parallel.",
       [](UiContext& c) { add_light(c.document, c.selection, LightKind::directional); }},
      {"add.light_point", "&Point Light", "bulb", "", "Add/Light",
       "Add a light that shines from one place to all sides.",
       [](UiContext& c) { add_light(c.document, c.selection, LightKind::point); }},
  };
  static const CommandTable table{3, rows};
  return table;
}

}  // namespace hazumi
