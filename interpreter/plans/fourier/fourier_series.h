#pragma once

#include <cstdint>

#include "interpreter/plans/fourier/fourier_input.h"
#include "interpreter/plans/fourier/fourier_residues.h"

namespace hlo {

/// One part of the sum at `index` over `divisor`, rounded once: term by term,
/// in as many bits as it takes. `residues` are the input's. Not for a part that
/// is exactly 0.
uint64_t round_series(const FourierInput& input, int64_t index, bool imaginary,
                      double divisor, const numeric::FloatFormat& format,
                      FourierResidues& residues);

}  // namespace hlo
