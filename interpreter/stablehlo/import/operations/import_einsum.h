#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How einsum becomes instructions.
ConverterRows einsum_rows();

}  // namespace hlo::stablehlo
