#include "conformance/sets/accumulation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounding.h"

namespace hlo::conformance {
namespace {

using enum ElementType;

double rounded(double x, ElementType type) {
  const numeric::FloatFormat& format = numeric::format(type);
  return numeric::decode(numeric::encode(x, format), format);
}

/// x without what lies below `bits` significant bits, or below 2^last.
double cut(double x, int bits) {
  if (x == 0) return 0;
  const int last = std::ilogb(x) - bits + 1;
  return std::ldexp(std::trunc(std::ldexp(x, -last)), last);
}

double cut_at(double x, int last) {
  return std::ldexp(std::trunc(std::ldexp(x, -last)), last);
}

/// A matrix unit: blocks of products and the sum so far, each cut off
/// `fraction` bits below the largest, their sum cut to 24 bits at most.
double unit_sum(const std::vector<double>& products, size_t block,
                int fraction) {
  double sum = 0;
  for (size_t begin = 0; begin < products.size(); begin += block) {
    const size_t end = std::min(begin + block, products.size());
    double largest = std::fabs(sum);
    for (size_t k = begin; k < end; ++k) {
      largest = std::max(largest, std::fabs(products[k]));
    }
    if (largest == 0) continue;
    const int last = std::ilogb(largest) - fraction;
    double total = cut_at(sum, last);
    for (size_t k = begin; k < end; ++k) total += cut_at(products[k], last);
    sum = cut(total, std::min(fraction, 23) + 1);
  }
  return sum;
}

double in_order(const std::vector<double>& products, ElementType type) {
  double sum = 0;
  for (const double product : products) {
    sum = rounded(sum + rounded(product, type), type);
  }
  return sum;
}

/// A dot product as a machine of the profile computes it.
struct Machine {
  const char* name;
  Accumulation accumulation;
  ElementType operand;
  ElementType result;
  double (*dot)(const std::vector<double>& a, const std::vector<double>& b);
};

using Vector = std::vector<double>;

template <typename Operand>
Vector products(const Vector& a, const Vector& b, const Operand& operand) {
  Vector all;
  for (size_t k = 0; k < a.size(); ++k) {
    all.push_back(operand(a[k]) * operand(b[k]));
  }
  return all;
}

double same(double x) { return x; }

double bf16(double x) { return rounded(x, kBF16); }

/// Products of two parts of each operand but for that of both second ones.
double three_products(const Vector& a, const Vector& b) {
  Vector all;
  for (size_t k = 0; k < a.size(); ++k) {
    const double x = bf16(a[k]);
    const double y = bf16(b[k]);
    all.push_back(bf16(a[k] - x) * y);
    all.push_back(x * bf16(b[k] - y));
  }
  const Vector high = products(a, b, bf16);
  all.insert(all.end(), high.begin(), high.end());
  return unit_sum(all, 16, 23);
}

const std::vector<Machine>& machines() {
  static const std::vector<Machine> all = {
      {"strict-out, bf16", Accumulation::kStrictOut, kBF16, kBF16,
       [](const Vector& a, const Vector& b) {
         return in_order(products(a, b, same), kBF16);
       }},
      {"f32-rn, bf16", Accumulation::kF32Rn, kBF16, kBF16,
       [](const Vector& a, const Vector& b) {
         return in_order(products(a, b, same), kF32);
       }},
      {"f32-tc, f16", Accumulation::kF32Tc, kF16, kF32,
       [](const Vector& a, const Vector& b) {
         return unit_sum(products(a, b, same), 4, 23);
       }},
      {"f32-tc, bf16", Accumulation::kF32Tc, kBF16, kF32,
       [](const Vector& a, const Vector& b) {
         return unit_sum(products(a, b, same), 16, 23);
       }},
      {"tf32", Accumulation::kTf32, kF32, kF32,
       [](const Vector& a, const Vector& b) {
         const auto operand = [](double x) { return cut(x, 11); };
         return unit_sum(products(a, b, operand), 8, 23);
       }},
      {"bf16x1", Accumulation::kBf16x1, kF32, kF32,
       [](const Vector& a, const Vector& b) {
         return unit_sum(products(a, b, bf16), 16, 23);
       }},
      {"bf16x3", Accumulation::kBf16x3, kF32, kF32, three_products},
      {"fp8-fast", Accumulation::kFp8Fast, kF8E4M3FN, kF32,
       [](const Vector& a, const Vector& b) {
         return unit_sum(products(a, b, same), 32, 13);
       }},
  };
  return all;
}

/// Numbers of one sign, or cancelling but for a few.
Vector draw(std::mt19937_64& random, size_t n, bool cancels, ElementType type) {
  Vector x;
  for (size_t k = 0; k < n; ++k) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    const bool negative = cancels && k % 2 == 1;
    const double number =
        std::ldexp(1 + unit, static_cast<int>(k % 12) / 2 - 3);
    x.push_back(rounded(negative ? -x.back() : number, type));
  }
  return x;
}

/// |dot - exact| over the bound.
double share(const Machine& machine, const Vector& a, const Vector& b) {
  numeric::ExactSum exact;
  for (size_t k = 0; k < a.size(); ++k) exact.add_product(a[k], b[k]);
  const double dot = rounded(machine.dot(a, b), machine.result);
  numeric::ExactSum error = exact;
  error.add(-dot);
  const numeric::FloatFormat& f64 = numeric::format(kF64);
  const double s = numeric::decode(exact.round(f64).bits, f64);
  const double off = numeric::decode(error.round(f64).bits, f64);
  const Summation summation{.terms = static_cast<double>(a.size()),
                            .magnitude = exact.magnitude(),
                            .sum = std::fabs(s) * (1 + 0x1p-50),
                            .products = true,
                            .operand = machine.operand,
                            .result = machine.result};
  return std::fabs(off) / accumulated_error(machine.accumulation, summation);
}

TEST(Accumulation, BoundsTheMachinesOfEveryProfile) {
  std::mt19937_64 random(17);
  for (const Machine& machine : machines()) {
    double worst = 0;
    for (int n = 0; n < 300; ++n) {
      const size_t terms = 1 + random() % 100;
      const Vector a = draw(random, terms, n % 2 == 0, machine.operand);
      const Vector b = draw(random, terms, false, machine.operand);
      worst = std::max(worst, share(machine, a, b));
    }
    fmt::print("{:<18} {:.3f} of the bound\n", machine.name, worst);
    EXPECT_LE(worst, 1) << machine.name;
    EXPECT_GT(worst, 0.001) << machine.name;
  }
}

/// Terms of magnitude 1 in all, with a sum of 0, in f32: a share of one loses
/// the page's (2 (b + 1) 2^-f + 2^-min(f, 23)) for each block, and that share
/// of itself again.
struct UnitRow {
  Accumulation accumulation;
  ElementType operand;
  double terms;
  double lost;  // by all blocks
  double d;     // of products of f32 operands
};

constexpr double kF23 = 0x1p-23;
constexpr double kF13 = 0x1p-13;

// 5 terms are one block of 16 or 32, or 2 of 4; of 200 there are 50 of 4, or 13
// of 16 and 7 of 32.
constexpr UnitRow kUnitRows[] = {
    {Accumulation::kF32Tc, kBF16, 5, 35 * kF23, 0},
    {Accumulation::kF32Tc, kF16, 200, 50 * 11 * kF23, 0},
    {Accumulation::kFp8Fast, kF8E4M3FN, 5, 67 * kF13, 0},
    {Accumulation::kFp8Fast, kF8E4M3FN, 200, 7 * 67 * kF13, 0},
    {Accumulation::kTf32, kF32, 5, 35 * kF23, 0x1p-9 + 0x1p-20},
    {Accumulation::kBf16x1, kF32, 200, 50 * 11 * kF23, 0x1p-7 + 0x1p-16},
    {Accumulation::kBf16x3, kF32, 200, 50 * 11 * kF23, 3 * 0x1p-16},
    {Accumulation::kBf16x6, kF32, 5, 35 * kF23, 0x1p-22},
    {Accumulation::kBf16x9, kF32, 5, 35 * kF23, 0x1p-22},
};

TEST(Accumulation, OfMatrixUnitsIsThatOfThePage) {
  for (const UnitRow& row : kUnitRows) {
    const Summation s{.terms = row.terms,
                      .magnitude = 1,
                      .sum = 0,
                      .products = true,
                      .operand = row.operand,
                      .result = kF32};
    const double share = row.lost * (1 + row.lost);
    const double error = row.d + share * (1 + row.d);
    EXPECT_NEAR(accumulated_error(row.accumulation, s) / error, 1, 0x1p-30)
        << name(row.operand) << " " << row.terms;
  }
}

// What a profile is for: bf16 operands leave the bound of f32 ones.
TEST(Accumulation, OfF32RejectsNarrowedOperands) {
  std::mt19937_64 random(5);
  Machine machine = machines()[5];
  machine.accumulation = Accumulation::kF32Rn;
  const Vector a = draw(random, 20, true, kF32);
  const Vector b = draw(random, 20, false, kF32);
  EXPECT_GT(share(machine, a, b), 1);
}

// Four products that underflow each lose the least number of the accumulator.
// The last rounding, where the accumulator is finer, loses half of the
// result's.
TEST(Accumulation, LosesTheLeastNumberOfTheAccumulator) {
  const struct {
    Accumulation accumulation;
    ElementType type;
    double lost;
  } rows[] = {
      {Accumulation::kF32Rn, kF16, 4 * 0x1p-149 + 0x1p-25},
      {Accumulation::kF32Rn, kF32, 4 * 0x1p-149},
      {Accumulation::kF32Rn, kF64, 4 * 0x1p-1074},
      {Accumulation::kStrictOut, kF16, 4 * 0x1p-24},
  };

  for (const auto& [accumulation, type, lost] : rows) {
    const Summation s{.terms = 4,
                      .magnitude = 0,
                      .sum = 0,
                      .products = true,
                      .operand = type,
                      .result = type};
    EXPECT_NEAR(accumulated_error(accumulation, s) / lost, 1, 0x1p-30)
        << name(type);
  }
}

}  // namespace
}  // namespace hlo::conformance
