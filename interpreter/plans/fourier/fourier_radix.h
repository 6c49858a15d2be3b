#pragma once

#include <cstdint>
#include <vector>

namespace hlo {

/// The prime factors of n >= 1, but 4 for two factors 2 that stand together.
std::vector<int64_t> radices(int64_t n);

/// Sums of as many terms are found one by one; those of more, which are a prime
/// number, by a convolution (fourier_line.h).
inline constexpr int64_t kMostDirect = 128;

/// The length of cyclic convolution, a power of two, that holds one of the
/// length prime - 1.
int64_t convolution_length(int64_t prime);

/// 1, g, g^2, ... modulo the prime, g its least primitive root: all of the
/// numbers below it but 0.
std::vector<int64_t> powers_of_root(int64_t prime);

}  // namespace hlo
