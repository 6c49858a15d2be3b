#pragma once

#include "interpreter/model/shape.h"
#include "interpreter/testing/random_case.h"

// What the tests of layouts share; no program includes it.
namespace hlo::testing {

/// Any order of the dimensions; up to three tiles of up to `most` dimensions,
/// each up to `most` wide or combined with the next one; an alignment.
inline Layout random_layout(Random& random, int64_t rank, int64_t most) {
  Layout layout;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t place = random.between(0, d);
    layout.minor_to_major.insert(layout.minor_to_major.begin() + place, d);
  }
  for (int64_t t = random.between(0, 3); t > 0; --t) {
    Tile tile;
    for (int64_t k = random.between(1, most); k > 0; --k) {
      const bool combines = k > 1 && random.one_in(4);
      tile.dims.push_back(combines ? Tile::kCombine : random.between(1, most));
    }
    layout.tiles.push_back(tile);
  }
  layout.tail_padding_alignment_in_elements = random.between(1, 3);
  return layout;
}

}  // namespace hlo::testing
