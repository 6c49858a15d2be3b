#pragma once

#include "interpreter/model/shape.h"

namespace hlo::tpu {

/// The array's shape in the layout that the machine gives it where the program
/// asks for none: row-major in tiles of 8 by 128, or of 128 where it has fewer
/// than two dimensions.
Shape with_assigned_layout(const Shape& array);

/// Whether the array's layout says more than the order that every array has by
/// default: row-major without tiles asks for nothing here.
bool is_asked_for(const Shape& array);

/// The array's shape in the layout that the program asks for, or else in the
/// assigned one.
Shape placed(const Shape& array);

}  // namespace hlo::tpu
