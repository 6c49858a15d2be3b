#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/numeric/format/rounding.h"
#include "interpreter/numeric/real/testing/oracle.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/numeric/special/mpfr_functions.h"
#include "interpreter/numeric/special/special_bessel.h"
#include "interpreter/numeric/special/special_error.h"
#include "interpreter/numeric/special/special_gamma.h"
#include "interpreter/numeric/special/special_zeta.h"

namespace hlo::numeric {
namespace {

using enum ElementType;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Row {
  Function function;
  const char* name;
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
};

constexpr std::array<Row, 5> kRows = {{
    {Function::kErfc, "erfc", special::erfc},
    {Function::kErfInv, "erf_inv", special::erf_inv},
    {Function::kLgamma, "lgamma", special::lgamma},
    {Function::kDigamma, "digamma", special::digamma},
    {Function::kBesselI1e, "bessel_i1e", special::bessel_i1e},
}};

// A value that MPFR could not hold is not zero.
void keep_tiny(Real& value, int ternary) {
  constexpr mpfr_exp_t kTiny = -100'000;
  if (mpfr_zero_p(value.get()) == 0 || ternary == 0) return;
  mpfr_set_si_2exp(value.get(), ternary < 0 ? 1 : -1, kTiny, MPFR_RNDN);
}

uint64_t round_by_mpfr(mpfr_srcptr value, const FloatFormat& f) {
  return f.specials == Specials::kIeee ? oracle::round_ieee(value, f)
                                       : oracle::round_by_search(value, f);
}

double f64(const std::string& hex) {
  return std::bit_cast<double>(std::stoull(hex, nullptr, 16));
}

// A line of special_values.txt: one argument or two, and the value.
struct Line {
  std::string name;
  std::vector<double> x;
  std::string value;
};

std::vector<Line> read_values() {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) +
                     "/interpreter/numeric/special/special_values.txt");
  std::vector<Line> lines;
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with('#')) continue;
    std::istringstream words(text);
    Line line;
    words >> line.name;
    for (std::string word; words >> word;) {
      if (!line.value.empty()) line.x.push_back(f64(line.value));
      line.value = word;
    }
    lines.push_back(line);
  }
  return lines;
}

bool holds(const std::vector<double>& numbers, const FloatFormat& f) {
  for (const double x : numbers) {
    if (decode(encode(x, f), f) != x) return false;
  }
  return true;
}

uint64_t result_of(const Line& line, const FloatFormat& f) {
  const uint64_t x = encode(line.x[0], f);
  for (const Row& row : kRows) {
    if (line.name == row.name) return round_function(row.function, x, f).bits;
  }
  const auto function =
      line.name == "zeta" ? Function2::kZeta : Function2::kPolygamma;
  return round_function2(function, x, encode(line.x[1], f), f).bits;
}

TEST(Special, ValuesOfMpmathHold) {
  std::map<std::pair<std::string, ElementType>, int> seen;
  Real value(128);
  for (const Line& line : read_values()) {
    keep_tiny(value, mpfr_strtofr(value.get(), line.value.c_str(), nullptr, 0,
                                  MPFR_RNDN));
    for (const TypeInfo& type : all_types()) {
      if (type.type_class != TypeClass::kFloat) continue;
      const FloatFormat& f = format(type.type);
      if (!holds(line.x, f)) continue;
      ++seen[{line.name, type.type}];
      ASSERT_EQ(result_of(line, f), round_by_mpfr(value.get(), f))
          << line.name << " " << type.name << " " << line.x[0] << " "
          << line.x.back();
    }
  }
  constexpr int kLeast = 200;
  for (const char* name : {"erfc", "erf_inv", "lgamma", "digamma", "bessel_i1e",
                           "zeta", "polygamma"}) {
    for (const ElementType type : {kF64, kF32, kF16, kBF16}) {
      EXPECT_GE((seen[{name, type}]), kLeast) << name;
    }
  }
}

// Compares with the function of twice the digits, rounded by MPFR.
void check_at_twice_the_precision(const Row& row, uint64_t x,
                                  const FloatFormat& f) {
  if (is_nan(x, f)) return;
  constexpr mpfr_prec_t kTwice = 128;
  Real argument(53);
  Real value(kTwice);
  set(argument, decode(x, f));
  keep_tiny(value, row.evaluate(value.get(), argument.get(), MPFR_RNDZ));
  const uint64_t actual = round_function(row.function, x, f).bits;
  if (mpfr_nan_p(value.get()) != 0) {
    ASSERT_TRUE(is_nan(actual, f)) << row.name << " " << decode(x, f);
    return;
  }
  ASSERT_EQ(actual, round_by_mpfr(value.get(), f))
      << row.name << " " << decode(x, f);
}

TEST(Special, EveryF16AgreesWithTwiceThePrecision) {
  for (const Row& row : kRows) {
    for (uint64_t x = 0; x < 0x10000; ++x) {
      ASSERT_NO_FATAL_FAILURE(
          check_at_twice_the_precision(row, x, format(kF16)));
    }
  }
}

TEST(Special, EveryCodeOfSmallFormatsAgreesWithTwiceThePrecision) {
  for (const TypeInfo& type : all_types()) {
    if (type.type_class != TypeClass::kFloat || type.bits > 8) continue;
    const FloatFormat& f = format(type.type);
    if (!f.has_nan()) continue;
    for (const Row& row : kRows) {
      for (uint64_t x = 0; x < uint64_t{1} << f.width(); ++x) {
        ASSERT_NO_FATAL_FAILURE(check_at_twice_the_precision(row, x, f));
      }
    }
  }
}

double value_of(Function function, double x) {
  const FloatFormat& f = format(kF64);
  return decode(round_function(function, encode(x, f), f).bits, f);
}

double value_of(Function2 function, double x, double y) {
  const FloatFormat& f = format(kF64);
  return decode(round_function2(function, encode(x, f), encode(y, f), f).bits,
                f);
}

// NaN for NaN, and the sign of zero counts.
bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

TEST(Special, ValuesOfOneArgumentAtTheLimits) {
  struct Limit {
    Function function;
    double x;
    double expected;
  };

  constexpr std::array<Limit, 34> kLimits = {{
      {Function::kErfc, -kInf, 2},         {Function::kErfc, kInf, 0},
      {Function::kErfc, -0.0, 1},          {Function::kErfc, 1e300, 0},
      {Function::kErfc, kNan, kNan},       {Function::kErfInv, -0.0, -0.0},
      {Function::kErfInv, 0, 0},           {Function::kErfInv, 1, kInf},
      {Function::kErfInv, -1, -kInf},      {Function::kErfInv, 1.5, kNan},
      {Function::kErfInv, -kInf, kNan},    {Function::kErfInv, kNan, kNan},
      {Function::kLgamma, 1, 0},           {Function::kLgamma, 2, 0},
      {Function::kLgamma, 0, kInf},        {Function::kLgamma, -0.0, kInf},
      {Function::kLgamma, -7, kInf},       {Function::kLgamma, kInf, kInf},
      {Function::kLgamma, -kInf, kInf},    {Function::kLgamma, 1e307, kInf},
      {Function::kLgamma, kNan, kNan},     {Function::kDigamma, 0, -kInf},
      {Function::kDigamma, -0.0, kInf},    {Function::kDigamma, -1, kNan},
      {Function::kDigamma, kInf, kInf},    {Function::kDigamma, -kInf, kNan},
      {Function::kDigamma, kNan, kNan},    {Function::kBesselI1e, 0, 0},
      {Function::kBesselI1e, kInf, 0},     {Function::kBesselI1e, -0.0, -0.0},
      {Function::kBesselI1e, -kInf, -0.0}, {Function::kBesselI1e, kNan, kNan},
      {Function::kDigamma, -1e300, kNan},  {Function::kErfc, -1e300, 2},
  }};
  for (const Limit& limit : kLimits) {
    EXPECT_PRED2(same, value_of(limit.function, limit.x), limit.expected)
        << static_cast<int>(limit.function) << " " << limit.x;
  }
}

struct Limit2 {
  double x;
  double y;
  double expected;
};

TEST(Special, ZetaAtTheLimits) {
  constexpr std::array<Limit2, 28> kLimits = {{
      {1e226, 1e94, 0},   {1e20, 1e19, 0},  {1, 3, kInf},
      {1, kInf, kInf},    {1, -0.5, kInf},  {0.5, 1, kNan},
      {-kInf, 1, kNan},   {2, -kInf, kNan}, {2, kInf, 0},
      {kInf, 2, 0},       {kInf, 1, 1},     {kInf, 0.5, kInf},
      {kInf, -2.5, kInf}, {kInf, -2, kInf}, {2, -2, kInf},
      {3, -2, kNan},      {3, 0, kInf},     {3, -0.0, -kInf},
      {2.5, -0.0, kInf},  {2.5, -2, kNan},  {2.5, -0.5, kNan},
      {1, 0, kInf},       {1, -0.0, kNan},  {kNan, 1, kNan},
      {2, kNan, kNan},    {1e300, 1, 1},    {1e300, 1.5, 0},
      {1e300, 0.5, kInf},
  }};
  for (const Limit2& limit : kLimits) {
    EXPECT_PRED2(same, value_of(Function2::kZeta, limit.x, limit.y),
                 limit.expected)
        << limit.x << " " << limit.y;
  }
}

TEST(Special, PolygammaAtTheLimits) {
  constexpr std::array<Limit2, 21> kLimits = {{
      {0.5, 1, kNan},    {-1, 1, kNan},
      {kInf, 1, kNan},   {kNan, 1, kNan},
      {1, kNan, kNan},   {0, kInf, kInf},
      {1, kInf, 0},      {2, kInf, -0.0},
      {1, -kInf, kNan},  {1, 0, kInf},
      {1, -0.0, kInf},   {2, 0, -kInf},
      {2, -0.0, kInf},   {1, -3, kInf},
      {2, -3, kNan},     {0, -3, kNan},
      {-0.0, 0, -kInf},  {2, 1e300, -0.0},
      {1e300, 3, -kInf}, {1e18 + 128, 1e300, -0.0},
      {3, 1e-300, kInf},
  }};
  for (const Limit2& limit : kLimits) {
    EXPECT_PRED2(same, value_of(Function2::kPolygamma, limit.x, limit.y),
                 limit.expected)
        << limit.x << " " << limit.y;
  }
}

// Far from where the sums of mpmath end in reasonable time; from identities.
TEST(Special, FarArgumentsFollowTheirAsymptotes) {
  EXPECT_EQ(value_of(Function2::kZeta, 2, 1e300), 1e-300);
  EXPECT_EQ(value_of(Function2::kZeta, 0x1p52, 1 + 0x1p-52),
            0x1.78b56362cef39p-2);
  EXPECT_EQ(value_of(Function2::kZeta, 1000, 0.5), 0x1p1000);
  // The pole is nearer than the rest of the sum.
  EXPECT_EQ(value_of(Function2::kPolygamma, 1, -0x1p-500), 0x1p1000);
  EXPECT_EQ(value_of(Function2::kPolygamma, 2, -0x1p-300), 0x1p901);
  // Half way between poles the two nearest terms of odd powers cancel, to all.
  EXPECT_EQ(value_of(Function2::kZeta, 3, -0x1p51 - 0.5),
            0x1.ffffffffffff8p-104);
  EXPECT_EQ(value_of(Function::kLgamma, 0x1p-1074), 0x1.74385446d71c3p9);
  EXPECT_EQ(value_of(Function::kDigamma, 0x1p-1000), -0x1p1000);
  EXPECT_EQ(value_of(Function::kErfInv, 0x1p-1074), 0x1p-1074);
}

// tensorflow#121629: a library gave 3.6533; mpmath says 3.69117734...
TEST(Special, ErrorFunctionIsInvertedNearOne) {
  const Rounded result =
      round_function(Function::kErfInv, 0x3f7ffffd, format(kF32));
  EXPECT_EQ(result.bits, 0x406c3c40U);
}

}  // namespace
}  // namespace hlo::numeric
