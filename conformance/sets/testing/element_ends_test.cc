#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "conformance/levels/profile_text.h"
#include "conformance/sets/element_rule.h"
#include "conformance/sets/testing/number_line.h"
#include "interpreter/verify/verify.h"

// What element-wise operations may return that are exact, on every type: at
// overflow, zero and NaN, under the axes of a profile.
namespace hlo::conformance {
namespace {

using testing::Held;
using testing::NumberLine;

/// The set of an operation on codes of operands of a type.
ValueSet set_of(const std::string& operation, ElementType operand,
                ElementType result, const std::vector<uint64_t>& codes,
                const std::string& profile) {
  std::string text = "HloModule m\n\nENTRY main {\n";
  std::string list;
  std::vector<Scalar> scalars;
  for (size_t k = 0; k < codes.size(); ++k) {
    text += fmt::format("  x{0} = {1}[] parameter({0})\n", k, name(operand));
    list += fmt::format("{}x{}", k > 0 ? ", " : "", k);
    scalars.push_back({.type = operand, .bits = {codes[k], 0}});
  }
  const Module module =
      verified_module(text + fmt::format("  ROOT r = {}[] {}({})\n}}\n",
                                         name(result), operation, list));
  return ElementRule(*module.entry->root, parse_profile(profile))
      .at(scalars)
      .parts[0];
}

class ElementEnds : public ::testing::TestWithParam<ElementType> {
 protected:
  const NumberLine line{GetParam()};

  void expect(const std::string& operation, const std::vector<uint64_t>& codes,
              const Held& held, const std::string& profile = "tight") const {
    const ValueSet set =
        set_of(operation, GetParam(), GetParam(), codes, profile);
    EXPECT_EQ(difference(set, held, line), "") << operation << ' ' << profile;
  }

  uint64_t code(int64_t place) const { return line.code(place); }

  /// What stands for a number beyond the largest of that sign.
  Held overflow(bool negative) const {
    if (line.has_infinity()) {
      return Held::at(negative ? line.first() : line.last() + 1);
    }
    if (line.has_nan()) return Held::quiet_nan();
    return Held::at(negative ? line.negated(line.last()) : line.last());
  }

  int64_t one() const { return line.nearest(1); }
};

TEST_P(ElementEnds, OfExactArithmeticAreOneCode) {
  const int64_t last = line.last();
  expect("add", {code(last), code(last)}, overflow(false));
  expect("multiply", {code(last), code(one() + 1)}, overflow(false));
  expect("multiply", {code(last), code(one())}, Held::at(last));
  expect("divide", {code(one()), code(one())}, Held::at(one()));
  if (!line.is_signed()) return;
  expect("add", {code(line.negated(last)), code(line.negated(last))},
         overflow(true));
  expect("add", {code(1), code(1)}, Held::at(2));
  expect("subtract", {code(1), code(2)}, Held::at(line.negated(1)));
  expect("subtract", {code(one()), code(one())}, Held::at(0));
  expect("multiply", {code(0), code(line.negated(one()))},
         Held::at(line.zero(true)));
  // A quarter of the least number is zero.
  expect("multiply", {code(line.negated(1)), code(line.nearest(0.5))},
         Held::at(line.zero(true)));
}

TEST_P(ElementEnds, OfNanFollowTheAxis) {
  const int64_t last = line.last() + (line.has_infinity() ? 1 : 0);
  const auto expect_sum = [&](uint64_t nan, uint64_t quiet) {
    const std::vector<uint64_t> codes = {code(one()), nan};
    expect("add", codes, Held::quiet_nan());
    expect("add", codes, Held::only_nan(line.nan()), "tight,nan=canonical");
    expect("add", codes, Held::only_nan(quiet), "tight,nan=payload");
    expect("add", codes, {{{line.first(), last}}, Held::Nans::kQuiet},
           "tight,nan=free");
  };
  for (const uint64_t nan : line.quiet_nans()) expect_sum(nan, nan);
  for (const uint64_t nan : line.signaling_nans()) {
    expect_sum(nan, nan | (line.nan() ^ code(last)));
  }
}

TEST_P(ElementEnds, OfMovedAndNegatedNansAreTheirBits) {
  std::vector<uint64_t> nans = line.quiet_nans();
  std::ranges::copy(line.signaling_nans(), std::back_inserter(nans));
  for (const uint64_t nan : nans) {
    expect("copy", {nan}, Held::only_nan(nan));
    if (!line.has_minus_zero()) continue;
    const uint64_t sign = code(0) ^ code(line.zero(true));
    expect("negate", {nan}, Held::only_nan(nan ^ sign), "tight,nan=payload");
  }
}

// What a conversion to the same type copies may signal.
TEST_P(ElementEnds, OfConvertedNansMayBeTheOperand) {
  for (const uint64_t nan : line.signaling_nans()) {
    const Held held{.nans = Held::Nans::kQuietAndOne, .nan = nan};
    expect("convert", {nan}, held);
  }
  for (const uint64_t nan : line.quiet_nans()) {
    expect("convert", {nan}, Held::quiet_nan());
  }
}

TEST_P(ElementEnds, OfSubnormalNumbersFollowTheAxis) {
  if (!line.is_signed()) return;
  for (const bool negative : {false, true}) {
    const auto at = [&](int64_t place) {
      return negative ? line.negated(place) : place;
    };
    const int64_t normal = line.place_of_normal();
    const Places zero{line.zero(negative), line.zero(negative)};
    const std::vector<uint64_t> subnormal = {code(at(normal - 1)), code(one())};
    const Places same{at(normal - 1), at(normal - 1)};
    expect("multiply", subnormal, {{same}});
    for (const char* profile : {"tight,subnormals=daz", "tight,subnormals=ftz",
                                "tight,subnormals=daz+ftz"}) {
      expect("multiply", subnormal, {{same, zero}}, profile);
      expect("multiply", {code(at(normal)), code(one())}, Held::at(at(normal)),
             profile);
      expect("negate", {code(at(1))}, Held::at(line.negated(at(1))), profile);
    }
  }
}

TEST_P(ElementEnds, OfZerosFollowTheAxis) {
  if (!line.has_minus_zero()) return;
  for (const int64_t zero : {int64_t{0}, line.zero(true)}) {
    expect("multiply", {code(zero), code(one())}, Held::at(zero));
    expect("multiply", {code(zero), code(one())}, {{{-1, 0}}},
           "tight,zero-sign=lax");
  }
}

INSTANTIATE_TEST_SUITE_P(Types, ElementEnds,
                         ::testing::ValuesIn(testing::float_types()),
                         [](const auto& type) {
                           return std::string(name(type.param));
                         });

std::vector<ElementType> integer_types() {
  std::vector<ElementType> types;
  for (const TypeInfo& info : all_types()) {
    if (is_integer(info.type)) types.push_back(info.type);
  }
  return types;
}

class IntegerEnds : public ::testing::TestWithParam<ElementType> {
 protected:
  ElementType type() const { return GetParam(); }

  uint64_t ones() const { return ~uint64_t{0} >> (64 - bits(type())); }

  uint64_t greatest() const { return is_signed(type()) ? ones() >> 1 : ones(); }

  uint64_t least() const { return is_signed(type()) ? greatest() + 1 : 0; }

  /// Whether the set holds the code and no other, or all.
  void expect_one(const ValueSet& set, uint64_t code) const {
    EXPECT_TRUE(set.contains(code, type()));
    for (const uint64_t other : {code + 1, code - 1, least(), greatest()}) {
      const bool is_same = (other & ones()) == code;
      EXPECT_EQ(set.contains(other & ones(), type()), is_same) << name(type());
    }
  }

  void expect_all(const ValueSet& set) const {
    for (const uint64_t code : {uint64_t{0}, ones(), least(), greatest()}) {
      EXPECT_TRUE(set.contains(code, type())) << name(type());
    }
    EXPECT_FALSE(set.has_nan());
  }

  ValueSet of(const std::string& operation, uint64_t a, uint64_t b,
              const std::string& profile) const {
    return set_of(operation, type(), type(), {a, b}, profile);
  }
};

// 1 + 2^-31 may be kept as it is on the way, and not as a result.
TEST(ExcessPrecision, IsNoneOfResults) {
  using enum ElementType;
  EXPECT_EQ(set_of("add", kF32, kF32, {0x3f800000, 0x30000000},
                   "cr,excess-precision=allowed"),
            ValueSet::of(0x3f800000, kF32));
}

constexpr const char* kOpenDivision = "tight,integer-division=any";

TEST_P(IntegerEnds, OfArithmeticWrapAround) {
  for (const char* profile : {"tight", "relaxed", kOpenDivision}) {
    expect_one(of("add", greatest(), 1, profile), least());
    expect_one(of("subtract", least(), 1, profile), greatest());
    expect_one(of("maximum", greatest(), least(), profile), greatest());
    if (greatest() == 0) continue;
    expect_one(of("divide", greatest(), greatest(), profile), 1);
    expect_one(of("remainder", greatest(), greatest(), profile), 0);
  }
}

TEST_P(IntegerEnds, OfOpenQuotientsAreAllNumbers) {
  expect_one(of("divide", greatest(), 0, "tight"), ones());
  expect_one(of("remainder", greatest(), 0, "tight"), greatest());
  expect_all(of("divide", greatest(), 0, kOpenDivision));
  expect_all(of("remainder", greatest(), 0, kOpenDivision));
  if (!is_signed(type())) return;
  expect_one(of("divide", least(), ones(), "tight"), least());
  expect_all(of("divide", least(), ones(), kOpenDivision));
  if (bits(type()) > 1) {
    expect_one(of("divide", greatest(), ones(), kOpenDivision), least() + 1);
  }
}

// The numbers just beside the ends of the type, NaN and infinity.
TEST_P(IntegerEnds, OfOpenConversionsAreAllNumbers) {
  const auto converted = [&](double x, const char* profile) {
    return set_of("convert", ElementType::kF64, type(),
                  {std::bit_cast<uint64_t>(x)}, profile);
  };
  constexpr const char* kOpen = "tight,conversions=any";
  const double beyond = std::ldexp(1.0, bits(type()) - is_signed(type()));
  const double below = is_signed(type()) ? -beyond : 0;
  expect_one(converted(beyond, "tight"), greatest());
  expect_one(converted(NAN, "tight"), 0);
  for (const double x : {beyond, below - 1 - std::fabs(below) * 0x1p-50,
                         double{NAN}, HUGE_VAL, -HUGE_VAL}) {
    expect_all(converted(x, kOpen));
  }
  const double last =
      bits(type()) > 53 ? std::nextafter(beyond, 0) : beyond - 1;
  const auto code = static_cast<uint64_t>(last);
  expect_one(converted(last, kOpen), code);
  expect_one(converted(below, kOpen), least());
  if (bits(type()) < 50) {
    expect_one(converted(last + 0.75, kOpen), code);
    expect_one(converted(below - 0.75, kOpen), least());
  }
}

INSTANTIATE_TEST_SUITE_P(Types, IntegerEnds,
                         ::testing::ValuesIn(integer_types()),
                         [](const auto& type) {
                           return std::string(name(type.param));
                         });

}  // namespace
}  // namespace hlo::conformance
