#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How products become instructions.
ConverterRows contraction_rows();

/// Adds {DEFAULT, HIGHEST} as HLO's words; nothing where it is not given.
void add_precision(const Conversion& c, Attributes& attributes);

}  // namespace hlo::stablehlo
