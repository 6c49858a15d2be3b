#include "conformance/sweep/complex_measurer.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "conformance/sweep/error_units.h"
#include "conformance/sweep/part_units.h"
#include "conformance/sweep/recorded/sweep_events.h"
#include "conformance/sweep/testing/first_chunk.h"
#include "interpreter/definition/functions/elementary_complex.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo::conformance {
namespace {

using definition::Real;

constexpr uint64_t kOne = 0x3f800000;

struct Swept : FirstChunk<ComplexMeasurer> {
  using FirstChunk::FirstChunk;

  /// The place of an operand's codes.
  int64_t find(const SweepCode& z) const {
    for (int64_t i = 0; i < points.operands[0].element_count(); ++i) {
      if (points.operands[0].at(i).bits == z) return i;
    }
    return -1;
  }

  void put(const SweepCode& z, const SweepCode& result) {
    ASSERT_GE(set(z, result), 1);
  }
};

std::string strictest_of(const SweepTally& tally) {
  const auto rank = strictest(tally, 0);
  return rank ? all_levels()[*rank].name : "none";
}

TEST(ComplexMeasurer, FindsNothingInTheReference) {
  for (const auto& [op, type] :
       std::initializer_list<std::pair<const char*, const char*>>{
           {"exponential", "c64"},
           {"log", "c64"},
           {"negate", "c128"},
           {"sqrt", "c128"},
           {"add", "c64"},
           {"multiply", "c64"},
           {"divide", "c128"}}) {
    const Swept swept(op, type);
    const SweepTally tally = swept.tally();
    EXPECT_EQ(tally.elements, swept.results.element_count()) << op;
    EXPECT_EQ(tally.same, tally.elements) << op;
    EXPECT_LE(tally.worst.units, kUnitsPerUlp / 2) << op;
    EXPECT_EQ(tally.faults, (SweepTally{}.faults)) << op;
    EXPECT_EQ(tally.odd, swept.points.mirrored) << op;
    EXPECT_FALSE(tally.even) << op;
    EXPECT_EQ(strictest(tally, 0), 0U) << op;
    EXPECT_EQ(strictest(tally, 1), 0U) << op;
  }
}

// exp(0) = 1, with a zero of the argument's sign beside it; exp(1) = e, which
// is 0x0.34626... of a unit above 402df854 (error_units_test).
TEST(ComplexMeasurer, MeasuresEachPart) {
  Swept swept("exponential", "c64");
  swept.put({kOne, 0}, {0x402df855, 0});
  const SweepTally tally = swept.tally();
  EXPECT_EQ(tally.same, tally.elements - 1);
  EXPECT_EQ(tally.worst.units, 669);
  EXPECT_EQ(tally.worst.part, 0);
  EXPECT_EQ(tally.worst.operands[0], (SweepCode{kOne, 0}));
  EXPECT_EQ(tally.worst.actual, (SweepCode{0x402df855, 0}));
  EXPECT_EQ(tally.worst.reference, (SweepCode{0x402df854, 0}));
  // Only its conjugate's result is no conjugate, and e lies between the two.
  EXPECT_EQ(count(tally, SweepFault::kSymmetry), 1);
  EXPECT_EQ(strictest_of(tally), "faithful");
}

TEST(ComplexMeasurer, NamesWhatIsWrong) {
  Swept swept("exponential", "c64");
  swept.put({0, 0}, {kOne, 0x80000000});           // the other zero
  swept.put({kOne, 0}, {0x7fc00000, 0});           // NaN
  swept.put({0, kOne}, {0x7f800000, 0x3f576aa4});  // cos 1 is none
  swept.put({kOne, kOne}, {0x3fbbfe2a, 0});        // far off
  swept.put({0x7f800000, 0}, {kOne, 0});           // infinite
  const SweepTally tally = swept.tally();
  EXPECT_EQ(tally.same, tally.elements - 5);
  EXPECT_EQ(count(tally, SweepFault::kZeroSign), 1);
  EXPECT_EQ(count(tally, SweepFault::kNan), 1);
  EXPECT_EQ(count(tally, SweepFault::kInfinite), 1);
  EXPECT_EQ(count(tally, SweepFault::kFinite), 1);
  EXPECT_EQ(count(tally, SweepFault::kSymmetry), 5);
  EXPECT_EQ(tally.worst.units, kMostUnits);
  EXPECT_EQ(tally.worst.part, 1);
  EXPECT_EQ(strictest_of(tally), "none");
}

// A part that is small beside the other may be off by units of the modulus:
// that is the gate, and no level that asks for parts.
TEST(ComplexMeasurer, LevelsAboveTheGateAreByParts) {
  Swept swept("exponential", "c64");
  const int64_t i = swept.find({kOne, 1});  // e + 2^-149 e i
  ASSERT_GE(i, 0);
  Scalar result = swept.results.at(i);
  result.bits[1] = 0x33000000;  // 2^-25: a quarter of a unit of e is 2^-24
  swept.results.set(i, result);
  const SweepTally tally = swept.tally();
  EXPECT_EQ(tally.worst.units, kMostUnits);
  EXPECT_EQ(tally.worst.part, 1);
  EXPECT_EQ(strictest_of(tally), "tight");
  EXPECT_EQ(tally.levels[0].at(2).first[0], (SweepCode{kOne, 1}));
}

TEST(ComplexMeasurer, FlushedPartsAreNotMeasured) {
  Swept swept("exponential", "c64");
  const SweepCode z = {kOne, 1};
  Scalar result = swept.results.at(swept.find(z));
  result.bits[1] = 0;
  swept.put(z, result.bits);
  const SweepTally tally = swept.tally();
  EXPECT_EQ(count(tally, SweepFault::kFlushedResult), 1);
  EXPECT_EQ(count(tally, SweepFault::kFlushedOperand), 1);
  EXPECT_LE(tally.worst.units, kUnitsPerUlp / 2);
}

TEST(SweepEvents, HoldBothParts) {
  Swept swept("exponential", "c128");
  const SweepCode z = swept.points.operands[0].at(5).bits;
  swept.put(z, {0x3ff0000000000000, 0x4008000000000001});
  const SweepTally tally = swept.tally();
  const std::string line = sweep_chunk(3, tally);
  EXPECT_NE(line.find("3ff0000000000000:4008000000000001"), std::string::npos);
  EXPECT_EQ(read_sweep_chunk(line).tally, tally);
}

// Every pair of exponents of c64 and sign of the real part; conjugates behind.
TEST(SweepPlan, HasAllExponentsOfBothParts) {
  const SweepPlan plan(swept_operation("exp", "c64"), std::nullopt);
  std::set<std::pair<uint64_t, uint64_t>> seen;
  for (int64_t chunk = 0; chunk < plan.chunk_count(); ++chunk) {
    const SweepPoints points = plan.points(chunk);
    ASSERT_TRUE(points.mirrored);
    const int64_t half = points.runs[1].begin;
    for (int64_t i = 0; i < half; ++i) {
      const SweepCode z = points.operands[0].at(i).bits;
      const SweepCode other = points.operands[0].at(half + i).bits;
      ASSERT_EQ(z[0], other[0]);
      ASSERT_EQ(z[1] | 0x80000000, other[1]);
      seen.emplace(z[0] >> 23, z[1] >> 23);
    }
  }
  EXPECT_EQ(seen.size(), 512U * 256U);
}

TEST(SweepPlan, HasCancellingProducts) {
  const SweepPlan plan(swept_operation("multiply", "c64"), std::nullopt);
  const SweepPoints points = plan.points(0);
  int64_t cancelling = 0;
  for (int64_t i = 0; i < points.runs[0].size(); ++i) {
    const auto part = [&](size_t k, size_t p) {
      return double{std::bit_cast<float>(
          static_cast<uint32_t>(points.operands[k].at(i).bits.at(p)))};
    };
    const double one = part(0, 0) * part(1, 0);
    const double other = part(0, 1) * part(1, 1);
    const double least = std::fabs(one) * 0x1p-20;
    cancelling += std::fabs(one - other) < least ? 1 : 0;
  }
  EXPECT_GT(cancelling, points.runs[0].size() / 64);
}

/// The units by one formula, of (a + bi)(c + di) in 5000 bits.
int64_t product_units(double a, double b, double c, double d, float y) {
  constexpr mpfr_prec_t kPrecision = 5000;
  numeric::Real r(kPrecision);
  numeric::Real other(kPrecision);
  mpfr_set_d(r.get(), a, MPFR_RNDN);
  mpfr_mul_d(r.get(), r.get(), c, MPFR_RNDN);
  mpfr_set_d(other.get(), b, MPFR_RNDN);
  mpfr_mul_d(other.get(), other.get(), d, MPFR_RNDN);
  mpfr_sub(r.get(), r.get(), other.get(), MPFR_RNDN);
  const bool is_zero = mpfr_zero_p(r.get()) != 0;
  const int64_t exponent = is_zero ? -126 : mpfr_get_exp(r.get()) - 1;
  const int64_t ulp = std::max<int64_t>(exponent, -126) - 23;
  mpfr_sub_d(r.get(), r.get(), y, MPFR_RNDN);
  mpfr_abs(r.get(), r.get(), MPFR_RNDN);
  mpfr_mul_2si(r.get(), r.get(), 10 - ulp, MPFR_RNDN);
  mpfr_floor(r.get(), r.get());
  const bool many = mpfr_cmp_si(r.get(), kMostUnits) >= 0;
  return many ? kMostUnits : mpfr_get_si(r.get(), MPFR_RNDN);
}

TEST(PartUnits, AreThoseOfTheFormula) {
  const Swept swept("multiply", "c64");
  const numeric::FloatFormat& format = numeric::format(ElementType::kF32);
  int64_t measured = 0;
  for (int64_t i = 0; i < swept.results.element_count(); i += 3) {
    std::array<double, 4> x{};
    for (size_t k = 0; k < x.size(); ++k) {
      x.at(k) = numeric::decode(
          swept.points.operands.at(k / 2).at(i).bits.at(k % 2), format);
    }
    const uint64_t right = swept.results.at(i).bits[0];
    const uint64_t actual = right ^ static_cast<uint64_t>(i % 4);
    const double y = numeric::decode(actual, format);
    const bool finite =
        std::isfinite(y) &&
        std::ranges::all_of(x, [](double part) { return std::isfinite(part); });
    if (!finite) continue;
    const Real exact = Real(x[0]) * Real(x[2]) - Real(x[1]) * Real(x[3]);
    EXPECT_EQ(part_units(exact, actual, format),
              product_units(x[0], x[1], x[2], x[3], static_cast<float>(y)))
        << i;
    ++measured;
  }
  EXPECT_GT(measured, 1000);
}

// exp(2^-33) = 1 + 2^-33 + 2^-67: above the first border above 1, of which its
// 80 bits alone say so; exp(-2^-34) is short of the border.
TEST(PartUnits, DecideBordersByTheOddBit) {
  const numeric::FloatFormat& format = numeric::format(ElementType::kF32);
  const auto exponential = [](double x) {
    return definition::evaluate(numeric::ComplexFunction::kExponential,
                                {Real(x), Real(0)})
        .re;
  };
  EXPECT_EQ(part_units(exponential(0x1p-33), kOne, format), 1);
  EXPECT_EQ(part_units(exponential(-0x1p-34), kOne, format), 0);
  EXPECT_EQ(part_units(Real(1), kOne, format), 0);
  EXPECT_EQ(part_units(Real(0), 1, format), kUnitsPerUlp);
  EXPECT_EQ(part_units(Real(1), kOne | 0x80000000, format), kMostUnits);
}

}  // namespace
}  // namespace hlo::conformance
