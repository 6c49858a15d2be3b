#pragma once

#include <cstddef>
#include <optional>

#include "interpreter/model/shape.h"

// What stands where in the state of an operation that has begun
// (spec/ops/async_start.md, copy_start.md).

namespace hlo {

/// Whether the state of a copy of that shape is that of an asynchronous
/// operation which wraps it, with the operands in front: XLA prints both under
/// one name.
bool wraps_copy(const Shape& state, const Shape& copied);

/// The place of the word of context in which an asynchronous state carries the
/// number of what runs; nothing where there is none.
std::optional<size_t> context_of(const Shape& state);

/// Whether two values differ in the precision of their types at most.
bool is_same_but_for_precision(const Shape& a, const Shape& b);

}  // namespace hlo
