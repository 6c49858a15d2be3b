#pragma once

#include <cstddef>

#include "interpreter/model/element_type.h"
#include "interpreter/stablehlo/read/attributes/mlir_lexicon.h"

namespace hlo::stablehlo {

/// Reads one element as dense<...> has it and stores it at `target` as in a
/// literal.
void read_element(Scanner& in, ElementType type, std::byte* target);

}  // namespace hlo::stablehlo
