// Grid, lines, points and the selection outline. Their colours are what is seen: no light, no encoding.
#include "render/gl/shaders.h"

namespace hazumi::gl::shaders {

const char* const kGridVertex = R"(#version 330 core
uniform mat4 view_projection;
uniform vec3 origin, across, along;   // of the grid's plane
uniform vec2 centre;
uniform float radius;
uniform bool behind;   // everything else
out vec2 at;
void main() {
  at = centre + radius * (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0);
  gl_Position = view_projection * vec4(origin + at.x * across + at.y * along, 1.0);
  if (behind) gl_Position.z = gl_Position.w;
}
)";

// Lines at powers of ten. How strong a set is follows from how far apart its lines are on screen (the closer of the two
// directions), so that fine sets appear and coarse ones gain weight when one comes near, at any size of scene, and nothing
// flickers far away. Three sets suffice at any place: what is finer than the finest does not show yet, and what is coarser than the
// coarsest shows no more. The grey lies between the background and most floors, so that it shows on both.
//
// A parallel view from the side has the ground as a line, with the dark of the earth below it, and the grid stands upright.
const char* const kGridFragment = R"(#version 330 core
in vec2 at;
uniform vec2 centre;
uniform float fade;         // m; where the grid ends
uniform float pixel_ratio;
uniform bool upright, upright_lines;   // seen from the side; along an axis
uniform vec3 across_colour, along_colour;   // of the axes
out vec4 colour;

const float kPowers[19] = float[19](1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6,
                                    1e7, 1e8, 1e9);

float strength(float spacing, vec2 metres_per_pixel) {
  vec2 away = abs(fract(at / spacing - 0.5) - 0.5) * spacing / metres_per_pixel;   // pixels to the nearest line
  float apart = spacing / (max(metres_per_pixel.x, metres_per_pixel.y) * pixel_ratio);
  float weight = 0.42 * smoothstep(5.0, 22.0, apart) + 0.43 * smoothstep(70.0, 260.0, apart);
  vec2 line = clamp(0.5 + 0.5 * pixel_ratio - away, 0.0, 1.0);
  if (upright && !upright_lines) line.x = 0.0;
  return weight * max(line.x, line.y);
}

void main() {
  vec2 mpp = max(fwidth(at), vec2(1e-12));
  float finest = log2(5.0 * pixel_ratio * max(mpp.x, mpp.y)) * 0.30103;
  int k = clamp(int(ceil(finest)) + 9, 0, 16);
  float s = max(max(strength(kPowers[k], mpp), strength(kPowers[k + 1], mpp)), strength(kPowers[k + 2], mpp));
  vec4 c = vec4(vec3(0.33, 0.335, 0.35), s);
  if (upright && at.y < 0.0) c = vec4(c.rgb * s / max(s + 0.16 * (1.0 - s), 1e-4), s + 0.16 * (1.0 - s));
  vec2 axis = clamp(0.5 + (upright ? vec2(0.8, 1.3) : vec2(0.8)) * pixel_ratio - abs(at) / mpp, 0.0, 1.0);
  if (upright && !upright_lines) axis.x = 0.0;
  c = mix(c, vec4(along_colour, 0.85), axis.x);
  c = mix(c, vec4(across_colour, upright ? 1.0 : 0.85), axis.y);
  c.a *= 1.0 - smoothstep(0.15, 1.0, length(at - centre) / fade);
  if (c.a < 0.004) discard;
  colour = c;
}
)";

// A segment becomes a quad of width + 1 pixels whose edge fades over one pixel. Positions are moved a little towards
// the eye in depth only, so that lines on a surface are not eaten by it.
const char* const kLineVertex = R"(#version 330 core
layout(location = 0) in vec3 a;
layout(location = 1) in vec4 a_colour;
layout(location = 2) in vec3 b;
layout(location = 3) in vec4 b_colour;
uniform mat4 view_projection;
uniform vec3 eye;
uniform vec2 viewport;      // pixels
uniform float half_width;   // pixels
uniform bool cut;           // at the planes of the view
uniform float front;        // m before the eye, from where on lines are drawn; less than 0 in a parallel view
noperspective out float side;
out vec4 tint;
void main() {
  vec4 p = view_projection * vec4(a, 1.0), q = view_projection * vec4(b, 1.0);
  vec4 pz = view_projection * vec4(mix(a, eye, 0.002), 1.0), qz = view_projection * vec4(mix(b, eye, 0.002), 1.0);
  // To the near plane, or to the eye where lines go on before it.
  float pn = cut ? p.z + p.w : p.w - front, qn = cut ? q.z + q.w : q.w - front;
  float p_share = 0.0, q_share = 1.0;
  if (pn < 0.0 && qn > 0.0) p_share = 0.001 + pn / (pn - qn);
  if (qn < 0.0 && pn > 0.0) q_share = pn / (pn - qn) - 0.001;
  vec4 from = mix(p, q, p_share), to = mix(p, q, q_share);
  bool second = (gl_VertexID & 1) == 1;
  float share = second ? q_share : p_share;
  vec2 s = from.xy / from.w * viewport * 0.5, e = to.xy / to.w * viewport * 0.5;
  vec2 along = e - s;
  along = dot(along, along) > 1e-12 ? normalize(along) : vec2(1.0, 0.0);
  float reach = half_width + 0.75;
  side = (gl_VertexID & 2) == 2 ? reach : -reach;
  vec4 here = second ? to : from;
  vec2 offset = vec2(-along.y, along.x) * side + along * (second ? 0.4 : -0.4) * half_width;
  here.xy += offset / (viewport * 0.5) * here.w;
  vec4 lifted = mix(pz, qz, share);
  if (lifted.w > 0.0 && here.w > 0.0) here.z = max(lifted.z / lifted.w, -1.0) * here.w;
  if (pn < 0.0 && qn < 0.0) here = vec4(2.0, 2.0, 2.0, 1.0);
  tint = mix(a_colour, b_colour, share);
  gl_Position = here;
}
)";

const char* const kLineFragment = R"(#version 330 core
noperspective in float side;
in vec4 tint;
uniform float half_width;
out vec4 colour;
void main() {
  float a = clamp(half_width + 0.5 - abs(side), 0.0, 1.0) * min(2.0 * half_width, 1.0);
  if (a < 0.004) discard;
  colour = vec4(tint.rgb, tint.a * a);
}
)";

const char* const kPointVertex = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 point_colour;
layout(location = 2) in float size;
uniform mat4 view_projection;
uniform vec3 eye;
uniform vec2 viewport;
uniform float pixel_ratio;
noperspective out vec2 from_centre;   // pixels
flat out float radius;
flat out vec4 tint;
void main() {
  vec4 p = view_projection * vec4(position, 1.0);
  vec4 lifted = view_projection * vec4(mix(position, eye, 0.003), 1.0);
  if (lifted.w > 0.0 && p.w > 0.0) p.z = max(lifted.z / lifted.w, -1.0) * p.w;
  radius = 0.5 * size * pixel_ratio;
  from_centre = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * (radius + 1.0);
  p.xy += from_centre / (viewport * 0.5) * p.w;
  tint = point_colour;
  gl_Position = p;
}
)";

// Round, with a darker rim that sets it off from what lies behind.
const char* const kPointFragment = R"(#version 330 core
noperspective in vec2 from_centre;
flat in float radius;
flat in vec4 tint;
out vec4 colour;
void main() {
  float r = length(from_centre);
  float a = clamp(radius + 0.5 - r, 0.0, 1.0);
  if (a < 0.004) discard;
  float rim = clamp(r - 0.72 * radius, 0.0, 1.0);
  colour = vec4(tint.rgb * (1.0 - 0.55 * rim), tint.a * a);
}
)";

const char* const kScreenVertex = R"(#version 330 core
void main() { gl_Position = vec4(vec2((gl_VertexID << 1) & 2, gl_VertexID & 2) * 2.0 - 1.0, 0.0, 1.0); }
)";

const char* const kBackdropVertex = R"(#version 330 core
uniform vec4 place;   // left, bottom, right, top
out vec2 at;
void main() {
  at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(mix(place.xy, place.zw, at), 0.0, 1.0);
}
)";

const char* const kBackdropFragment = R"(#version 330 core
in vec2 at;
uniform sampler2D picture;
uniform float opacity;
out vec4 colour;
void main() { colour = vec4(texture(picture, at).rgb, opacity); }
)";

// Mask: red where something selected covers the pixel, alpha where the active object does. The mean of the mask over a
// disc falls from a half on its edge to nothing one radius outside: between two of these values lies the outline, and
// both its borders are soft although the mask is not. Blue is the part of the mask that nothing lies in front of; where there is
// little of it around, the outline is faint. Around all that is selected there is one outline: lines of what lies behind do not go
// through what lies before it. Only the active object has one within the others too, along what is seen
// of it (green).
const char* const kOutlineFragment = R"(#version 330 core
uniform sampler2D mask;
uniform vec2 texel;
uniform float reach;   // pixels
uniform float hidden;  // opacity of what is hidden
uniform vec4 selected_colour, active_colour;
out vec4 colour;
void main() {
  vec2 at = gl_FragCoord.xy * texel;
  vec4 sum = 2.0 * textureLod(mask, at, 0.0);
  for (int i = 0; i < 12; ++i) {
    float angle = 0.5235988 * float(i) + 0.2;
    vec2 d = vec2(cos(angle), sin(angle)) * texel;
    sum += textureLod(mask, at + d * reach, 0.0) + textureLod(mask, at + d * reach * 0.55, 0.0);
  }
  vec3 mean = sum.rga / 26.0;
  vec3 edge = smoothstep(0.02, 0.16, mean) * (1.0 - smoothstep(0.50, 0.78, mean));
  float within = edge.g * smoothstep(0.90, 0.98, sum.b / 26.0);
  float strength = max(edge.r, within);
  if (strength < 0.004) discard;
  float seen = smoothstep(0.15, 0.6, sum.b / max(sum.r, 1e-3));
  colour = vec4(mix(selected_colour.rgb, active_colour.rgb, min(max(edge.b, within) / strength, 1.0)), strength * mix(hidden, 1.0, seen));
}
)";

}  // namespace hazumi::gl::shaders
