// Lit surfaces. Colours of materials are what a colour dialog shows; they arrive here already decoded to linear light,
// light is added up linearly, and the sum is encoded again (square root: display gamma
// taken as 2, a third of the cost of 2.2 on a processor) after a soft shoulder that keeps
// highlights from clipping. Per light the classic table's model (Blinn 1977):
//   I = L s (kd max(n·l,0) + ks max(n·h,0)^shininess),  s: share of the light that is not in shadow
// plus ambient light of a sky from above and of the ground from below (hemisphere), and for shiny surfaces a faint mirror
// image of a studio that is bright overhead. In place of the shoulder a film's curve can stand: the rational fit of the Academy's
// by Narkowicz (2015), with light times kFilmExposure (lit.cpp), so that white stays where it is.
#include "render/gl/shaders.h"

namespace hazumi::gl::shaders {

const char* const kMeshVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat4 model, view_projection;
uniform mat3 normal_matrix;
out vec3 world, world_normal;
#ifdef FADE
uniform vec2 half_floor;   // m
out vec2 floor_place;      // 1 at the nearest edge
#endif
#ifdef TEXTURE
layout(location = 2) in vec2 texture_place;
out vec2 place;
#endif
#ifdef LOOKS
layout(location = 3) in vec3 own_ambient;
layout(location = 4) in vec3 own_diffuse;
layout(location = 5) in vec3 own_specular;
layout(location = 6) in float own_shininess;
out vec3 ambient, diffuse, specular;
out float shininess;
uniform vec4 tint;  // a colour, and its share
#endif
void main() {
#ifdef FADE
  floor_place = position.xz / half_floor;
#endif
#ifdef TEXTURE
  place = texture_place;
#endif
#ifdef LOOKS
  // Colours blend as they are seen in a colour dialog until here, as light from here on.
  vec3 tinted_ambient = mix(own_ambient, tint.rgb, tint.a), tinted_diffuse = mix(own_diffuse, tint.rgb, tint.a);
  ambient = tinted_ambient * max(tinted_ambient, 0.0);
  diffuse = tinted_diffuse * max(tinted_diffuse, 0.0);
  specular = own_specular * max(own_specular, 0.0);
  shininess = max(own_shininess, 0.5);
#endif
  vec4 p = model * vec4(position, 1.0);
  world = p.xyz;
  world_normal = normal_matrix * normal;
  gl_Position = view_projection * p;
}
)";

// Mesa's software renderer runs both sides of every `if` and throws one away; only loops really end early. So: programs
// with and without shadow and shine instead of switches, and the costly filter is a loop that mostly runs zero times.
// Percentage closer filter (Reeves, Salesin, Cook 1987): nine unfiltered taps decide whether the point lies in a
// penumbra at all; only there thirty-six filtered ones are taken.
const char* const kMeshFragment = R"(
const int kLights = 8;
in vec3 world, world_normal;
uniform vec3 eye;
uniform vec3 ambient_light, ground_light;   // on what faces up, and down
#ifdef FADE
in vec2 floor_place;
#endif
#ifdef LOOKS
in vec3 ambient, diffuse, specular;
in float shininess;
#else
uniform vec3 ambient, diffuse, specular;
uniform float shininess;
#endif
#ifdef TEXTURE
in vec2 place;
uniform sampler2D picture;
#endif
uniform float opacity;
uniform int light_count;
uniform vec4 light_position[kLights];   // w = 0: direction towards the light
uniform vec3 light_colour[kLights];
uniform int shadow_light;
uniform mat4 shadow_matrix;             // world to (0,1)^3
uniform float shadow_spread;            // distance of filter taps, texture coordinates
uniform float shadow_offset;            // m: reach of the filter at the receiver, against self-shadowing
uniform sampler2DShadow shadow_map, shadow_probe;   // the same depths, filtered and not
out vec4 colour;

#ifdef SOFT
// Shadow of a light that is seen under an angle (percentage closer soft shadows, Fernando 2005): what lies before the light is
// looked for, denser near the middle, and its mean distance says how wide the filter is. The taps lie in the receiver's plane, on a
// spiral that is turned from pixel to pixel.
uniform sampler2D shadow_depths;    // as they are
uniform mat4 shadow_dual;           // planes of the world to those of (0,1)^3
uniform vec4 shadow_range;          // near plane, far plane, 1 where the light is a point, distance of the first caster; m
uniform float shadow_size;          // radius of a penumbra, texture coordinates: this (z − zb), for points / (z zb)
uniform float shadow_turn;          // rad
const mat2 kGolden = mat2(-0.73736888, -0.67549029, 0.67549029, -0.73736888);

float depth_of(float d) {
  return mix(mix(shadow_range.x, shadow_range.y, d),
             shadow_range.x * shadow_range.y / max(shadow_range.y - d * (shadow_range.y - shadow_range.x), 1e-6), shadow_range.z);
}
float penumbra(float z, float before) { return shadow_size * max(z - before, 0.0) / mix(1.0, z * before, shadow_range.z); }

float lit_share(vec3 n) {
  vec3 l = normalize(light_position[shadow_light].xyz - light_position[shadow_light].w * world);
  float facing = clamp(dot(n, l), 0.0, 1.0);
  vec3 lifted = world + n * (shadow_offset * (0.25 + 0.75 * sqrt(1.0 - facing * facing)));
  vec4 q = shadow_matrix * vec4(lifted, 1.0);
  vec3 at = q.xyz / q.w;
  bool covered = q.w > 0.0 && at.z >= 0.0 && all(lessThan(abs(at.xy - 0.5), vec2(0.5)));
  at.z = min(at.z, 0.9999);
  vec3 flat_normal = cross(dFdx(world), dFdy(world));   // of the face: what is in its plane does not shade it
  vec4 plane = shadow_dual * vec4(flat_normal, -dot(flat_normal, lifted));
  vec2 slope = clamp(-plane.xy / (abs(plane.z) > 1e-6 * length(plane.xy) ? plane.z : 1.0), -8.0, 8.0);
  float z = depth_of(at.z), search = clamp(penumbra(z, min(shadow_range.w, z)), 2.5 * shadow_spread, 0.06);
  float turn = shadow_turn + 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  vec2 way = vec2(cos(turn), sin(turn));
  float hits = 0.0, before = 0.0, step_number = 0.5;
  int looks = covered ? SEARCH : 0;
  for (int i = 0; i < looks; ++i) {
    vec2 offset = way * (search * step_number / float(SEARCH));
    float d = textureLod(shadow_depths, at.xy + offset, 0.0).r;
    float hit = step(d, at.z + dot(slope, offset));
    hits += hit;
    before += hit * depth_of(d);
    way = kGolden * way;
    step_number += 1.0;
  }
  int taps = hits > 0.5 && hits < float(SEARCH) - 0.5 ? TAPS : 0;
  float radius = clamp(penumbra(z, before / max(hits, 1.0)), 1.2 * shadow_spread, search);
  float sum = 0.0;
  step_number = 0.5;
  for (int i = 0; i < taps; ++i) {
    vec2 offset = way * (radius * sqrt(step_number / float(TAPS)));
    sum += textureLod(shadow_map, vec3(at.xy + offset, at.z + dot(slope, offset)), 0.0);
    way = kGolden * way;
    step_number += 1.0;
  }
  return taps > 0 ? sum / float(TAPS) : hits > 0.5 ? 0.0 : 1.0;
}
#elif defined(SHADOW)
float probe(vec3 at, float x, float y) {
  return textureLod(shadow_probe, vec3(at.xy + vec2(x, y) * shadow_spread, at.z), 0.0);
}

float lit_share(vec3 n) {
  // The receiver is lifted along its normal, the more the flatter the light comes in.
  vec3 l = normalize(light_position[shadow_light].xyz - light_position[shadow_light].w * world);
  float facing = clamp(dot(n, l), 0.0, 1.0);
  vec4 q = shadow_matrix * vec4(world + n * (shadow_offset * (0.25 + sqrt(1.0 - facing * facing))), 1.0);
  vec3 at = q.xyz / q.w;
  bool covered = q.w > 0.0 && at.z >= 0.0 && all(lessThan(abs(at.xy - 0.5), vec2(0.5)));
  at.z = min(at.z, 0.9999);   // beyond the map: what lies in it casts its shadow all the same
  float s = probe(at, -2.5, -2.5) + probe(at, 0.0, -2.5) + probe(at, 2.5, -2.5) + probe(at, -2.5, 0.0) +
            probe(at, 0.0, 0.0) + probe(at, 2.5, 0.0) + probe(at, -2.5, 2.5) + probe(at, 0.0, 2.5) +
            probe(at, 2.5, 2.5);
  int taps = covered && s > 0.001 && s < 8.999 ? 36 : 0;
  float sum = 0.0, row = 0.0, column = 0.0;
  for (int i = 0; i < taps; ++i) {
    vec2 offset = vec2(column, row) - 2.5;
    sum += textureLod(shadow_map, vec3(at.xy + offset * shadow_spread, at.z), 0.0);
    column += 1.0;
    row += step(5.5, column);
    column *= 1.0 - step(5.5, column);
  }
  return !covered ? 1.0 : taps > 0 ? sum / 36.0 : s / 9.0;
}
#endif

void main() {
  vec3 n = world_normal;
  n *= inversesqrt(max(dot(n, n), 1e-20));
  n = gl_FrontFacing ? n : -n;
  vec3 v = normalize(eye - world);
  vec3 light = vec3(0.0), shine = vec3(0.0);
#ifdef SHADOW
  float lit = lit_share(n);
#endif
  for (int i = 0; i < light_count; ++i) {
    vec3 l = light_position[i].xyz - light_position[i].w * world;
    l *= inversesqrt(dot(l, l));
    float facing = max(dot(n, l), 0.0);
#ifdef SHADOW
    vec3 arriving = i == shadow_light ? light_colour[i] * lit : light_colour[i];
#else
    vec3 arriving = light_colour[i];
#endif
    light += arriving * facing;
#ifdef SHINY
    float glint = max(dot(n, normalize(l + v)), 1e-4);
    shine += arriving * (exp2(shininess * log2(glint)) * min(facing * 8.0, 1.0));
#endif
  }
  vec3 c = diffuse * light + ambient_light * ambient + diffuse * mix(ground_light, ambient_light, 0.5 + 0.5 * n.y);
#ifdef TEXTURE
  vec3 t = texture(picture, place).rgb;
  c *= t * t;
#endif
  float a = opacity;
#ifdef SHINY
  float facing_eye = clamp(dot(n, v), 0.0, 1.0), grazing = 1.0 - facing_eye;
  float above = 2.0 * dot(n, v) * n.y - v.y;   // height of the mirrored direction
  float studio = 0.12 + 0.9 * smoothstep(-0.1, 0.85, above);
  float polish = clamp(shininess / 64.0, 0.1, 1.0);
  shine += ambient_light * (polish * studio * (1.2 + 2.0 * grazing * grazing * grazing));
  shine *= specular;
  c += shine;
  a = opacity < 1.0 ? clamp(opacity + dot(shine, vec3(0.3)), 0.0, 1.0) : 1.0;
#endif
#ifdef FADE
  a *= 1.0 - smoothstep(0.25, 1.0, length(floor_place));
  if (a < 0.004) discard;
#endif
#ifdef FILMIC
  c = min(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 1.0);
#else
  vec3 over = max(c - 0.75, 0.0);
  c = min(c, vec3(0.75)) + 0.25 * over / (over + 0.25);   // shoulder: 1 is reached at infinity, slope 1 at 0.75
#endif
  colour = vec4(sqrt(c), a);
}
)";

const char* const kFlatFragment = R"(#version 330 core
uniform vec4 flat_colour;
out vec4 colour;
void main() { colour = flat_colour; }
)";

const char* const kDepthVertex = R"(#version 330 core
layout(location = 0) in vec3 position;
uniform mat4 model, view_projection;
void main() { gl_Position = view_projection * (model * vec4(position, 1.0)); }
)";

// Towards the eye by a share of the distance, so that lines win over the faces that they bound.
const char* const kEdgeVertex = R"(#version 330 core
layout(location = 0) in vec3 position;
uniform mat4 model, view_projection;
uniform vec3 eye;
void main() {
  vec4 p = model * vec4(position, 1.0);
  gl_Position = view_projection * vec4(mix(p.xyz, eye, 0.0015), 1.0);
}
)";

const char* const kDepthFragment = R"(#version 330 core
void main() {}
)";

}  // namespace hazumi::gl::shaders
