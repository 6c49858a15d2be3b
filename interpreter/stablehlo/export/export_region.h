#pragma once

#include "interpreter/stablehlo/export/export_writer.h"

namespace hlo::stablehlo {

/// How operations that apply a region are written.
ExportRows region_exporters();

}  // namespace hlo::stablehlo
