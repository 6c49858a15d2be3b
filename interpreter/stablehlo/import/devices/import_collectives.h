#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How operations between devices become instructions.
ConverterRows collective_rows();

}  // namespace hlo::stablehlo
