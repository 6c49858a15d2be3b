#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpreter/plans/region/region.h"

namespace hlo {

/// Asks a region that takes two elements of each operand (a0, b0, a1, b1, ..)
/// and returns a pred about many pairs at once. Each thread has its own.
class Comparator {
 public:
  Comparator(const Region& region, Operands operands);

  /// Asks about the elements at a[i] and b[i], at most Region::kMaxElements.
  void compare(const std::vector<int64_t>& a, const std::vector<int64_t>& b);

  bool answer(size_t i) const { return answers_[i] != std::byte{0}; }

 private:
  const Region& region_;
  Operands operands_;
  Region::Scratch scratch_;
  std::vector<bool> used_;  // by parameter
  std::vector<std::vector<std::byte>> arrays_;
  std::vector<std::byte> answers_;
};

}  // namespace hlo
