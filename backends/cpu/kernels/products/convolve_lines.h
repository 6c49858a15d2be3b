#pragma once

#include "backends/cpu/kernels/products/convolution_form.h"

namespace hlo::cpu {

/// As convolve, where lines of places are long enough for tiles: tiles of a
/// line read the input where it lies, or zero-padded copies of some lines of
/// it, and add up all taps in registers. Whether it has done so: not for lines
/// of few places, and not where products with the zeros of the padding might
/// be NaN.
bool convolve_lines(const Convolution& convolution, float* result);

}  // namespace hlo::cpu
