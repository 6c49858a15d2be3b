#pragma once

#include "backends/cpu/kernels/products/convolution_form.h"

namespace hlo::cpu {

/// Each element is the chain of fused products over taps, then features of its
/// group, from +0 on; taps outside of the input do not count.
void convolve(const Convolution& convolution, float* result);

}  // namespace hlo::cpu
