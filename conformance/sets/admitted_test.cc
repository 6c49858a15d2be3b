#include "conformance/sets/admitted.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "conformance/judge/set.h"
#include "conformance/levels/profile_text.h"
#include "conformance/sets/element_rule.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/numeric/special/mpfr_functions.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using numeric::Real;

struct Row {
  numeric::Function function;
  const char* operation;
  int (*mpfr)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
};

constexpr std::array<Row, 4> kRows = {{
    {numeric::Function::kExponential, "exponential", mpfr_exp},
    {numeric::Function::kLog, "log", mpfr_log},
    {numeric::Function::kTanh, "tanh", mpfr_tanh},
    {numeric::Function::kCbrt, "cbrt", mpfr_cbrt},
}};

constexpr mpfr_prec_t kPrecision = 400;

/// |y - f(x)| <= units * ulp(f(x)), by MPFR alone; y has the sign of f(x), and
/// is zero where that is.
bool is_within(const Row& row, double x, double y, double units,
               const FloatFormat& format) {
  Real r(kPrecision);
  numeric::set(r, x);
  row.mpfr(r.get(), r.get(), MPFR_RNDN);
  if (mpfr_zero_p(r.get()) != 0) return y == 0;
  const auto exponent = std::clamp<long>(
      mpfr_get_exp(r.get()) - 1, format.min_exponent(), format.max_exponent());
  Real error(kPrecision);
  mpfr_sub_d(error.get(), r.get(), y, MPFR_RNDN);
  const double bound =
      std::ldexp(units, static_cast<int>(exponent) - format.mantissa_bits);
  const bool same_sign = mpfr_signbit(r.get()) == (std::signbit(y) ? 1 : 0);
  return same_sign && mpfr_cmp_d(error.get(), bound) <= 0 &&
         mpfr_cmp_d(error.get(), -bound) >= 0;
}

class Agreement : public testing::TestWithParam<ElementType> {};

ExactValue exact(const Row& row, double x, const FloatFormat& format) {
  return {.rounded = numeric::evaluate(row.function, x, format),
          .wide = numeric::evaluate(row.function, x,
                                    numeric::format(ElementType::kF64))};
}

/// Compares the sets for the positive codes around the result.
void agree(const Row& row, double x, double units, const FloatFormat& format) {
  const ExactValue value = exact(row, x, format);
  const ValueSet set = admitted(value, {.bound = {.ulps = units}}, format);
  const Place center = place_of(value.rounded.bits, format.type);
  const auto most = static_cast<Place>(2 * units) + 1;
  const Place last = std::min(center + most, greatest_place(format.type));
  for (Place place = std::max<Place>(center - most, 0); place <= last;
       ++place) {
    const uint64_t y = code_at(place, format.type);
    if (!is_finite(y, format)) continue;
    const double near = numeric::decode(y, format);
    EXPECT_EQ(set.contains(y, format.type),
              place == center || is_within(row, x, near, units, format))
        << row.operation << '(' << x << ") " << units << " units, "
        << place - center << " codes off";
  }
}

// Around every result, the codes that the set holds are those that MPFR finds
// within the bound.
TEST_P(Agreement, OfUlpsWithMpfr) {
  const FloatFormat& format = numeric::format(GetParam());
  std::mt19937_64 random(3);
  for (const Row& row : kRows) {
    for (int n = 0; n < 60; ++n) {
      const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
      const double x = numeric::decode(
          numeric::encode(std::ldexp(1 + unit, n % 5 - 3), format), format);
      for (const double units : {0.5, 1.0, 2.5, 4.0}) {
        agree(row, x, units, format);
      }
    }
  }
}

// Results just below 1 have the units of the binade below.
TEST_P(Agreement, OfUlpsBelowAPowerOfTwo) {
  const FloatFormat& format = numeric::format(GetParam());
  for (const double x : {5.0, 6.0, 9.0, 12.0, 16.0, 18.0, 20.0, 40.0}) {
    for (const double units : {1.0, 4.0, 5.0})
      agree(kRows[2], x, units, format);
  }
  for (int exponent = format.min_exponent(); exponent < 0; ++exponent) {
    const double x = -std::ldexp(1, exponent);
    for (const double units : {1.0, 3.0}) agree(kRows[0], x, units, format);
  }
}

// Beyond the largest number the units are its own.
TEST_P(Agreement, OfUlpsWhereResultsOverflow) {
  const FloatFormat& format = numeric::format(GetParam());
  const double most = numeric::decode(format.max_finite(), format);
  const Place edge =
      place_of(numeric::encode(std::log(most), format), format.type);
  for (Place place = edge - 8; place <= edge + 8; ++place) {
    const double x = numeric::decode(code_at(place, format.type), format);
    for (const double units : {1.0, 4.0, 16.0})
      agree(kRows[0], x, units, format);
  }
}

// exp(11.0938) = 65758.9 lies 7.97 units of 32 above 65504, the largest f16.
TEST(Admitted, CountsStepsDownFromInfinity) {
  const FloatFormat& format = numeric::format(ElementType::kF16);
  const ExactValue value = exact(kRows[0], 11.09375, format);
  for (const int steps : {7, 8, 9, 11}) {
    const ValueSet set = admitted(value, {.bound = {.steps = steps}}, format);
    for (int below = 0; below < 5; ++below) {
      EXPECT_EQ(set.contains(static_cast<uint64_t>(0x7bff - below),
                             ElementType::kF16),
                below <= steps - 8)
          << steps << ' ' << below;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Agreement,
                         testing::Values(ElementType::kF32, ElementType::kF16,
                                         ElementType::kBF16,
                                         ElementType::kF8E5M2));

TEST(Set, IsAskedByOperationTypesAndInputs) {
  const Shape shape = Shape::array(ElementType::kF32, {2});
  const Literal x = Literal::splat(
      shape, {.type = ElementType::kF32, .bits = {0x40e00000, 0}});
  const std::vector<Literal> inputs = {x};
  const Literal near = Literal::splat(
      shape, {.type = ElementType::kF32, .bits = {0x3f7fffe7, 0}});
  const Op& tanh = *find_op("tanh");
  EXPECT_TRUE(contains(set(tanh, {}, shape, inputs), {near}));
  EXPECT_FALSE(
      contains(set(tanh, {}, shape, inputs, parse_profile("cr")), {near}));
}

TEST(Set, IsThatOfTheAttributesAndOfEachInput) {
  const Module module = text::parse(
      "HloModule m\nENTRY e {\n  x = s32[1,2] parameter(0)\n  y = s32[1,1] "
      "parameter(1)\n  ROOT r = s32[1,3] concatenate(x, y), dimensions={1}\n}");
  const Instruction& root = *module.entry->root;
  const std::vector<Literal> inputs = {
      text::parse_literal_with_shape("s32[1,2] {{7, 8}}"),
      text::parse_literal_with_shape("s32[1,1] {{9}}")};
  const auto sets = set(*root.op, root.attributes, root.shape, inputs);
  const auto holds = [&](const char* result) {
    return contains(sets, {text::parse_literal_with_shape(result)});
  };
  EXPECT_TRUE(holds("s32[1,3] {{7, 8, 9}}"));
  EXPECT_FALSE(holds("s32[1,3] {{9, 7, 8}}"));
}

TEST(Set, IsThatOfInputsOfTheirOwnShapes) {
  const Module module = text::parse(
      "HloModule m\nENTRY e {\n  x = f32[1,2] parameter(0)\n  y = f32[2,3] "
      "parameter(1)\n  ROOT r = f32[1,3] dot(x, y), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}\n}");
  const Instruction& root = *module.entry->root;
  const std::vector<Literal> inputs = {
      text::parse_literal_with_shape("f32[1,2] {{1, 2}}"),
      text::parse_literal_with_shape("f32[2,3] {{1, 2, 3}, {4, 5, 6}}")};
  const auto sets = set(*root.op, root.attributes, root.shape, inputs);
  EXPECT_TRUE(contains(
      sets, {text::parse_literal_with_shape("f32[1,3] {{9, 12, 15}}")}));
  EXPECT_FALSE(contains(
      sets, {text::parse_literal_with_shape("f32[1,3] {{9, 12, 16}}")}));
}

TEST(ValueSet, JoinsTheNearestRanges) {
  ValueSet all;
  for (const Place place : {0, 100, 10, 1000, 12}) {
    all.add(Places{place, place});
  }
  ASSERT_EQ(all.ranges().size(), ValueSet::kMost);
  EXPECT_TRUE(all.contains(11, ElementType::kS32));
  EXPECT_FALSE(all.contains(50, ElementType::kS32));
}

TEST(ValueSet, MakesOneRangeOfNeighbours) {
  ValueSet set = ValueSet::range(3, 4);
  set.add(Places{1, 2});
  EXPECT_EQ(set, ValueSet::range(1, 4));
  set.add(Places{6, 6});
  EXPECT_EQ(set.ranges().size(), 2U);
}

TEST(ValueSet, TellsZerosApart) {
  const ValueSet zero = ValueSet::of(0, ElementType::kF32);
  EXPECT_FALSE(zero.contains(0x80000000, ElementType::kF32));
  EXPECT_EQ(code_at(place_of(0x80000000, ElementType::kF32), ElementType::kF32),
            0x80000000U);
}

TEST(ValueSet, TellsNansApart) {
  const auto type = ElementType::kF16;
  ValueSet set = ValueSet::of(0x7e01, type);
  set.add_nan_code(0xfe02, type);
  EXPECT_TRUE(set.contains(0xfe02, type));
  EXPECT_FALSE(set.contains(0x7e00, type));
  set.add_nan_code(0x7c01, type);
  EXPECT_TRUE(set.contains(0x7c01, type));
  EXPECT_FALSE(set.contains(0x7c02, type));
  set.add_quiet_nan();
  ValueSet quiet = ValueSet::any_quiet_nan();
  quiet.add_nan_code(0x7c01, type);
  EXPECT_EQ(set, quiet);
  EXPECT_EQ(describe(set, type), "any quiet NaN, or nan(0x1) (bits 7c01)");
}

TEST(ValueSet, HasAPlaceForEveryCode) {
  for (const TypeInfo& row : all_types()) {
    if (!is_float(row.type) || row.bits > 16) continue;
    const FloatFormat& format = numeric::format(row.type);
    for (uint64_t code = 0; code < uint64_t{1} << format.width(); ++code) {
      if (numeric::is_nan(code, format)) continue;
      EXPECT_EQ(code_at(place_of(code, row.type), row.type), code) << row.name;
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
