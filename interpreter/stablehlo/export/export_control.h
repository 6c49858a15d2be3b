#pragma once

#include "interpreter/stablehlo/export/export_writer.h"

namespace hlo::stablehlo {

/// How calls, loops and asynchronous operations are written.
ExportRows control_exporters();

}  // namespace hlo::stablehlo
