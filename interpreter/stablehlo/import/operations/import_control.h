#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How operations that run regions become instructions.
ConverterRows control_rows();

}  // namespace hlo::stablehlo
