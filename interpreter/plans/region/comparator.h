#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/plans/region/program.h"
#include "interpreter/run/evaluator.h"

namespace hlo {

/// Asks a region that takes two elements of each operand (a0, b0, a1, b1, ..)
/// and returns a pred about many pairs at once. Each thread has its own.
class Comparator {
 public:
  /// `program` is the compiled region, or nothing where it does not compile.
  Comparator(const Computation& region, const std::optional<Program>& program,
             Operands operands, const Evaluator& evaluator);

  /// Asks about the elements at a[i] and b[i], at most Program::kMaxElements.
  void compare(const std::vector<int64_t>& a, const std::vector<int64_t>& b);

  bool answer(size_t i) const { return answers_[i] != std::byte{0}; }

 private:
  void compare_one_by_one(const std::vector<int64_t>& a,
                          const std::vector<int64_t>& b);

  const Computation& region_;
  const std::optional<Program>& program_;
  Operands operands_;
  Evaluator inner_;
  std::optional<Program::Scratch> scratch_;
  std::vector<bool> used_;  // by parameter
  std::vector<std::vector<std::byte>> arrays_;
  std::vector<std::byte> answers_;
};

}  // namespace hlo
