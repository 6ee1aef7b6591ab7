// Sentences of the export dialog: how long it will take, and what is to be known of files that are complete, as where a tracked surface
// begins a new mesh; the first few, a line for each.
#pragma once

#include <QString>

#include "core/export/export_job.h"

namespace hazumi {

/// "about 2 minutes left", "12 s left"; empty when not known.
QString time_left_text(double seconds);
QString told_notes(const ExportResult& result);

}  // namespace hazumi
