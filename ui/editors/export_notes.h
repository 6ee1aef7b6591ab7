// What is to be known of files that are complete, as where a tracked surface begins a new mesh; the first few, a line for each.
#pragma once

#include <QString>

#include "core/export/export_job.h"

namespace hazumi {

QString told_notes(const ExportResult& result);

}  // namespace hazumi
