#pragma once

#include <array>
#include <cstddef>

// What the kernels look up.
namespace hlo::numeric {

/// 2/pi 2^e modulo 4 as high + middle + low, for the exponents e of x = M 2^e
/// with M < 2^24 an integer, e from kLeastExponent on. high is a multiple of
/// 2^-27 in [0, 4), middle one of 2^-56 within 2^-28 of 0, low is at most 2^-57
/// and off by at most 2^-110. The last row is NaN, for infinities and NaN.
struct QuarterTurns {
  static constexpr int kLeastExponent = -50;
  static constexpr int kGreatestExponent = 104;
  static constexpr size_t kRows = kGreatestExponent - kLeastExponent + 2;

  std::array<double, kRows> high;
  std::array<double, kRows> middle;
  std::array<double, kRows> low;
};

/// The table of quarter turns, computed once by MPFR.
const QuarterTurns& quarter_turns();

/// erf and its derivative at the multiples of 1/16, correctly rounded.
struct ErfTable {
  static constexpr double kEnd = 6;     // 1 - erf(6) < 2^-55
  static constexpr size_t kRows = 128;  // beyond kEnd never read

  std::array<double, kRows> value;
  std::array<double, kRows> slope;
};

/// The table of erf, computed once by MPFR.
const ErfTable& erf_table();

/// erfc and the magnitude of its derivative at the multiples of 1/64, correctly
/// rounded.
struct ErfcTable {
  static constexpr double kPerUnit = 64;
  static constexpr double kEnd = 10.5;   // erfc(10.5) < 2^-163
  static constexpr size_t kRows = 1024;  // beyond kEnd never read

  std::array<double, kRows> value;
  std::array<double, kRows> slope;
};

/// The table of erfc, computed once by MPFR.
const ErfcTable& erfc_table();

}  // namespace hlo::numeric
