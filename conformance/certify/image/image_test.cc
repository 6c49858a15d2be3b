#include "conformance/certify/image/image.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/levels/profile_text.h"
#include "conformance/literals/describe_scalar.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using enum ElementType;

/// "r = TYPE[] operation(TYPE[], ...)".
Module module_of(std::string_view operation, ElementType type,
                 size_t operands) {
  std::string text = "HloModule m\n\nENTRY main {\n";
  std::string list;
  for (size_t k = 0; k < operands; ++k) {
    text += fmt::format("  x{0} = {1}[] parameter({0})\n", k, name(type));
    list += fmt::format("{}x{}", k > 0 ? ", " : "", k);
  }
  text +=
      fmt::format("  ROOT r = {}[] {}({})\n}}\n", name(type), operation, list);
  return verified_module(text);
}

class Draw {
 public:
  Draw(ElementType type, uint64_t seed) : type_(type), random_(seed) {}

  Place place(const Places& range) {
    return place_above(range, random_() % (distance(range) + 1));
  }

  /// Short or long, often with an end that is special.
  Places range() {
    const Place most = greatest_place(type_);
    const Place least = least_place(type_);
    const std::array<Place, 6> special = {least,
                                          most,
                                          0,
                                          std::max<Place>(-1, least),
                                          place({least, most}),
                                          place({least, most})};
    const Place a = special.at(random_() % special.size());
    const Place reach = random_() % 2 == 0 ? 40 : most;
    const Place low = a > least + reach ? a - reach : least;
    const Place high = a < most - reach ? a + reach : most;
    const Place b = place({low, high});
    return {std::min(a, b), std::max(a, b)};
  }

  std::vector<Places> ranges(size_t count, bool one_is_wide) {
    std::vector<Places> all(count);
    for (Places& drawn : all) {
      drawn = range();
      if (one_is_wide && &drawn != all.data()) drawn.high = drawn.low;
    }
    return all;
  }

  std::vector<Scalar> points(const std::vector<Places>& ranges) {
    std::vector<Scalar> all;
    all.reserve(ranges.size());
    for (const Places& drawn : ranges) {
      all.push_back({.type = type_, .bits = {code_at(place(drawn), type_), 0}});
    }
    return all;
  }

 private:
  ElementType type_;
  std::mt19937_64 random_;
};

struct Probe {
  std::string_view operation;
  size_t operands;
};

constexpr auto kProbes = std::to_array<Probe>({
    {"abs", 1},      {"acos", 1},
    {"acosh", 1},    {"asin", 1},
    {"asinh", 1},    {"atanh", 1},
    {"cbrt", 1},     {"ceil", 1},
    {"cosh", 1},     {"cosine", 1},
    {"erf", 1},      {"exponential", 1},
    {"floor", 1},    {"exponential-minus-one", 1},
    {"log", 1},      {"log-plus-one", 1},
    {"logistic", 1}, {"negate", 1},
    {"rsqrt", 1},    {"round-nearest-even", 1},
    {"sign", 1},     {"sine", 1},
    {"sinh", 1},     {"sqrt", 1},
    {"tan", 1},      {"tanh", 1},
    {"add", 2},      {"atan2", 2},
    {"divide", 2},   {"maximum", 2},
    {"minimum", 2},  {"multiply", 2},
    {"power", 2},    {"remainder", 2},
    {"subtract", 2}, {"clamp", 3},
});

constexpr auto kIntegerProbes = std::to_array<Probe>({
    {"add", 2},
    {"clamp", 3},
    {"divide", 2},
    {"maximum", 2},
    {"minimum", 2},
    {"multiply", 2},
    {"power", 2},
    {"shift-left", 2},
    {"subtract", 2},
});

bool holds(const ValueSet& all, const ValueSet& part) {
  ValueSet both = all;
  both.add(part);
  return both.numbers() == all.numbers() && (all.has_nan() || !part.has_nan());
}

class Ranges
    : public testing::TestWithParam<std::tuple<ElementType, std::string>> {};

/// Operands' ranges, their image, and points of them.
void try_ranges(const Probe& probe, ElementType type, const Profile& profile) {
  const Module module = module_of(probe.operation, type, probe.operands);
  Image image(*module.entry->root, profile);
  ElementRule rule(*module.entry->root, profile);
  Draw draw(type, 5);
  for (int n = 0; n < 40; ++n) {
    const std::vector<Places> ranges = draw.ranges(probe.operands, n % 3 == 0);
    std::vector<ValueSet> sets;
    for (const Places& range : ranges) {
      sets.push_back(ValueSet::range(range.low, range.high));
    }
    const ValueSet all = image.of(sets);
    for (int m = 0; m < 8; ++m) {
      const std::vector<Scalar> x = draw.points(ranges);
      const ValueSet part = rule.at(x).parts[0];
      ASSERT_TRUE(holds(all, part)) << probe.operation << ' ' << describe(x[0])
                                    << " and more: " << describe(part, type)
                                    << " is not in " << describe(all, type);
    }
  }
}

// The set of any operands between the ends lies in the image of the ranges.
TEST_P(Ranges, HoldTheSetsOfWhatLiesInThem) {
  const auto& [type, profile] = GetParam();
  for (const Probe& probe : kProbes) {
    try_ranges(probe, type, parse_profile(profile));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, Ranges,
    testing::Combine(testing::Values(kF8E5M2, kF8E4M3FN, kF8E4M3FNUZ, kBF16,
                                     kF32, kF64),
                     testing::Values("tight", "relaxed", "opencl-full",
                                     "xla-exhaustive,subnormals=daz+ftz")));

TEST(Image, HoldsTheValuesOfIntegersThatLieInRanges) {
  for (const ElementType type : {kS4, kS8, kU8, kS32, kU32}) {
    for (const Probe& probe : kIntegerProbes) try_ranges(probe, type, {});
  }
}

TEST(Image, IsARangeOfIntegersThatDoNotWrap) {
  const Module module = module_of("add", kU64, 2);
  Image image(*module.entry->root, {});
  const auto range = [](uint64_t low, uint64_t high) {
    return ValueSet::range(place_of(low, kU64), place_of(high, kU64));
  };
  constexpr uint64_t kLarge = uint64_t{1} << 63;
  const std::vector<ValueSet> fits = {range(kLarge, kLarge + 5000),
                                      range(1, 7000)};
  EXPECT_EQ(image.of(fits), range(kLarge + 1, kLarge + 12000));
  const std::vector<ValueSet> wraps = {range(kLarge, kLarge + 5000),
                                       range(1, kLarge)};
  EXPECT_EQ(image.of(wraps), ValueSet::everything(kU64));
}

// A sign changes no quiet NaN into a signaling one.
TEST(Image, HasSignalingNansOfSuchAlone) {
  for (const std::string_view operation : {"negate", "abs", "convert"}) {
    const Module module = module_of(operation, kF32, 1);
    Image image(*module.entry->root, {});
    ValueSet set = ValueSet::range(place_of(0, kF32), place_of(9, kF32));
    set.add_quiet_nan();
    const ValueSet quiet = image.of({&set, 1});
    EXPECT_TRUE(quiet.has_quiet_nans()) << operation;
    EXPECT_FALSE(quiet.has_all_nans()) << operation;
    set.add_nan_code(0x7f800001, kF32);
    EXPECT_TRUE(image.of({&set, 1}).contains(0x7f800001, kF32)) << operation;
    set.add_any_nan();
    EXPECT_TRUE(image.of({&set, 1}).has_all_nans()) << operation;
  }
}

}  // namespace
}  // namespace hlo::conformance
