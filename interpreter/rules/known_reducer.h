#pragma once

#include <cstdint>

#include "interpreter/model/module.h"

namespace hlo {

/// What a reducer computes, where it is one of the known ones.
enum class Reducer : uint8_t {
  kAdd,
  kMultiply,
  kMaximum,
  kMinimum,
  kAnd,
  kOr,
  kXor,
  kOther
};
Reducer recognize(const Computation& reducer);

}  // namespace hlo
