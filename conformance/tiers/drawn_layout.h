#pragma once

#include "conformance/random/draw.h"
#include "interpreter/model/shape.h"

namespace hlo::conformance {

/// Gives an array an order of its dimensions and tiles, or leaves it as it is;
/// one of few elements takes no more than thousands of slots.
void draw_layout(Draw& draw, Shape& array);

}  // namespace hlo::conformance
