#pragma once

#include "interpreter/rules/op.h"

namespace hlo {

/// What the reducer computes: an operation on both of its parameters, which it
/// may reach by calls.
Reducer recognize(const Computation& reducer);

}  // namespace hlo
