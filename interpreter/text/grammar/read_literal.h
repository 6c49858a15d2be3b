#pragma once

#include <optional>

#include "interpreter/model/literal.h"
#include "interpreter/model/shape.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// Elements of a value of that shape; nothing for `{...}`.
std::optional<Literal> read_literal(Scanner& in, const Shape& shape);
/// A shape and its elements; `{...}` is an error.
Literal read_literal_with_shape(Scanner& in);

}  // namespace hlo::text
