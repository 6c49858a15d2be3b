#pragma once

#include <span>

#include "backends/tpu/operations/contraction/scheme.h"

namespace hlo::tpu {

/// The elements of the result from the sums of each of the scheme's pairs,
/// which are used up: adds those of one product of components, the first one
/// first, then real and imaginary parts, and rounds once. All lanes are valid.
Register finished_sums(Machine& machine, const Scheme& scheme,
                       std::span<Register* const> sums);

}  // namespace hlo::tpu
