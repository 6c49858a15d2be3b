#pragma once

#include <cstdint>
#include <vector>

namespace hlo {

/// Which word of which block of a generator.
struct WordPlace {
  int64_t block = 0;
  int64_t word = 0;
};

/// How Threefry's blocks of two words lie in an array of elements of at most 32
/// bits: beside each other along one dimension, that of `size`; `half` blocks
/// cover it (spec/ops/rng_bit_generator.md, Result).
struct WordPairs {
  int64_t outer = 1;
  int64_t size = 1;
  int64_t inner = 1;
  int64_t dimension = 0;

  int64_t half() const { return (size + 1) / 2; }

  int64_t blocks() const { return outer * half() * inner; }

  /// The place of the element at a row-major position.
  WordPlace place_of(int64_t position) const;
};

/// The pairs lie along the first dimension of even size; where there is none
/// along the largest, the first of them.
WordPairs find_pairs(const std::vector<int64_t>& dims);

}  // namespace hlo
