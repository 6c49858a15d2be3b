#pragma once

#include <optional>
#include <vector>

#include "interpreter/model/module.h"

namespace hlo::tpu {

/// Dimensions along which an operation is made of separate parts.
struct Split {
  /// In place of a dimension that an operand lacks: parts read all of it.
  static constexpr int64_t kNone = -1;

  /// The dimensions of each operand, and of each array of the result, as many
  /// and in the same order.
  std::vector<Ints> operands;
  std::vector<Ints> results;

  size_t dimensions() const { return results[0].size(); }
};

/// How the operation is split; nothing where it is not.
std::optional<Split> split_of(const Instruction& instruction);

}  // namespace hlo::tpu
