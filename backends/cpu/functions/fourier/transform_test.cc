#include "backends/cpu/functions/fourier/transform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace hlo::cpu {
namespace {

using Complexes = std::vector<std::complex<double>>;

Complexes drawn(size_t n) {
  std::mt19937 draw(static_cast<unsigned>(n));
  Complexes x(n);
  for (auto& z : x) {
    const double real = std::ldexp(draw(), -31) - 1;
    z = {real, std::ldexp(draw(), -31) - 1};
  }
  return x;
}

/// The sum of the definition, in long double.
std::complex<long double> bin(const Complexes& x, size_t k, int sign) {
  std::complex<long double> sum;
  const auto n = static_cast<long double>(x.size());
  for (size_t t = 0; t < x.size(); ++t) {
    const auto turns = static_cast<long double>(k * t % x.size()) / n;
    const long double angle =
        sign * 2 * std::numbers::pi_v<long double> * turns;
    sum += std::complex<long double>(x[t]) *
           std::complex<long double>(std::cos(angle), std::sin(angle));
  }
  return sum;
}

/// What spec/ops/fft.md allows, with its C of 8, of numbers up to 1.
void expect_near(const Complexes& x, const Complexes& result, int sign) {
  const auto n = static_cast<double>(x.size());
  const double norm = std::sqrt(2 * n);
  const double bound =
      8 * 0x1p-53 * std::max(1.0, std::log2(n)) * std::sqrt(n) * norm;
  for (size_t k = 0; k < x.size(); k += 1 + x.size() / 50) {
    const std::complex<long double> exact = bin(x, k, sign);
    EXPECT_NEAR(result[k].real(), static_cast<double>(exact.real()), bound);
    EXPECT_NEAR(result[k].imag(), static_cast<double>(exact.imag()), bound);
  }
}

// Powers, mixed factors, primes below and above the largest that is summed.
TEST(CpuTransform, IsTheSumOfTheDefinition) {
  for (const int size : {1, 2, 3, 4, 8, 12, 47, 49, 53, 64, 97, 106, 720, 1009,
                         2048, 3 * 1009}) {
    const auto n = static_cast<size_t>(size);
    const Complexes x = drawn(n);
    Complexes forward = x;
    Transform(forward.size()).apply(forward, false);
    expect_near(x, forward, -1);
    Complexes backward = x;
    Transform(backward.size()).apply(backward, true);
    expect_near(x, backward, 1);
  }
}

// Bluestein's chirp would overflow, or lose subnormal numbers, on the way.
TEST(CpuTransform, TakesTheEndsOfTheRange) {
  Complexes x(53);
  x[0] = 0x1p1020;
  Transform(x.size()).apply(x, false);
  for (const auto& z : x) EXPECT_NEAR(z.real() / 0x1p1020, 1, 0x1p-45);
  Complexes small(53);
  small[0] = 0x1p-1070;
  Transform(small.size()).apply(small, false);
  for (const auto& z : small) EXPECT_EQ(z.real(), 0x1p-1070);
}

}  // namespace
}  // namespace hlo::cpu
