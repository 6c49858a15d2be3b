#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How manual computations become instructions.
ConverterRows sharding_rows();

}  // namespace hlo::stablehlo
