#pragma once

#include "interpreter/stablehlo/export/export_writer.h"

namespace hlo::stablehlo {

/// How operations between devices are written.
ExportRows device_exporters();

}  // namespace hlo::stablehlo
