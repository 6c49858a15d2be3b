#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "interpreter/numeric/exact/double_double.h"

// Constants and table values of the functions of double, computed once by
// MPFR. Sums of two doubles are off by less than 2^-106 of their value.
namespace hlo::numeric {

/// exp: ln 2 / 128 in three parts, of which the first two have 35 bits each so
/// that their products with integers up to 2^18 are exact, and 2^(i/128).
struct ExponentialTable {
  static constexpr size_t kSteps = 128;

  double steps_per_unit;  // 128 / ln 2
  std::array<double, 3> step;
  HiLo ln2;
  std::array<HiLo, kSteps> power;
};

/// log: m with the leading 8 bits i of its fraction, taken from [0.707, 1.414),
/// times row i's factor of 11 bits is within 2^-8 of 1.
struct LogTable {
  struct Row {
    double factor;
    HiLo minus_log;  // of the factor
  };

  static constexpr size_t kRows = 256;
  static constexpr size_t kUpper = 106;  // from here on m is below 1

  HiLo ln2;  // the first part has 42 bits
  HiLo log2_of_e;
  HiLo log10_of_e;
  std::array<Row, kRows> rows;
};

/// sin and cos of i pi / 64; pi / 64 in four parts, the first three of 33
/// bits; and the bits of 1 / (2 pi) behind 64 zeros.
struct CircleTable {
  struct Row {
    HiLo sine;
    HiLo cosine;
  };

  static constexpr size_t kSteps = 128;
  static constexpr size_t kWords = 22;

  double steps_per_radian;
  std::array<double, 4> step;
  HiLo whole_step;  // pi / 64
  std::array<Row, kSteps> rows;
  std::array<uint64_t, kWords> turns_per_radian;
};

/// atan(i/64); 0, pi/2, pi, pi/2.
struct AngleTable {
  static constexpr size_t kSteps = 64;

  std::array<HiLo, 4> axis;
  std::array<HiLo, kSteps + 2> angle;
};

/// erf: Taylor's coefficients at i/16, and those of the series at 0 in x^2,
/// which is erf(x) / x.
struct ErrorTable {
  static constexpr size_t kStepsPerUnit = 16;
  static constexpr size_t kRows = 6 * kStepsPerUnit + 1;
  static constexpr size_t kPairs = 5;  // of x^0 to x^4
  static constexpr size_t kSingles = 10;

  struct Row {
    std::array<HiLo, kPairs> pairs;
    std::array<double, kSingles> singles;
  };

  std::array<Row, kRows> rows;
  std::array<HiLo, 3> series;
  std::array<double, 6> series_singles;
};

/// zeta: 2 zeta(2k) / (2 pi)^2k = |B_2k| / (2k)! at [k - 1].
struct ZetaTable {
  static constexpr size_t kTerms = 20;

  std::array<HiLo, kTerms> coefficients;
};

const ExponentialTable& exponential_table();
const LogTable& log_table();
const CircleTable& circle_table();
const AngleTable& angle_table();
const ErrorTable& error_table();
const ZetaTable& zeta_table();

}  // namespace hlo::numeric
