#pragma once

#include <complex>
#include <vector>

namespace hlo::cpu {

/// Replaces x by its discrete Fourier transform, with exp(-2 pi i k t / n) for
/// each term, or with exp(2 pi i k t / n) where `inverse`; nothing is divided.
void transform(std::vector<std::complex<double>>& x, bool inverse);

}  // namespace hlo::cpu
