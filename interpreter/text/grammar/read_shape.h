#pragma once

#include "interpreter/model/shape.h"
#include "interpreter/text/grammar/scanner.h"

namespace hlo::text {

/// Whether a shape starts here, as opposed to a name or an opcode.
bool at_shape(const Lexer& in);
/// A shape with the layout that may follow.
Shape read_shape(Lexer& in);
/// A shape without the layout that may follow.
Shape read_shape_without_layout(Lexer& in);
/// Whether the brace at this place opens a layout.
bool at_layout(const Lexer& in);
/// Sets the layout of `shape`.
void read_layout(Lexer& in, Shape& shape);

}  // namespace hlo::text
