#pragma once

#include "interpreter/stablehlo/export/export_writer.h"

namespace hlo::stablehlo {

/// How operations that move elements are written.
ExportRows movement_exporters();

}  // namespace hlo::stablehlo
