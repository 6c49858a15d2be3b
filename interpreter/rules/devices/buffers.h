#pragma once

#include <vector>

#include "interpreter/rules/surroundings.h"

// Buffers `b(...)`: memory that is written in place (spec/verify.md).

namespace hlo {

bool holds_buffer(const Shape& shape);
/// Where in the shape buffers are.
std::vector<Index> buffers_in(const Shape& shape);

/// Each buffer that a custom-call takes comes out of it again, once, and none
/// comes out that it did not take. Errors "buffers.pin", "buffers.lost",
/// "buffers.repeated", "buffers.new".
void check_buffers(const Surroundings& around);

}  // namespace hlo
