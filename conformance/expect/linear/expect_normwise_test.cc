#include "conformance/expect/linear/expect_normwise.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <vector>

#include "conformance/expect/expect_module.h"
#include "conformance/sets/membership.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using numeric::Real;
using Complex = std::complex<double>;

constexpr mpfr_prec_t kPrecision = 300;

/// An operation of complex numbers on single elements, and its set.
class Probe {
 public:
  Probe(const std::string& operation, ElementType type,
        const std::vector<Complex>& operands)
      : format_(numeric::format(component_type(type))) {
    std::string text = "HloModule m\n\nENTRY main {\n";
    std::string list;
    std::vector<Literal> values;
    for (size_t k = 0; k < operands.size(); ++k) {
      text += fmt::format("  x{0} = {1}[] parameter({0})\n", k, name(type));
      list += fmt::format("{}x{}", k > 0 ? ", " : "", k);
      values.push_back(
          Literal::splat(Shape::array(type, {}),
                         {type,
                          {numeric::encode(operands[k].real(), format_),
                           numeric::encode(operands[k].imag(), format_)}}));
    }
    text += fmt::format("  ROOT r = {}[] {}({})\n}}\n", name(type), operation,
                        list);
    module_ = verified_module(text);
    operands_ = std::move(values);
    set_ = std::get<ArraySet>(expect_module(module_, operands_).at(0));
  }

  /// Says so with and without a look at the observed value.
  bool admits(size_t part, double value) const {
    const uint64_t code = numeric::encode(value, format_);
    const bool admitted =
        set_.at(0, static_cast<int>(part)).contains(code, format_.type);
    Scalar seen = set_.value.at(int64_t{0});
    seen.bits.at(part) = code;
    const std::vector<Literal> observed = {Literal::of(seen)};
    const Expectation set = expect_module(module_, operands_, &observed).at(0);
    EXPECT_EQ(admitted, contains(std::get<ArraySet>(set), 0, seen).inside);
    return admitted;
  }

  bool admits_nan(size_t part) const {
    return set_.at(0, static_cast<int>(part)).has_nan();
  }

  const FloatFormat& format() const { return format_; }

  double most() const { return numeric::decode(format_.max_finite(), format_); }

 private:
  const FloatFormat& format_;
  Module module_;
  std::vector<Literal> operands_;
  ArraySet set_;
};

/// What the pages promise: parts within so many units of 2^-p of the modulus.
struct Promise {
  Real re{kPrecision};
  Real im{kPrecision};
  double units = 0;

  mpfr_srcptr part(size_t k) const { return k == 0 ? re.get() : im.get(); }
};

/// units |z| 2^-p, times a share.
void error_of(Real& error, const Promise& promise, const FloatFormat& format,
              double share) {
  mpfr_hypot(error.get(), promise.re.get(), promise.im.get(), MPFR_RNDN);
  mpfr_mul_d(error.get(), error.get(),
             std::ldexp(promise.units * share, -format.precision()), MPFR_RNDN);
}

/// Whether a finite number of a part is so near, by MPFR alone.
bool is_near(const Promise& promise, size_t part, double value, double share,
             const FloatFormat& format) {
  Real error(kPrecision);
  error_of(error, promise, format, share);
  Real distance(kPrecision);
  mpfr_sub_d(distance.get(), promise.part(part), value, MPFR_RNDN);
  return mpfr_cmpabs(distance.get(), error.get()) <= 0;
}

/// The exact part and a share of the error besides, in the format.
double moved(const Promise& promise, size_t part, double share,
             const FloatFormat& format) {
  Real value(kPrecision);
  error_of(value, promise, format, share);
  mpfr_add(value.get(), value.get(), promise.part(part), MPFR_RNDN);
  const double near = mpfr_get_d(value.get(), MPFR_RNDN);
  return numeric::decode(numeric::encode(near, format), format);
}

constexpr double kLittle = 0x1p-18;

/// Whether infinity, which counts as 2^(emax+1), is so near.
bool is_infinity_near(const Promise& promise, size_t part, int sign,
                      double share, const FloatFormat& format) {
  Real end(kPrecision);
  error_of(end, promise, format, share);
  mpfr_mul_si(end.get(), end.get(), sign, MPFR_RNDN);
  mpfr_add(end.get(), end.get(), promise.part(part), MPFR_RNDN);
  mpfr_mul_si(end.get(), end.get(), sign, MPFR_RNDN);
  const int exponent = format.type == ElementType::kF32 ? 128 : 1024;
  return mpfr_cmp_ui_2exp(end.get(), 1, exponent) >= 0;
}

/// Compares the set with the promise at numbers around its ends.
void compare(const Probe& probe, const Promise& promise,
             const std::string& what) {
  const FloatFormat& format = probe.format();
  for (size_t part = 0; part < 2; ++part) {
    for (const double share :
         {-1.5, -1.1, -0.9, -0.5, 0.0, 0.5, 0.9, 1.1, 1.5, 30.0, -30.0}) {
      const double y = moved(promise, part, share, format);
      // The number that the exact part rounds to is admitted.
      if (share == 0) {
        EXPECT_TRUE(probe.admits(part, y)) << what;
      }
      if (share == 0 || std::isinf(y)) continue;
      if (is_near(promise, part, y, 1 - kLittle, format)) {
        EXPECT_TRUE(probe.admits(part, y)) << what << ' ' << part << ' ' << y;
      } else if (!is_near(promise, part, y, 1 + kLittle, format)) {
        EXPECT_FALSE(probe.admits(part, y)) << what << ' ' << part << ' ' << y;
      }
    }
    for (const int sign : {-1, 1}) {
      const double y = sign * HUGE_VAL;
      if (moved(promise, part, 0, format) == y) continue;
      if (is_infinity_near(promise, part, sign, 1 - kLittle, format)) {
        EXPECT_TRUE(probe.admits(part, y)) << what << ' ' << part << ' ' << y;
      } else if (!is_infinity_near(promise, part, sign, 1 + kLittle, format)) {
        EXPECT_FALSE(probe.admits(part, y)) << what << ' ' << part << ' ' << y;
      }
    }
    EXPECT_FALSE(probe.admits_nan(part)) << what;
  }
}

// e^x beyond the type, times a cosine and a sine that may bring it back.
TEST(ExpectNormwise, MeasuresExponentialsThatOverflow) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const auto& [type, from, units] :
       {std::tuple{ElementType::kC64, 88.5, 5.0},
        std::tuple{ElementType::kC128, 709.6, 3.0}}) {
    for (int n = 0; n < 500; ++n) {
      const double x = static_cast<float>(from + 4 * unit(random));
      const double y = static_cast<float>(20 * unit(random) - 10);
      const Probe probe("exponential", type, {{x, y}});
      Promise promise{.units = units};
      Real angle(kPrecision);
      numeric::set(angle, y);
      mpfr_sin_cos(promise.im.get(), promise.re.get(), angle.get(), MPFR_RNDN);
      Real size(kPrecision);
      numeric::set(size, x);
      mpfr_exp(size.get(), size.get(), MPFR_RNDN);
      mpfr_mul(promise.re.get(), promise.re.get(), size.get(), MPFR_RNDN);
      mpfr_mul(promise.im.get(), promise.im.get(), size.get(), MPFR_RNDN);
      compare(probe, promise, fmt::format("exp({}, {})", x, y));
    }
  }
}

/// A number with parts of f32 below 2^exponent.
Complex any_number(std::mt19937_64& random, int exponent) {
  std::uniform_real_distribution<double> unit(-1, 1);
  const double re = static_cast<float>(unit(random));
  const double im = static_cast<float>(unit(random));
  return {std::ldexp(re, exponent), std::ldexp(im, exponent)};
}

// No partial product overflows, but a part of the result may.
TEST(ExpectNormwise, MeasuresProductsThatOverflow) {
  std::mt19937_64 random(12);
  for (const auto& [type, exponent] :
       {std::pair{ElementType::kC64, 64}, std::pair{ElementType::kC128, 512}}) {
    for (int n = 0; n < 2000; ++n) {
      const Complex a = any_number(random, exponent);
      const Complex b = any_number(random, exponent);
      Promise product{.units = 2.25};
      const numeric::ExactPair re(a.real(), b.real(), -a.imag(), b.imag());
      const numeric::ExactPair im(a.real(), b.imag(), a.imag(), b.real());
      mpfr_set(product.re.get(), re.get(), MPFR_RNDN);
      mpfr_set(product.im.get(), im.get(), MPFR_RNDN);
      compare(Probe("multiply", type, {a, b}), product,
              fmt::format("({}, {}) * ({}, {})", a.real(), a.imag(), b.real(),
                          b.imag()));
    }
  }
}

// Where a partial product overflows, so may the parts that it is in.
TEST(ExpectNormwise, AdmitsWhatTextbookProductsMakeOfOverflow) {
  const Probe both("multiply", ElementType::kC64, {{1e30, 1e30}, {1e30, 1e30}});
  EXPECT_TRUE(both.admits_nan(0));
  EXPECT_FALSE(both.admits_nan(1));
  EXPECT_TRUE(both.admits(0, 0));
  EXPECT_TRUE(both.admits(1, HUGE_VAL));
  EXPECT_FALSE(both.admits(1, -HUGE_VAL));
  // (4e38 - 2e38) + 4e38 i
  const Probe one("multiply", ElementType::kC64, {{2e19, 1e19}, {2e19, 2e19}});
  EXPECT_TRUE(one.admits(0, 2e38));
  EXPECT_TRUE(one.admits(0, HUGE_VAL));
  EXPECT_FALSE(one.admits(0, -HUGE_VAL));
  EXPECT_FALSE(one.admits(0, 2.1e38));
  EXPECT_FALSE(one.admits_nan(0));
  // Quotients have no such excuse.
  const Probe quotient("divide", ElementType::kC64,
                       {{1e30, 1e30}, {1e30, 1e30}});
  EXPECT_FALSE(quotient.admits_nan(0));
  EXPECT_FALSE(quotient.admits(0, 0));
}

// Infinity counts as one step above the largest number.
TEST(ExpectNormwise, TakesInfinityForTheNextBinade) {
  const Probe last("multiply", ElementType::kC64,
                   {{-0x1.fffffep127, 1}, {1, 0}});
  EXPECT_TRUE(last.admits(0, -HUGE_VAL));
  EXPECT_FALSE(last.admits(0, HUGE_VAL));
  EXPECT_FALSE(last.admits(1, HUGE_VAL));
  const Probe far("multiply", ElementType::kC64,
                  {{-0x1.fffff0p127, 1}, {1, 0}});
  EXPECT_FALSE(far.admits(0, -HUGE_VAL));
}

// log(inf + inf i) = inf + pi/4 i: pi/4 has an error of its own.
TEST(ExpectNormwise, MeasuresPartsBesideInfinityByThemselves) {
  const double part = 0x1.921fb6p-1;  // pi/4 in f32
  const Probe log("log", ElementType::kC64, {{HUGE_VAL, HUGE_VAL}});
  EXPECT_TRUE(log.admits(0, HUGE_VAL));
  EXPECT_FALSE(log.admits(0, log.most()));
  EXPECT_TRUE(log.admits(1, part));
  EXPECT_TRUE(log.admits(1, part + 0x3p-24));
  EXPECT_FALSE(log.admits(1, part + 0x4p-24));
  const Probe real("log", ElementType::kC64, {{HUGE_VAL, 0}});
  EXPECT_TRUE(real.admits(1, 0));
  EXPECT_FALSE(real.admits(1, 1e-45));
}

TEST(ExpectNormwise, MeasuresMagnitudesThatOverflow) {
  const auto module = verified_module(
      "HloModule m\n\nENTRY main {\n"
      "  x = c64[2] constant({(2.4061595e+38, 2.4061597e+38), (3e38, 3e38)})\n"
      "  ROOT r = f32[2] abs(x)\n}\n");
  const auto set = std::get<ArraySet>(expect_module(module, {}).at(0));
  const Place last = place_of(0x7f7fffff, ElementType::kF32);
  EXPECT_EQ(set.at(0).low(), last - 3);
  EXPECT_EQ(set.at(0).high(), last + 1);
  EXPECT_EQ(set.at(1), ValueSet::of(0x7f800000, ElementType::kF32));
}

// The signs that C17 G.6 calls unspecified, and those next to them that it does
// not: of the function at x + yi the part is either infinity, or either zero.
struct SignRow {
  const char* function;
  Complex z;
  std::array<bool, 2> open;
};

constexpr double kInf = HUGE_VAL;
constexpr double kNan = NAN;

const SignRow kSigns[] = {
    {"exponential", {-kInf, kInf}, {true, true}},
    {"exponential", {-kInf, kNan}, {true, true}},
    {"exponential", {kInf, kInf}, {true, false}},
    {"exponential", {kInf, kNan}, {true, false}},
    {"exponential", {kInf, 1}, {false, false}},
    {"exponential-minus-one", {-kInf, kInf}, {false, true}},
    {"exponential-minus-one", {kInf, kInf}, {true, false}},
    {"sinh", {kInf, kInf}, {true, false}},
    {"sinh", {-kInf, kNan}, {true, false}},
    {"sinh", {0, kInf}, {true, false}},
    {"sinh", {kInf, 1}, {false, false}},
    {"sinh", {kNan, 0}, {false, false}},
    {"cosh", {kInf, kInf}, {true, false}},
    {"cosh", {kInf, kNan}, {false, false}},
    {"cosh", {0, kInf}, {false, true}},
    {"cosh", {kNan, 0}, {false, true}},
    {"tanh", {kInf, kInf}, {false, true}},
    {"tanh", {-kInf, kNan}, {false, true}},
    {"sine", {kInf, kInf}, {false, true}},
    {"sine", {kNan, kInf}, {false, true}},
    {"sine", {1, kInf}, {false, false}},
    {"cosine", {kInf, -kInf}, {true, false}},
    {"cosine", {0, kNan}, {false, true}},
    {"tan", {kInf, kInf}, {true, false}},
    {"logistic", {kInf, kInf}, {false, true}},
    {"logistic", {-kInf, kInf}, {true, true}},
    {"asinh", {kNan, kInf}, {true, false}},
    {"asinh", {kInf, kNan}, {false, false}},
    {"asin", {kInf, kNan}, {false, true}},
    {"atanh", {kNan, kInf}, {true, false}},
    {"acos", {kInf, kNan}, {false, true}},
    {"acos", {kInf, 1}, {false, false}},
    {"acos", {-kInf, 1}, {false, false}},
    {"acos", {kNan, kInf}, {false, false}},
    {"acosh", {kNan, kInf}, {false, false}},
    {"sqrt", {-kInf, kNan}, {false, true}},
    {"sqrt", {kInf, kNan}, {false, false}},
    {"log", {kNan, kInf}, {false, false}},
};

TEST(ExpectNormwise, LeavesTheSignsOpenThatAnnexGDoes) {
  for (const ElementType type : {ElementType::kC64, ElementType::kC128}) {
    for (const SignRow& row : kSigns) {
      const Probe probe(row.function, type, {row.z});
      for (size_t part = 0; part < 2; ++part) {
        const bool infinities =
            probe.admits(part, kInf) && probe.admits(part, -kInf);
        const bool zeros = probe.admits(part, 0.0) && probe.admits(part, -0.0);
        EXPECT_EQ(infinities || zeros, row.open.at(part))
            << row.function << " of " << row.z << ", part " << part;
        EXPECT_FALSE(infinities && probe.admits(part, 1));
      }
    }
  }
}

// The quotient is 2^-1030 + (2 + 2^-7) 2^-1074 i, and 8 2^-53 of the modulus
// are 2^-6 2^-1074: with one such number the error reaches below 1 of them.
TEST(ExpectNormwise, AddsTheLeastNumberToSmallerErrors) {
  const Probe quotient("divide", ElementType::kC128,
                       {{0x1p-30, 0x2.02p-74}, {0x1p1000, 0}});
  EXPECT_TRUE(quotient.admits(1, 0x1p-1074));
  EXPECT_TRUE(quotient.admits(1, 0x3p-1074));
  EXPECT_FALSE(quotient.admits(1, 0));
  EXPECT_FALSE(quotient.admits(1, 0x4p-1074));
}

// 1e400 is off by 2.25 2^-53 of it.
TEST(ExpectNormwise, BoundsErrorsBeyondDouble) {
  const Probe product("multiply", ElementType::kC128, {{1e200, 0}, {1e200, 0}});
  EXPECT_TRUE(product.admits(0, kInf));
  EXPECT_FALSE(product.admits(0, 1e308));
  EXPECT_FALSE(product.admits(0, -kInf));
}

}  // namespace
}  // namespace hlo::conformance
