#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// An element-wise operation of one or two operands of one type, with a result
/// of that type.
struct SweptOperation {
  const Op* op = nullptr;
  ElementType type = ElementType::kF32;
  size_t arity = 1;

  /// A verified program that applies it to arrays of n elements.
  Module on(int64_t n) const;
};

/// The operation of that name, or that computes the function of that name
/// ("exponential", "exp"). Errors "sweep.operation" and "sweep.type".
SweptOperation swept_operation(std::string_view name, std::string_view type);

}  // namespace hlo::conformance
