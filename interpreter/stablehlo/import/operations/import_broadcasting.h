#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How CHLO's operations that broadcast become instructions.
ConverterRows broadcasting_rows();

}  // namespace hlo::stablehlo
