#pragma once

#include "interpreter/stablehlo/export/export_writer.h"

namespace hlo::stablehlo {

/// How operations that are CHLO's are written.
ExportRows chlo_exporters();

}  // namespace hlo::stablehlo
