#pragma once

#include "interpreter/model/shape.h"

namespace hlo::tpu {

/// The array's shape in the layout that the machine gives it where the program
/// asks for none: tiles of 8 by 128, the two dimensions that pad least being
/// the most minor ones.
Shape with_assigned_layout(const Shape& array);

/// The array's shape in the layout that the program asks for, or else in the
/// assigned one.
Shape placed(const Shape& array);

}  // namespace hlo::tpu
