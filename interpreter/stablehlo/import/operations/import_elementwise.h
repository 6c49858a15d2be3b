#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How elementwise operations become instructions.
ConverterRows elementwise_rows();

}  // namespace hlo::stablehlo
