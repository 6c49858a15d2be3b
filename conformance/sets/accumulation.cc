#include "conformance/sets/accumulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

// The bounds are computed in double, in fewer than 2^10 operations.
constexpr double kUpward = 1 + 0x1p-40;

/// A matrix unit: it adds `block` exact products and the sum so far, cut off
/// `fraction` bits below the largest of them.
struct Block {
  double block;
  int fraction;
};

struct Row {
  Accumulation accumulation;
  double operand_error;  // relative, of the product, where operands are f32
  bool in_result;        // accumulates in the type of the result
  std::array<Block, 3> units;  // the worst of them counts; none where 0
};

constexpr std::array<Block, 3> kNone{};
// The published block lengths, no extra bits of alignment.
constexpr std::array<Block, 3> kTensorCores = {{{4, 23}, {8, 23}, {16, 23}}};
constexpr std::array<Block, 3> kFp8Units = {{{16, 13}, {32, 13}, {}}};

// Operands cut to 11 significant bits, or rounded to 8; of the splittings the
// products that are left out count.
constexpr double kTf32 = (1 + 0x1p-10) * (1 + 0x1p-10) - 1;
constexpr double kBf16 = (1 + 0x1p-8) * (1 + 0x1p-8) - 1;

constexpr std::array<Row, 9> kRows = {{
    {Accumulation::kStrictOut, 0, true, kNone},
    {Accumulation::kF32Rn, 0, false, kNone},
    {Accumulation::kF32Tc, 0, false, kTensorCores},
    {Accumulation::kTf32, kTf32, false, kTensorCores},
    {Accumulation::kBf16x1, kBf16, false, kTensorCores},
    {Accumulation::kBf16x3, 3 * 0x1p-16, false, kTensorCores},
    {Accumulation::kBf16x6, 0x1p-22, false, kTensorCores},
    {Accumulation::kBf16x9, 0x1p-22, false, kTensorCores},
    {Accumulation::kFp8Fast, 0, false, kFp8Units},
}};

const Row& find_row(Accumulation accumulation) {
  return *std::ranges::find(kRows, accumulation, &Row::accumulation);
}

/// The unit of the accumulator: that of the type of the result, or of f32 where
/// that is finer.
double accumulator_unit(const Row& row, const Summation& s) {
  const double own = std::ldexp(1.0, -numeric::format(s.result).precision());
  return row.in_result ? own : std::min(own, 0x1p-24);
}

/// The share of the magnitude that matrix units may lose: with b products in a
/// block, every one of the b + 1 numbers that are added is cut by less than 2
/// units of the last bit kept (its product may not be normalised), and the
/// block's sum is rounded to 24 bits toward zero.
double block_error(const Row& row, double terms) {
  double worst = 0;
  for (const Block& unit : row.units) {
    if (unit.block == 0) continue;
    const double blocks = std::ceil(terms / unit.block);
    const double each = 2 * (unit.block + 1) * std::ldexp(1.0, -unit.fraction) +
                        std::ldexp(1.0, -std::min(unit.fraction, 23));
    worst = std::max(worst, blocks * each * (1 + blocks * each));
  }
  return worst;
}

double relative_error(const Row& row, const Summation& s) {
  const double unit = accumulator_unit(row, s);
  const double steps = s.products ? s.terms : std::max(s.terms - 1, 0.0);
  double error = steps * unit;
  if (!s.products) return error;
  const bool f32 = s.operand == ElementType::kF32;
  const bool narrow = bits(s.operand) < bits(ElementType::kF32);
  const double delta = f32 ? row.operand_error : 0;
  if (f32 ? delta > 0 : narrow)
    error = std::max(error, block_error(row, s.terms));
  return delta + error * (1 + delta);
}

}  // namespace

double accumulated_error(Accumulation accumulation, const Summation& s) {
  const Row& row = find_row(accumulation);
  const FloatFormat& format = numeric::format(s.result);
  const double least =
      std::ldexp(1.0, format.min_exponent() - format.mantissa_bits - s.unit);
  double error = (relative_error(row, s) +
                  s.of_terms * accumulated_growth(accumulation, s)) *
                 s.magnitude;
  const bool finer = !row.in_result && bits(s.result) < bits(ElementType::kF32);
  if (s.products) {
    error += s.terms * (finer ? std::ldexp(1.0, -149 - s.unit) : least);
  }
  const double unit = std::ldexp(1.0, -format.precision());
  if (accumulator_unit(row, s) < unit) {
    error += unit * (s.sum + error) + least / 2;
  }
  return error * kUpward;
}

double accumulated_growth(Accumulation accumulation, const Summation& s) {
  return 1 + relative_error(find_row(accumulation), s) +
         accumulator_unit(find_row(accumulation), s);
}

}  // namespace hlo::conformance
