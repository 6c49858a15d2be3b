#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How checks of programs become instructions.
ConverterRows check_rows();

}  // namespace hlo::stablehlo
