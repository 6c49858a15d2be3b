#pragma once

#include <cstdint>

#include "interpreter/model/module.h"
#include "interpreter/model/storage.h"

namespace hlo {

/// What a custom-call does, by its target and its shapes
/// (spec/ops/custom_call.md). Functions have operations of their own.
enum class CallMeaning : uint8_t {
  kMark,      // gives its operand, which it marks for others
  kEquality,  // whether two arrays are equal
  kCheck,     // declares what somebody else compares: the empty tuple
  kPrograms,  // runs programs on a grid of their own
  kMisused,   // the target has a meaning, but none for these shapes
  kForeign,   // what a function does that whoever runs the program brings along
};

CallMeaning meaning_of(const Instruction& custom_call);

/// Whether two elements of check.eq, of that type or parts of complex ones, are
/// equal: numbers that are, and NaNs of the same bits.
bool are_equal(const ElementBits& a, const ElementBits& b, ElementType type);

/// Evaluate error "custom-call.target" where the call is misused, or its
/// operands have fewer elements than their bounds say.
void require_callable(const Instruction& custom_call, bool is_whole);

}  // namespace hlo
