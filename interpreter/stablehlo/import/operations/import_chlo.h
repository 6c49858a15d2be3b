#pragma once

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {

/// How CHLO's operations become instructions.
ConverterRows chlo_rows();

/// The row of a CHLO function that a composite is named after; null where it is
/// not one of theirs.
const ConverterRow* function_of_composite(const Conversion& c,
                                          std::string_view name);

}  // namespace hlo::stablehlo
