#pragma once

#include <cstdint>
#include <vector>

#include "backends/tpu/generations/generation.h"
#include "interpreter/model/shape.h"

namespace hlo::tpu {

/// The array's shape with its dimensions in that order (as in Layout) and the
/// generation's tiles for its type: the smallest that the second-minor
/// dimension fits in.
Shape with_order(const Generation& generation, const Shape& array,
                 const std::vector<int64_t>& minor_to_major);

/// How many slots the first tile of the array's layout, of one size or two,
/// makes of it; the most that there can be where there are more.
int64_t slots_in_tiles(const Shape& array);

/// The array's shape in the layout that the machine gives it where the program
/// asks for none: of all orders of its dimensions the one that pads least, and
/// of several such the one that is nearest to row-major.
Shape with_assigned_layout(const Generation& generation, const Shape& array);

/// Whether the array's layout says more than the order that every array has by
/// default: row-major without tiles asks for nothing here.
bool is_asked_for(const Shape& array);

/// The array's shape in the layout that the program asks for, or else in the
/// assigned one.
Shape placed(const Generation& generation, const Shape& array);

/// The array's shape in the order and the tiles of another of the same
/// dimensions: the tiles as they are where both types have slots of one width,
/// or else those that begin with the same one, where the generation has such.
Shape placed_like(const Generation& generation, const Shape& array,
                  const Shape& other);

}  // namespace hlo::tpu
