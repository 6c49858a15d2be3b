#pragma once

#include "interpreter/stablehlo/export/export_writer.h"

namespace hlo::stablehlo {

/// How elementwise operations are written.
ExportRows elementwise_exporters();

}  // namespace hlo::stablehlo
