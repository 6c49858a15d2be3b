#pragma once

#include "interpreter/model/shape.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// Whether a shape starts here, as opposed to a name or an opcode.
bool at_shape(const Scanner& in);
/// A shape with the layout that may follow.
Shape read_shape(Scanner& in);
/// A shape without the layout that may follow.
Shape read_shape_without_layout(Scanner& in);
/// Whether the brace at this place opens a layout.
bool at_layout(const Scanner& in);
/// Sets the layout of `shape`.
void read_layout(Scanner& in, Shape& shape);

}  // namespace hlo::text
