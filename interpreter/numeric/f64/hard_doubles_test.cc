#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/numeric/real/testing/oracle.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/numeric/special/testing/oracle_functions.h"

// The arguments of generators/hard_doubles.py against MPFR at 2000 bits, and
// those of generators/hard_specials.py against mpmath, too.
namespace hlo::numeric {
namespace {

constexpr mpfr_prec_t kPrecision = 2000;
constexpr double kNear = 0x1p-16;  // steps
constexpr size_t kLeast = 1000;    // arguments of a function

using Codes = std::vector<uint64_t>;

uint64_t read_code(std::string_view digits) {
  constexpr int kHexadecimal = 16;
  uint64_t code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code,
                  kHexadecimal);
  return code;
}

// For each name its lines, one behind the other.
std::map<std::string, Codes> read_arguments(const std::string& name_of_file) {
  std::ifstream file(ASSAY_SOURCE_DIR + name_of_file);
  std::map<std::string, Codes> found;
  std::string name;
  for (std::string word; file >> word;) {
    if (word == ":") {
      file >> name;
    } else {
      found[name].push_back(read_code(word));
    }
  }
  return found;
}

const std::map<std::string, Codes>& hard_arguments() {
  static const std::map<std::string, Codes> arguments =
      read_arguments("/interpreter/numeric/f64/hard_doubles.txt");
  return arguments;
}

// How many steps the value is away from a double or a midpoint of two.
double distance(mpfr_srcptr value) {
  Real scaled(kPrecision);
  Real nearest(kPrecision);
  mpfr_mul_2si(scaled.get(), value, 54 - mpfr_get_exp(value), MPFR_RNDN);
  mpfr_rint(nearest.get(), scaled.get(), MPFR_RNDN);
  mpfr_sub(scaled.get(), scaled.get(), nearest.get(), MPFR_RNDN);
  return std::abs(mpfr_get_d(scaled.get(), MPFR_RNDN)) / 2;
}

void check(mpfr_srcptr value, const Rounded& rounded, uint64_t from_array) {
  const FloatFormat& f64 = format(ElementType::kF64);
  ASSERT_EQ(rounded.bits, oracle::round_ieee(value, f64));
  ASSERT_EQ(from_array, rounded.bits);
  const int order = mpfr_cmp_d(value, decode(rounded.bits, f64));
  ASSERT_EQ(rounded.side, order > 0 ? 1 : (order < 0 ? -1 : 0));
}

void check_all(const oracle::Unary& row, const Codes& codes, double near) {
  const FloatFormat& f64 = format(ElementType::kF64);
  Codes results(codes.size());
  round_function_array(row.function, codes.data(), results.data(),
                       static_cast<int64_t>(codes.size()), f64);
  Real x(53);
  Real value(kPrecision);
  for (size_t i = 0; i < codes.size(); ++i) {
    set(x, decode(codes[i], f64));
    row.evaluate(value.get(), x.get(), MPFR_RNDN);
    ASSERT_LT(distance(value.get()), near);
    ASSERT_NO_FATAL_FAILURE(check(
        value.get(), round_function(row.function, codes[i], f64), results[i]))
        << row.name << " " << decode(codes[i], f64);
  }
}

TEST(HardDoubles, EveryListIsLongAndHasItsFunction) {
  for (const auto& list : hard_arguments()) {
    const auto& name = list.first;
    const auto& codes = list.second;
    const auto is_named = [&](const auto& row) { return row.name == name; };
    EXPECT_TRUE(name == "turns" ||
                std::ranges::any_of(oracle::kUnary, is_named) ||
                std::ranges::any_of(oracle::kBinary, is_named))
        << name;
    EXPECT_GE(codes.size(), kLeast) << name;
  }
  EXPECT_GE(hard_arguments().size(), 28U);
}

TEST(HardDoubles, FunctionsAreCorrectlyRounded) {
  for (const oracle::Unary& row : oracle::kUnary) {
    const auto found = hard_arguments().find(row.name);
    if (found == hard_arguments().end()) continue;
    ASSERT_NO_FATAL_FAILURE(check_all(row, found->second, kNear));
  }
}

TEST(HardDoubles, ThoseNextToMultiplesOfRightAnglesAreCorrectlyRounded) {
  const Codes& codes = hard_arguments().at("turns");
  for (const oracle::Unary& row : oracle::kUnary) {
    const bool turns = row.function == Function::kSine ||
                       row.function == Function::kCosine ||
                       row.function == Function::kTan;
    if (!turns) continue;
    ASSERT_NO_FATAL_FAILURE(check_all(row, codes, 1));
  }
}

TEST(HardDoubles, FunctionsOfTwoAreCorrectlyRounded) {
  const FloatFormat& f64 = format(ElementType::kF64);
  Real x(53);
  Real y(53);
  Real value(kPrecision);
  for (const oracle::Binary& row : oracle::kBinary) {
    const auto found = hard_arguments().find(row.name);
    if (found == hard_arguments().end()) continue;
    const Codes& codes = found->second;
    for (size_t i = 0; i < codes.size(); i += 2) {
      set(x, decode(codes[i], f64));
      set(y, decode(codes[i + 1], f64));
      row.evaluate(value.get(), x.get(), y.get(), MPFR_RNDN);
      ASSERT_LT(distance(value.get()), kNear);
      const Rounded rounded =
          round_function2(row.function, codes[i], codes[i + 1], f64);
      uint64_t from_array = 0;
      round_function2_array(row.function, &codes[i], &codes[i + 1], &from_array,
                            1, f64);
      ASSERT_NO_FATAL_FAILURE(check(value.get(), rounded, from_array))
          << row.name << " " << decode(codes[i], f64);
    }
  }
}

struct Special {
  Function function;
  const char* name;
  // Null where MPFR has none.
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
};

int lgamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  int sign = 0;
  return mpfr_lgamma(result, &sign, x, mode);
}

constexpr std::array<Special, 5> kSpecials = {{
    {Function::kErfc, "erfc", mpfr_erfc},
    {Function::kErfInv, "erf_inv", nullptr},
    {Function::kLgamma, "lgamma", lgamma},
    {Function::kDigamma, "digamma", mpfr_digamma},
    {Function::kBesselI1e, "bessel_i1e", nullptr},
}};

// The lines are arguments and values of mpmath.
TEST(HardDoubles, SpecialFunctionsAreCorrectlyRounded) {
  const FloatFormat& f64 = format(ElementType::kF64);
  const auto lists =
      read_arguments("/interpreter/numeric/f64/hard_specials.txt");
  Real x(53);
  Real value(kPrecision);
  for (const Special& row : kSpecials) {
    const Codes& codes = lists.at(row.name);
    ASSERT_GE(codes.size(), 2 * kLeast) << row.name;
    for (size_t i = 0; i < codes.size(); i += 2) {
      const Rounded rounded = round_function(row.function, codes[i], f64);
      ASSERT_EQ(rounded.bits, codes[i + 1])
          << row.name << " " << decode(codes[i], f64);
      if (row.evaluate == nullptr) continue;
      set(x, decode(codes[i], f64));
      row.evaluate(value.get(), x.get(), MPFR_RNDN);
      ASSERT_LT(distance(value.get()), kNear) << row.name;
      ASSERT_NO_FATAL_FAILURE(check(value.get(), rounded, codes[i + 1]));
    }
  }
}

TEST(HardDoubles, SpecialFunctionsOfTwoAreCorrectlyRounded) {
  const FloatFormat& f64 = format(ElementType::kF64);
  const auto lists =
      read_arguments("/interpreter/numeric/f64/hard_specials.txt");
  for (const Function2 function : {Function2::kZeta, Function2::kPolygamma}) {
    const auto* const name =
        function == Function2::kZeta ? "zeta" : "polygamma";
    const Codes& codes = lists.at(name);
    ASSERT_GE(codes.size(), 3 * kLeast) << name;
    for (size_t i = 0; i < codes.size(); i += 3) {
      ASSERT_EQ(round_function2(function, codes[i], codes[i + 1], f64).bits,
                codes[i + 2])
          << name << " " << decode(codes[i], f64) << " "
          << decode(codes[i + 1], f64);
    }
  }
}

}  // namespace
}  // namespace hlo::numeric
