#pragma once

#include "interpreter/stablehlo/read/attributes/mlir_lexicon.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// [b, 0, f]x[0, i, o]->[b, 0, f] as the structure stablehlo.conv.
Structure read_dimension_numbers(Scanner& in);

}  // namespace hlo::stablehlo
