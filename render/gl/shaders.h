// Sources of the shaders, GLSL 3.30. In the binary, so that the command line program needs no files.
#pragma once

namespace hazumi::gl::shaders {

extern const char* const kMeshVertex;  ///< without #version: variants TEXTURE and LOOKS
extern const char* const
    kMeshFragment;  ///< without #version: comes in variants SHADOW or SOFT, SHINY, FILMIC, FADE, TEXTURE or LOOKS
extern const char* const kFlatFragment;  ///< one colour: wireframe, selection mask
extern const char* const kDepthVertex;
extern const char* const kEdgeVertex;  ///< a little nearer to the eye than the surface
extern const char* const kDepthFragment;
extern const char* const kGridVertex;
extern const char* const kGridFragment;
extern const char* const kLineVertex;
extern const char* const kLineFragment;
extern const char* const kPointVertex;
extern const char* const kPointFragment;
extern const char* const kSpriteVertex;       ///< particles: one rectangle each
extern const char* const kSpriteFragment;     ///< without #version: variant FILMIC
extern const char* const kOcclusionFragment;  ///< without #version: TAPS
extern const char* const kOcclusionBlur;
extern const char* const kOcclusionApply;
extern const char* const kScreenVertex;  ///< one triangle over the whole target
extern const char* const kOutlineFragment;
extern const char* const kBackdropVertex;  ///< a rectangle of the target
extern const char* const kBackdropFragment;

}  // namespace hazumi::gl::shaders
