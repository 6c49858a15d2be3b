#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hlo::cpu {

/// A dimension of an array in a larger or smaller one: element i lies at
/// low + i step there, if that is one of `output` places.
struct PaddedDimension {
  int64_t input = 0;   // elements
  int64_t output = 0;  // places
  int64_t low = 0;
  int64_t step = 1;

  friend bool operator==(const PaddedDimension&,
                         const PaddedDimension&) = default;
};

/// Writes a dense array of such dimensions: the elements of the dense array
/// `from`, and `padding` at all other places. The width is 1, 2, 4, 8 or 16
/// bytes.
void pad_array(std::span<const PaddedDimension> dims, size_t width,
               const std::byte* from, const std::byte* padding, std::byte* to);

}  // namespace hlo::cpu
