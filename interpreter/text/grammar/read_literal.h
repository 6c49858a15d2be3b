#pragma once

#include <optional>

#include "interpreter/model/literal.h"
#include "interpreter/model/shape.h"
#include "interpreter/text/grammar/scanner.h"

namespace hlo::text {

/// Elements of a value of that shape; nothing for `{...}`.
std::optional<Literal> read_literal(Lexer& in, const Shape& shape);
/// A shape and its elements; `{...}` is an error.
Literal read_literal_with_shape(Lexer& in);

}  // namespace hlo::text
