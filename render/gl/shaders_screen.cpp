// Ambient occlusion over the depths of a picture (occlusion.h). A pixel's place in the axes of the view, with depth d, is
//   z = −P32/(2d − 1 + P22), or (2d − 1 − P32)/P22 in a parallel view;  w = −z or 1;  x = (X w − P20 z − P30)/P00,  y alike
// for the projection P, which may be one of a tile. Obscurance of n samples v about a place with normal n̂, within the reach r:
//   A = 1 − s (5/(r⁶ n)) Σ max(0, r² − v·v)³ max(0, v·n̂ − b)/(v·v + ε)
#include "render/gl/shaders.h"

namespace hazumi::gl::shaders {

const char* const kOcclusionFragment = R"(
uniform sampler2D depths;
uniform mat4 projection;
uniform vec2 size;        // pixels of the depths
uniform float scale;      // of them along one pixel of this picture
uniform float reach;      // m
uniform float farthest;   // pixels
uniform float turn;       // rad
out vec2 shade;           // 1: free; distance along the view over the reach
const mat2 kGolden = mat2(-0.73736888, -0.67549029, 0.67549029, -0.73736888);

vec3 place(vec2 at, float d) {
  float n = 2.0 * d - 1.0;
  bool parallel = projection[3][3] != 0.0;
  float z = parallel ? (n - projection[3][2]) / projection[2][2] : -projection[3][2] / (n + projection[2][2]);
  float w = parallel ? 1.0 : -z;
  vec2 clip = (2.0 * at / size - 1.0) * w;
  return vec3((clip - vec2(projection[2][0], projection[2][1]) * z - vec2(projection[3][0], projection[3][1])) /
                  vec2(projection[0][0], projection[1][1]), z);
}
vec3 at_pixel(ivec2 p) {
  ivec2 in_picture = clamp(p, ivec2(0), ivec2(size) - 1);
  return place(vec2(in_picture) + 0.5, texelFetch(depths, in_picture, 0).r);
}

void main() {
  ivec2 here = ivec2(gl_FragCoord.xy * scale);
  here = min(here, ivec2(size) - 1);
  float d = texelFetch(depths, here, 0).r;
  vec3 c = place(vec2(here) + 0.5, d);
  // The nearer of both neighbours in each direction lies on the same surface.
  vec3 right = at_pixel(here + ivec2(1, 0)) - c, left = c - at_pixel(here - ivec2(1, 0));
  vec3 up = at_pixel(here + ivec2(0, 1)) - c, down = c - at_pixel(here - ivec2(0, 1));
  vec3 n = cross(abs(right.z) < abs(left.z) ? right : left, abs(up.z) < abs(down.z) ? up : down);
  n *= inversesqrt(max(dot(n, n), 1e-30));
  float w = projection[3][3] != 0.0 ? 1.0 : -c.z;
  float wide = min(reach * projection[1][1] * 0.5 * size.y / w, farthest);
  // What the picture cannot show farther than so is looked for nearer.
  float r = wide * w / (projection[1][1] * 0.5 * size.y), r2 = r * r;
  float angle = turn + 6.2831853 * fract(52.9829189 * fract(dot(vec2(here) / scale, vec2(0.06711056, 0.00583715))));
  vec2 way = vec2(cos(angle), sin(angle));
  float sum = 0.0, number = 0.5;
  int taps = d < 1.0 && wide > 1.5 ? TAPS : 0;
  for (int i = 0; i < taps; ++i) {
    vec3 v = at_pixel(here + ivec2(round(way * (wide * number / float(TAPS))))) - c;
    float vv = dot(v, v), f = max(r2 - vv, 0.0) / r2;
    sum += f * f * f * max(dot(v, n) - 0.02 * r - 0.001 * w, 0.0) * r / (vv + 0.01 * r2);
    way = kGolden * way;
    number += 1.0;
  }
  shade = vec2(clamp(1.0 - 4.5 * sum / float(TAPS), 0.0, 1.0), -c.z / max(reach, 1e-9));
}
)";

// One direction of a filter of seven pixels; what lies farther off than the reach in depth does not count.
const char* const kOcclusionBlur = R"(#version 330 core
uniform sampler2D shades;
uniform ivec2 along;
out vec2 shade;
void main() {
  ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(shades, 0) - 1;
  vec2 c = texelFetch(shades, here, 0).rg;
  float sum = c.r, weights = 1.0;
  for (int i = -3; i <= 3; ++i) {
    vec2 s = texelFetch(shades, clamp(here + along * i, ivec2(0), last), 0).rg;
    float weight = i == 0 ? 0.0 : max(1.0 - 4.0 * abs(s.g - c.g), 0.0) * (1.0 - 0.2 * abs(float(i)));
    sum += weight * s.r;
    weights += weight;
  }
  shade = vec2(sum / weights, c.g);
}
)";

// Into the picture, in which colours are encoded (square root of light): of the four nearest of the coarse picture those at
// the pixel's own depth.
const char* const kOcclusionApply = R"(#version 330 core
uniform sampler2D shades, depths;
uniform mat4 projection;
uniform float scale, reach, strength;
out vec4 colour;
void main() {
  ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(shades, 0) - 1;
  float n = 2.0 * texelFetch(depths, here, 0).r - 1.0;
  float z = projection[3][3] != 0.0 ? (n - projection[3][2]) / projection[2][2] : -projection[3][2] / (n + projection[2][2]);
  float far = -z / max(reach, 1e-9);
  vec2 at = gl_FragCoord.xy / scale - 0.5;
  ivec2 low = ivec2(floor(at));
  vec2 share = at - vec2(low);
  float sum = 0.0, weights = 0.0;
  for (int i = 0; i < 4; ++i) {
    ivec2 step_to = ivec2(i & 1, i >> 1);
    vec2 s = texelFetch(shades, clamp(low + step_to, ivec2(0), last), 0).rg;
    vec2 near = mix(1.0 - share, share, vec2(step_to));
    float weight = (near.x * near.y + 0.001) / (0.02 + abs(s.g - far));
    sum += weight * s.r;
    weights += weight;
  }
  colour = vec4(vec3(sqrt(1.0 - strength * (1.0 - sum / weights))), 1.0);
}
)";

}  // namespace hazumi::gl::shaders
