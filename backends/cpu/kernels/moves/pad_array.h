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

/// The elements of a dimension that have a place, and that of the first.
struct PlacedElements {
  int64_t first = 0;
  int64_t count = 0;
  int64_t place = 0;
};

/// Whatever `low` and `step` are.
PlacedElements placed_elements(const PaddedDimension& dimension);

/// Writes a dense array of such dimensions: the elements of the dense array
/// `from`, and `padding` at all other places. The width is 1, 2, 4, 8 or 16
/// bytes.
void pad_array(std::span<const PaddedDimension> dims, size_t width,
               const std::byte* from, const std::byte* padding, std::byte* to);

}  // namespace hlo::cpu
