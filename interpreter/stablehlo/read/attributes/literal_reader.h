#pragma once

#include <cstddef>

#include "interpreter/model/literal.h"
#include "interpreter/stablehlo/read/attributes/mlir_lexicon.h"

namespace hlo::stablehlo {

/// The literal of `shape` that the body of dense<...> spells, from the
/// position that it stands at up to `end`.
Literal read_dense(Scanner& in, const Shape& shape, size_t end);
/// The literal of `shape` that the string of a resource spells, whose first
/// four bytes say how its elements are aligned.
Literal read_resource(Scanner& in, const Shape& shape);

}  // namespace hlo::stablehlo
