// Lit surfaces. Colours of materials are what a colour dialog shows; they arrive here already decoded to linear light,
// light is added up linearly, and the sum is encoded again (exponent 1/2.2) after a soft shoulder that keeps
// highlights from clipping. Per light the classic table's model (Blinn 1977):
//   I = L s (kd max(n·l,0) + ks max(n·h,0)^shininess),  s: share of the light that is not in shadow
// plus ambient light that is brighter from above than from below (hemisphere), and for shiny surfaces a faint mirror
// image of a studio that is bright overhead.
#include "render/gl/shaders.h"

namespace hazumi::gl::shaders {

const char* const kMeshVertex = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat4 model, view_projection;
uniform mat3 normal_matrix;
out vec3 world, world_normal;
void main() {
  vec4 p = model * vec4(position, 1.0);
  world = p.xyz;
  world_normal = normal_matrix * normal;
  gl_Position = view_projection * p;
}
)";

const char* const kMeshFragment = R"(#version 330 core
const int kLights = 8;
in vec3 world, world_normal;
uniform vec3 eye;
uniform vec3 ambient_light;
uniform vec3 ambient, diffuse, specular;
uniform float shininess, opacity;
uniform int light_count;
uniform vec4 light_position[kLights];   // w = 0: direction towards the light
uniform vec3 light_colour[kLights];
uniform int shadow_light;               // -1: none
uniform mat4 shadow_matrix;             // world to (0,1)^3
uniform float shadow_spread;            // distance of filter taps, texture coordinates
uniform float shadow_offset;            // m along the normal, against self-shadowing
uniform sampler2DShadow shadow_map;
out vec4 colour;

float tap(vec3 at, vec2 offset) { return textureLod(shadow_map, vec3(at.xy + offset * shadow_spread, at.z), 0.0); }

// Percentage closer filter (Reeves, Salesin, Cook 1987): five taps decide whether the point lies in a penumbra at
// all; only there sixteen are taken.
float lit_share(vec3 n) {
  vec4 q = shadow_matrix * vec4(world + n * shadow_offset, 1.0);
  if (q.w <= 0.0) return 1.0;
  vec3 at = q.xyz / q.w;
  if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0))) || at.z < 0.0) return 1.0;
  at.z = min(at.z, 0.9999);   // beyond the map: what lies in it casts its shadow all the same
  float s = tap(at, vec2(-1.5, -1.5)) + tap(at, vec2(1.5, -1.5)) + tap(at, vec2(-1.5, 1.5)) + tap(at, vec2(1.5, 1.5));
  float centre = tap(at, vec2(0.0));
  if (s + centre < 0.001) return 0.0;
  if (s + centre > 4.999) return 1.0;
  s += tap(at, vec2(-0.5, -1.5)) + tap(at, vec2(0.5, -1.5)) + tap(at, vec2(-0.5, 1.5)) + tap(at, vec2(0.5, 1.5));
  s += tap(at, vec2(-1.5, -0.5)) + tap(at, vec2(-1.5, 0.5)) + tap(at, vec2(1.5, -0.5)) + tap(at, vec2(1.5, 0.5));
  s += tap(at, vec2(-0.5, -0.5)) + tap(at, vec2(0.5, -0.5)) + tap(at, vec2(-0.5, 0.5)) + tap(at, vec2(0.5, 0.5));
  return s / 16.0;
}

void main() {
  vec3 n = world_normal;
  n = dot(n, n) > 0.0 ? normalize(n) : vec3(0.0, 1.0, 0.0);
  if (!gl_FrontFacing) n = -n;
  vec3 v = normalize(eye - world);
  vec3 light = ambient_light * (ambient + diffuse * mix(0.35, 1.0, 0.5 + 0.5 * n.y));
  vec3 shine = vec3(0.0);
  for (int i = 0; i < light_count; ++i) {
    vec3 l = light_position[i].w == 0.0 ? light_position[i].xyz : normalize(light_position[i].xyz - world);
    float facing = dot(n, l);
    if (facing <= 0.0) continue;
    float share = i == shadow_light ? lit_share(n) : 1.0;
    vec3 h = normalize(l + v);
    light += share * light_colour[i] * diffuse * facing;
    shine += share * light_colour[i] * pow(max(dot(n, h), 1e-4), shininess) * min(facing * 8.0, 1.0);
  }
  float grazing = 1.0 - clamp(dot(n, v), 0.0, 1.0);
  float above = reflect(-v, n).y;
  float studio = 0.12 + 0.9 * smoothstep(-0.1, 0.85, above);
  float polish = clamp(shininess / 64.0, 0.1, 1.0);
  shine += ambient_light * polish * studio * (1.2 + 2.0 * grazing * grazing * grazing);
  vec3 c = light + specular * shine;
  vec3 over = max(c - 0.75, 0.0);
  c = min(c, vec3(0.75)) + 0.25 * over / (over + 0.25);   // shoulder: 1 is reached at infinity, slope 1 at 0.75
  float a = opacity < 1.0 ? clamp(opacity + dot(specular * shine, vec3(0.3)), 0.0, 1.0) : 1.0;
  colour = vec4(pow(c, vec3(1.0 / 2.2)), a);
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

const char* const kDepthFragment = R"(#version 330 core
void main() {}
)";

}  // namespace hazumi::gl::shaders
