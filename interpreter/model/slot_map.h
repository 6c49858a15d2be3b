#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/model/layout.h"
#include "interpreter/model/shape.h"

namespace hlo {

/// a * b for sizes of buffers; verify error "layout.C8" where it overflows.
int64_t buffer_product(int64_t a, int64_t b);

/// The map from the indices of an array to the slots of its buffer, with the
/// arithmetic on sizes already done. The first registers hold the index; each
/// step works on registers; the slot is the sum of the registers, each times
/// its stride.
struct SlotMap {
  /// A merge adds `factor` times the value of `from` to `into`; a split
  /// divides the value of `from` by `factor` and leaves the rest in `into`.
  struct Step {
    bool is_split;
    size_t from;
    size_t into;
    int64_t factor;
  };

  std::vector<Step> steps;
  std::vector<int64_t> strides;  // per register; 0 for those merged away
  /// Per dimension. A slot is a sum of one function for each family of
  /// dimensions; `*` puts dimensions into one family.
  std::vector<size_t> families;
  int64_t slots = 1;  // without tail padding

  /// The slot of an element. `registers` is scratch, allocated once.
  int64_t slot(std::span<const int64_t> index,
               std::vector<int64_t>& registers) const;
};

/// The map of a layout that is valid for arrays of these dimensions.
SlotMap make_slot_map(std::span<const int64_t> dims, const Layout& layout);

/// The contributions of one family of dimensions to the slots, row-major over
/// its dimensions.
struct SlotTable {
  std::vector<size_t> dimensions;  // increasing
  std::vector<int64_t> slots;
};

/// One table for each family: the slot of an element is their sum.
std::vector<SlotTable> make_slot_tables(const SlotMap& map,
                                        std::span<const int64_t> dims);

}  // namespace hlo
