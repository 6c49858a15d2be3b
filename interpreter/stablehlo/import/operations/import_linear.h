#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How FFT, linear algebra, normalization and random numbers become
/// instructions.
ConverterRows linear_rows();

}  // namespace hlo::stablehlo
