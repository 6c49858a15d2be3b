#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// One element of a list of arrays.
struct Origin {
  size_t array;
  int64_t position;
};

/// The elements, at most `most`, whose bits make those of a result that is
/// moved out of the arrays: the result changes with them. `result` gives it
/// for arrays of the same shapes; others than those of `movable` are left as
/// they are.
std::vector<Origin> find_origins(
    const std::vector<Literal>& arrays, const std::vector<size_t>& movable,
    size_t most,
    const std::function<Scalar(const std::vector<Literal>&)>& result);

}  // namespace hlo::conformance
