#pragma once

#include "backends/gpu/operations/fourier/spectrum.h"

namespace hlo::gpu {

/// Decides the parts of elements that are exactly the numbers at which their
/// codes turn (kernels/fourier/residues.inc).
void decide_exact_parts(const Spectrum& spectrum);

}  // namespace hlo::gpu
