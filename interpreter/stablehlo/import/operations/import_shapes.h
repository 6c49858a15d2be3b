#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How operations that make and move elements become instructions.
ConverterRows shape_rows();

}  // namespace hlo::stablehlo
