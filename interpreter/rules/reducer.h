#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// The labels under which an operation's page states the rules of reducers.
struct ReducerRules {
  std::string_view operands;    // n inputs, then n initial values
  std::string_view inputs;      // the inputs have the same dimensions
  std::string_view inits;       // the initial values are scalars
  std::string_view parameters;  // the reducer takes 2n scalars
  std::string_view result;      // it returns n scalars
  std::string_view types;       // their types fit, up to float precision
};

/// The number n of inputs. Verify errors of `rules` where the operands (n
/// arrays of the same dimensions, then n scalars) or `reducer` do not fit.
int64_t check_reduction(const Instruction& instruction,
                        const Computation& reducer, const ReducerRules& rules);

/// The result of a reduction: an array of `dims` for a reducer that returns a
/// scalar, else the tuple of such arrays.
Shape reduction_shape(const Computation& reducer, const Shape& dims);

/// Same type, or both are float types.
bool same_up_to_precision(ElementType a, ElementType b);

}  // namespace hlo
