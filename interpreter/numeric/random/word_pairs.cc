#include "interpreter/numeric/random/word_pairs.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace hlo {

WordPlace WordPairs::place_of(int64_t position) const {
  const int64_t row = position / inner;
  const int64_t along = row % size;
  const int64_t block =
      (row / size * half() + along / 2) * inner + position % inner;
  return {.block = block, .word = along % 2};
}

WordPairs find_pairs(const std::vector<int64_t>& dims) {
  WordPairs pairs;
  if (dims.empty()) return pairs;
  auto split = std::ranges::find_if(dims, [](int64_t d) { return d % 2 == 0; });
  if (split == dims.end()) split = std::ranges::max_element(dims);
  pairs.outer = std::reduce(dims.begin(), split, int64_t{1}, std::multiplies());
  pairs.size = *split;
  pairs.inner =
      std::reduce(split + 1, dims.end(), int64_t{1}, std::multiplies());
  pairs.dimension = split - dims.begin();
  return pairs;
}

}  // namespace hlo
