#pragma once

#include "interpreter/stablehlo/export/export_writer.h"

namespace hlo::stablehlo {

/// How bitcast is written.
ExportRows bitcast_exporters();

}  // namespace hlo::stablehlo
