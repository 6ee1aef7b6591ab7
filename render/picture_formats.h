// Pictures as formats of export: one file per format in render/formats defines `const ExportFormatInfo& picture_NAME()` with
// make_picture_sink() and the function that encodes; a generated table finds it. all_export_formats() is what dialog and command
// line show: these, then the models and data of core/export.
#pragma once

#include <functional>

#include <QByteArray>
#include <QImage>

#include "core/export/format.h"
#include "render/offscreen.h"

namespace hazumi {

/// All picture formats, in order of their names.
std::span<const ExportFormatInfo* const> picture_formats();

/// Every format there is: pictures, models, data.
std::vector<const ExportFormatInfo*> all_export_formats();
const ExportFormatInfo* find_any_format(std::string_view name);
/// By the end of a file name (".PNG", ".jpeg"); null when no picture format has it.
const ExportFormatInfo* picture_format_of(const std::string& pattern);

/// The options that all picture formats have: width, height and samples; a format adds its own behind them.
inline constexpr ExportOption kWidthOption = {
    "width", "Width", "Pixels from left to right.", OptionType::whole, 1280, 1, 16384, "px"};
inline constexpr ExportOption kHeightOption = {
    "height", "Height", "Pixels from top to bottom.", OptionType::whole, 720, 1, 16384, "px"};
inline constexpr ExportOption kSamplesOption = {
    "samples", "Samples", "Per pixel: more make smoother edges; 1 is jagged and fast.", OptionType::whole, 4, 1, 64};
inline constexpr std::string_view kQualities[] = {"preview", "final"};
inline constexpr ExportOption kQualityOption = {
    "render_quality",
    "Picture quality",
    "Preview: as the view shows it. Final: soft shadows, darkened corners and at least 16 samples; many times as long.",
    OptionType::choice,
    0,
    0,
    1,
    "",
    kQualities};
/// And of all of them behind their own.
inline constexpr ExportOption kSoundOption = {
    "sound", "Sound", "What is heard in these frames is written beside the pictures, as one WAV file of their name.",
    OptionType::boolean, 1};
PictureOptions picture_options(const ExportTarget& target, bool transparent);

/// The bytes of a file, or empty with a sentence in `problem`.
using PictureEncoder = std::function<QByteArray(const QImage& image, std::string& problem)>;
/// Draws every frame offscreen and writes what the encoder makes of it. The context is made on first write, in the thread that
/// writes. Refuses a single object: pictures show the scene.
Result<std::unique_ptr<FrameSink>> make_picture_sink(const ExportTarget& target, const PictureOptions& options,
                                                     PictureEncoder encode);
/// Qt's writer of that name, for encoders.
QByteArray encode_with_qt(const QImage& image, const char* format, int compression, int quality, std::string& problem);

}  // namespace hazumi
