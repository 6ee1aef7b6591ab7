// Particles. A disc is shaded as the ball that it stands for; a puff as something that light goes through, thin at its rim and uneven. Light adds up
// as on lit surfaces (shaders_mesh.cpp), without shadows.
#include "render/gl/shaders.h"

namespace hazumi::gl::shaders {

const char* const kSpriteVertex = R"(#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 own_colour;
layout(location = 2) in vec3 along;    // half of what a streak shows of its way, m
layout(location = 3) in float radius;  // m
layout(location = 4) in float turn;    // rad
layout(location = 5) in float soft;
layout(location = 6) in float glow;
uniform mat4 view_projection;
uniform vec3 right, up, back, eye;
uniform int parallel;
out vec2 at;         // -1..1 over the rectangle
out vec2 turned;     // the same, turned
out vec3 world;
out vec4 tint;
flat out float softness, glowing;
flat out float slim; // length of a streak by its width
void main() {
  at = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  float c = cos(turn), s = sin(turn);
  turned = vec2(c * at.x - s * at.y, s * at.x + c * at.y) + 7.0 * turn;
  vec3 towards = parallel == 1 ? back : normalize(eye - position);
  vec3 way = along - dot(along, towards) * towards;
  float far = length(way);
  if (far > 1e-6) {
    vec3 side = radius * cross(way / far, towards);
    world = position + at.x * side + at.y * (far + radius) * (way / far);
  } else {
    world = position + radius * (at.x * right + at.y * up);
  }
  slim = (far + radius) / radius;
  tint = own_colour;
  softness = soft;
  glowing = glow;
  gl_Position = view_projection * vec4(world, 1.0);
}
)";

const char* const kSpriteFragment = R"(
const int kLights = 8;
in vec2 at, turned;
in vec3 world;
in vec4 tint;
flat in float softness, glowing, slim;
uniform vec3 right, up, back;
uniform vec3 ambient_light, ground_light;
uniform float exposure;
uniform int light_count;
uniform vec4 light_position[kLights];
uniform vec3 light_colour[kLights];
out vec4 colour;

float cell(vec2 p) { return fract(sin(dot(floor(p), vec2(127.1, 311.7))) * 43758.5453); }
float cloud(vec2 p) {
  vec2 f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(cell(p), cell(p + vec2(1, 0)), f.x), mix(cell(p + vec2(0, 1)), cell(p + vec2(1, 1)), f.x), f.y);
}

void main() {
  // A streak has round ends: only what is within a radius of them is measured along it.
  vec2 q = vec2(at.x, max(abs(at.y) * slim - (slim - 1.0), 0.0) * sign(at.y));
  float d = length(q), edge = fwidth(d);
  float disc = 1.0 - smoothstep(1.0 - edge, 1.0, d);
  float inner = max(1.0 - dot(q, q), 0.0);
  float uneven = 0.55 + 0.9 * (0.65 * cloud(3.0 * turned) + 0.35 * cloud(6.5 * turned));
  float a = tint.a * mix(disc, clamp(inner * inner * uneven, 0.0, 1.0), softness);
  if (a < 0.002) discard;
  vec3 n = q.x * right + q.y * up + sqrt(inner) * back;
  vec3 light = vec3(0.0);
  for (int i = 0; i < light_count; ++i) {
    vec3 l = light_position[i].xyz - light_position[i].w * world;
    l *= inversesqrt(dot(l, l));
    float facing = dot(n, l);
    light += light_colour[i] * mix(max(facing, 0.0), 0.4 + 0.35 * facing, softness);
  }
  vec3 base = tint.rgb * max(tint.rgb, 0.0);
  // Both parts of what surfaces have, less uneven: light goes through.
  vec3 around = 0.67692 * ambient_light + 0.92308 * mix(ground_light, ambient_light, 0.5 + 0.5 * n.y);
  vec3 c = base * mix(light + around, vec3(exposure), glowing);
#ifdef FILMIC
  c = min(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 1.0);
#else
  vec3 over = max(c - 0.75, 0.0);
  c = min(c, vec3(0.75)) + 0.25 * over / (over + 0.25);
#endif
  colour = vec4(sqrt(c), a);
}
)";

}  // namespace hazumi::gl::shaders
