#include "backends/cpu/kernels/transforms/transform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/threads/share_loop.h"

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

/// The transform of the line, which lies between others.
Complexes transformed(const Complexes& x, bool inverse, size_t lines = 1,
                      size_t line = 0) {
  std::vector<double> re(x.size() * lines, 0.25);
  std::vector<double> im(x.size() * lines, -3);
  for (size_t k = 0; k < x.size(); ++k) {
    re[k * lines + line] = x[k].real();
    im[k * lines + line] = x[k].imag();
  }
  const Transform transform(x.size());
  std::vector<double> room(transform.room_numbers(lines));
  const ComplexParts found =
      transform.apply({re.data(), im.data()}, lines, inverse, room.data());
  Complexes y(x.size());
  for (size_t k = 0; k < y.size(); ++k) {
    y[k] = {found.re[k * lines + line], found.im[k * lines + line]};
  }
  return y;
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
                         2048, 3 * 1009, 1 << 16, 3 << 15}) {
    const auto n = static_cast<size_t>(size);
    const Complexes x = drawn(n);
    expect_near(x, transformed(x, false), -1);
    expect_near(x, transformed(x, true), 1);
  }
}

TEST(CpuTransform, GivesEachLineTheSameBitsOnEachInstructionSet) {
  for (const size_t n :
       std::vector<size_t>{2, 3, 4, 8, 30, 53, 64, 100, 1024}) {
    const Complexes x = drawn(n);
    const Complexes alone = transformed(x, false);
    on_each_target([&] {
      for (const size_t lines : std::vector<size_t>{1, 2, 3, 5, 8, 9}) {
        EXPECT_EQ(transformed(x, false, lines, lines - 1), alone)
            << n << " numbers, " << lines << " lines";
      }
    });
  }
}

// Long enough for several threads, by parts and by what lies beside them.
TEST(CpuTransform, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const size_t n : std::vector<size_t>{1 << 16, 3 << 15, 40 * 1009}) {
    const Complexes x = drawn(n);
    Complexes alone;
    for (const int64_t threads : {1, 2, 5}) {
      const ThreadCount shared(threads);
      const Complexes y = transformed(x, true, 3, 1);
      if (alone.empty()) alone = y;
      EXPECT_EQ(y, alone) << n << " numbers, " << threads << " threads";
    }
    expect_near(x, alone, 1);
  }
}

// Bluestein's chirp would overflow, or lose subnormal numbers, on the way.
TEST(CpuTransform, TakesTheEndsOfTheRange) {
  Complexes x(53);
  x[0] = 0x1p1020;
  for (const auto& z : transformed(x, false))
    EXPECT_NEAR(z.real() / 0x1p1020, 1, 0x1p-45);
  Complexes small(53);
  small[0] = 0x1p-1070;
  for (const auto& z : transformed(small, false)) {
    EXPECT_EQ(z.real(), 0x1p-1070);
  }
}

}  // namespace
}  // namespace hlo::cpu
