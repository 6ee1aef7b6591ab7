// docs/scene.schema.json and docs/fields.md, made from the field table. A test compares the files with these texts;
// HAZUMI_UPDATE=1 in its environment writes them anew.
#pragma once

#include <string>

namespace hazumi {

/// JSON Schema (draft 2020-12) of scene files.
std::string scene_schema();
/// All fields as tables in Markdown.
std::string field_document();

}  // namespace hazumi
