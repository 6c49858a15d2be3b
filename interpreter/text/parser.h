#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::text {

/// The module that `source` spells (spec/text.md). Throws a parse Error with
/// line, column and what was expected.
Module parse(std::string_view source);
/// The shape that `source` spells: "f32[2,3]{1,0}".
Shape parse_shape(std::string_view source);
/// The literal of that shape that `source` spells: "{1, 2}".
Literal parse_literal(std::string_view source, const Shape& shape);
/// A literal with its shape before it: "f32[2] {1, 2}".
Literal parse_literal_with_shape(std::string_view source);

/// The line of the place, cut to what stands around it, and a caret under its
/// column. Both are indented, no line break ends them.
std::string excerpt(const Location& place, std::string_view source);

/// The error with the line it is about and a caret under its column:
///   file.hlo:3:14: error: text.opcode: unknown operation "foo"
///     x = f32[] foo(y)
///               ^
std::string render(const Error& error, std::string_view file,
                   std::string_view source);

}  // namespace hlo::text
