#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/evaluate.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/real/testing/oracle.h"
#include "interpreter/plans/fold/fold.h"
#include "interpreter/rules/plan.h"
#include "interpreter/testing/random_case.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

// Products against MPFR, running sums against sums of each window.

namespace hlo {
namespace {

using numeric::FloatFormat;
using numeric::Real;
using testing::make_instruction;
using testing::Random;

/// A module whose first computation joins two scalars of the type.
Module region(ElementType type, const std::string& op) {
  const std::string scalar = std::string(name(type)) + "[]";
  Module module = text::parse("HloModule m\nregion {\n a = " + scalar +
                              " parameter(0)\n b = " + scalar +
                              " parameter(1)\n ROOT c = " + scalar + " " + op +
                              "(a, b)\n}\nENTRY e { ROOT p = " + scalar +
                              " parameter(0) }\n");
  verify(module);
  return module;
}

constexpr int64_t kMostFactors = 60;

uint64_t define_product(const Literal& operand, int64_t first, int64_t n,
                        const Scalar& init) {
  const FloatFormat& format = numeric::format(operand.type());
  // In which the product of n factors and an init is exact.
  Real product(53 * static_cast<mpfr_prec_t>(n + 1));
  mpfr_set_d(product.get(), numeric::decode(init.bits[0], format), MPFR_RNDN);
  for (int64_t k = 0; k < n; ++k) {
    mpfr_mul_d(product.get(), product.get(),
               numeric::decode(operand.at(first + k).bits[0], format),
               MPFR_RNDN);
  }
  if (mpfr_nan_p(product.get()) != 0) return numeric::nan_code(false, format);
  if (mpfr_inf_p(product.get()) != 0) {
    return numeric::encode(mpfr_get_d(product.get(), MPFR_RNDN), format);
  }
  return format.width() > 8
             ? numeric::oracle::round_ieee(product.get(), format)
             : numeric::oracle::round_by_search(product.get(), format);
}

TEST(FoldExact, ProductsAreRoundedOnce) {
  using enum ElementType;
  Random random(30);
  for (int i = 0; i < 900; ++i) {
    const ElementType types[] = {kF64,    kF32,      kBF16,       kF16,
                                 kF8E5M2, kF8E4M3FN, kF8E4M3FNUZ, kF4E2M1FN};
    const ElementType type = types[i % 8];
    const int64_t n = random.one_in(2) ? random.between(0, 4)
                                       : random.between(0, kMostFactors);
    const Module module = region(type, "multiply");
    const Shape shape = Shape::array(type, {3, n});
    const auto owned = make_instruction(
        "reduce", {shape, Shape::scalar(type)},
        {{"dimensions", Ints{1}}, {"to_apply", module.computations[0].get()}});
    const Literal operands[] = {random.literal(shape),
                                random.literal(Shape::scalar(type))};
    Evaluator evaluator(kReference);
    const Literal result =
        evaluate_instruction(owned->instruction, operands, evaluator);
    const FloatFormat& format = numeric::format(type);
    for (int64_t r = 0; r < 3; ++r) {
      const uint64_t expected =
          define_product(operands[0], r * n, n, operands[1].scalar());
      const uint64_t actual = result.at(r).bits[0];
      const bool both_nan =
          numeric::is_nan(expected, format) && numeric::is_nan(actual, format);
      ASSERT_TRUE(both_nan || expected == actual)
          << "case " << i << " " << name(type) << " of " << n
          << " factors: " << std::hex << actual << " and not " << expected;
    }
  }
}

TEST(FoldExact, LongProductsNeitherOverflowNorUnderflowOnTheirWay) {
  const Shape shape = Shape::array(ElementType::kF64, {3, 3001});
  Literal operand(shape);
  double* const x = operand.mutable_data<double>().data();
  for (int64_t k = 0; k < 3001; ++k) {
    x[k] = k < 1500 ? 0x1.8p900 : 0x1.8p-900;
    x[3001 + k] = 0x1p-1000;
    x[6002 + k] = k == 0 ? -0x1p1000 : 0x1p500;
  }
  x[3000] = 0x1p-1000;
  const Module module = region(ElementType::kF64, "multiply");
  const auto owned = make_instruction(
      "reduce", {shape, Shape::scalar(ElementType::kF64)},
      {{"dimensions", Ints{1}}, {"to_apply", module.computations[0].get()}});
  Literal one(Shape::scalar(ElementType::kF64));
  one.mutable_data<double>()[0] = 1;
  const Literal operands[] = {operand, one};
  Evaluator evaluator(kReference);
  const Literal result =
      evaluate_instruction(owned->instruction, operands, evaluator);
  // 3^3000 2^-3000 2^-1000.
  Real expected(8000);
  mpfr_ui_pow_ui(expected.get(), 3, 3000, MPFR_RNDN);
  mpfr_div_2ui(expected.get(), expected.get(), 4000, MPFR_RNDN);
  EXPECT_EQ(result.data<double>()[0], mpfr_get_d(expected.get(), MPFR_RNDN));
  EXPECT_EQ(result.data<double>()[1], 0);
  EXPECT_EQ(result.data<double>()[2], -std::numeric_limits<double>::infinity());
}

/// A factor near one, or most often plus or minus one.
double make_factor(Random& random, bool near_one) {
  double x = random.one_in(2) ? 1 : -1;
  if (near_one) x *= static_cast<double>(random.between(90, 140)) / 128;
  if (random.one_in(20)) x *= random.one_in(2) ? 2 : 0.5;
  return x;
}

/// Factors whose products stay in the format's range for a while, or go through
/// its subnormal numbers, or are ties: few of them are no powers of two. Seldom
/// one is zero, infinite or NaN.
Literal make_factors(Random& random, const Shape& shape, int64_t style) {
  const FloatFormat& format = numeric::format(shape.element_type);
  Literal factors(shape);
  for (int64_t i = 0; i < factors.element_count(); ++i) {
    const double x = make_factor(random, style == 0 || random.one_in(50));
    const uint64_t code = numeric::encode(x, format);
    factors.set(i, {format.type, {code, 0}});
    if (!random.one_in(400)) continue;
    factors.set(i, random.literal(Shape::scalar(format.type)).scalar());
  }
  const double first = std::ldexp(1, format.min_exponent());
  if (style == 2)
    factors.set(0, {format.type, {numeric::encode(first, format), 0}});
  return factors;
}

/// A fold of an operand by windows, and its value.
struct Folded {
  Module module;
  std::unique_ptr<testing::Owned> owned;
  Literal result;
  Fold fold;
};

Folded fold_windows(const Literal& operand, const Window& window,
                    const Scalar& init, const std::string& op) {
  const ElementType type = operand.type();
  Module module = region(type, op);
  auto owned = make_instruction(
      "reduce-window", {operand.shape(), Shape::scalar(type)},
      {{"window", window}, {"to_apply", module.computations[0].get()}});
  const Literal operands[] = {operand, Literal::of(init)};
  Evaluator evaluator(kReference);
  Literal result =
      evaluate_instruction(owned->instruction, operands, evaluator);
  Fold fold = find_plan(*owned->instruction.op).plan->fold(owned->instruction);
  return {std::move(module), std::move(owned), std::move(result),
          std::move(fold)};
}

/// Windows of 128 elements and more that slide along the last of two
/// dimensions, of which the other may be padded.
Window draw_sliding(Random& random, bool is_padded, int64_t n) {
  const int64_t size = random.one_in(2) ? n : random.between(128, n);
  const bool backwards = random.one_in(3);
  const WindowDimension sliding{.size = size,
                                .stride = random.between(1, 3),
                                .low = backwards ? 0 : size - 1,
                                .high = backwards ? size - 1 : 0};
  return {{{.size = 1, .stride = 1, .low = is_padded ? 1 : 0}, sliding}};
}

/// Some products of a fold by `window` along the last dimension of two.
void expect_products_of_windows(const Literal& operand, const Window& window,
                                const Scalar& init) {
  const auto [module, owned, result, fold] =
      fold_windows(operand, window, init, "multiply");
  const FloatFormat& format = numeric::format(operand.type());
  for (int64_t p = 0; p < result.element_count(); p += 3) {
    int64_t first = 0;
    int64_t n = 0;
    for_each_cell(fold, p, [&](int64_t cell) { first = cell - n++; });
    const uint64_t expected = define_product(operand, first, n, init);
    const uint64_t actual = result.at(p).bits[0];
    const bool both_nan =
        numeric::is_nan(expected, format) && numeric::is_nan(actual, format);
    ASSERT_TRUE(both_nan || expected == actual)
        << name(operand.type()) << " window " << p << " of " << n
        << " factors: " << std::hex << actual << " and not " << expected;
  }
}

TEST(FoldExact, RunningProductsAreTheProductsOfTheirWindows) {
  using enum ElementType;
  Random random(32);
  for (int i = 0; i < 60; ++i) {
    const ElementType types[] = {kF32, kF64, kBF16, kF16, kF8E4M3FN};
    const ElementType type = types[i % 5];
    const int64_t n = random.between(130, 200);
    const Window window = draw_sliding(random, i % 2 == 1, n);
    const Literal operand =
        make_factors(random, Shape::array(type, {2, n}), i % 3);
    const Literal init = make_factors(random, Shape::scalar(type), 0);
    ASSERT_NO_FATAL_FAILURE(
        expect_products_of_windows(operand, window, init.scalar()));
  }
}

// The product has 54 bits: half a step more than a double, or less.
TEST(FoldExact, RunningProductsMayBeTies) {
  constexpr int64_t kCells = 200;
  for (const double sign : {1.0, -1.0}) {
    Literal operand(Shape::array(ElementType::kF64, {kCells}));
    const auto factors = operand.mutable_data<double>();
    std::ranges::fill(factors, 1);
    factors[3] = 0x1p27 + sign;
    factors[7] = 0x1p26 + 1;
    Literal one(Shape::scalar(ElementType::kF64));
    one.mutable_data<double>()[0] = 1;
    const Window window{{{.size = kCells, .low = kCells - 1}}};
    ASSERT_NO_FATAL_FAILURE(
        expect_products_of_windows(operand, window, one.scalar()));
  }
}

/// The windows of a fold along the only dimension.
void expect_sums_of_windows(const Literal& operand, const Window& window,
                            const Scalar& init) {
  const ElementType type = operand.type();
  const auto [module, owned, result, fold] =
      fold_windows(operand, window, init, "add");
  const FloatFormat& format = numeric::format(component_type(type));
  for (int64_t p = 0; p < result.element_count(); ++p) {
    for (size_t part = 0; part < (is_complex(type) ? 2 : 1); ++part) {
      numeric::ExactSum sum;
      sum.add(numeric::decode(init.bits[part], format));
      for_each_cell(fold, p, [&](int64_t cell) {
        sum.add(numeric::decode(operand.at(cell).bits[part], format));
      });
      ASSERT_EQ(result.at(p).bits[part], sum.round(format).bits)
          << name(type) << " window " << p;
    }
  }
}

TEST(FoldExact, RunningSumsAreTheSumsOfTheirWindows) {
  using enum ElementType;
  Random random(31);
  for (int i = 0; i < 60; ++i) {
    const ElementType types[] = {kF32, kF64, kBF16, kC64, kF8E4M3FN};
    const ElementType type = types[i % 5];
    const int64_t n = random.between(130, 300);
    const Window window = draw_sliding(random, i % 2 == 1, n);
    const Literal operand = random.literal(Shape::array(type, {2, n}));
    const Literal init = random.literal(Shape::scalar(type));
    ASSERT_NO_FATAL_FAILURE(
        expect_sums_of_windows(operand, window, init.scalar()));
  }
}

}  // namespace
}  // namespace hlo
