#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "conformance/expect/testing/probe.h"
#include "conformance/sets/testing/number_line.h"

// Results of a free order: which bits of a NaN, which neighbours and which rows
// of a second line the judge tells apart, on every type.
namespace hlo::conformance {
namespace {

using testing::NumberLine;
using testing::Probe;

using Codes = std::vector<uint64_t>;

class OrderEnds : public ::testing::TestWithParam<ElementType> {
 protected:
  const NumberLine line{GetParam()};

  std::string word() const { return std::string(name(GetParam())); }

  uint64_t code(double x) const { return line.code(line.nearest(x)); }

  Literal literal(const std::vector<int64_t>& dims, const Codes& codes) const {
    Literal result(Shape::array(GetParam(), dims));
    for (size_t i = 0; i < codes.size(); ++i) {
      result.set(static_cast<int64_t>(i),
                 {.type = GetParam(), .bits = {codes[i], 0}});
    }
    return result;
  }

  /// Compares values in the text, $ standing for the type.
  Probe probe(std::string text, std::vector<Literal> operands) const {
    for (size_t at = text.find('$'); at != std::string::npos;
         at = text.find('$', at)) {
      text.replace(at, 1, word());
    }
    return {text, std::move(operands)};
  }

  Codes nans() const {
    Codes all = line.quiet_nans();
    std::ranges::copy(line.signaling_nans(), std::back_inserter(all));
    return all;
  }

  bool is_quiet(uint64_t nan) const {
    return std::ranges::count(line.quiet_nans(), nan) > 0;
  }
};

// The first NaN of each row, or the greatest; no reducer that is known.
constexpr const char* kFirstNan =
    "f {\n  a = $[] parameter(0)\n  b = $[] parameter(1)\n"
    "  greater = pred[] compare(a, b), direction=GT\n"
    "  nan = pred[] compare(a, a), direction=NE\n"
    "  p = pred[] or(greater, nan)\n  ROOT v = $[] select(p, a, b)\n}\n\n";

constexpr const char* kReduced =
    "ENTRY main {\n  x = $[2,2] parameter(0)\n  i = $[] parameter(1)\n"
    "  ROOT r = $[2] reduce(x, i), dimensions={1}, to_apply=f\n}\n";

constexpr const char* kUpdated =
    "ENTRY main {\n  z = $[2] parameter(0)\n  u = $[4] parameter(1)\n"
    "  i = s32[4,1] constant({{0}, {0}, {1}, {1}})\n"
    "  ROOT r = $[2] scatter(z, i, u), update_window_dims={}, "
    "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
    "index_vector_dim=1, to_apply=f\n}\n";

TEST_P(OrderEnds, OfUnknownRegionsAdmitEveryQuietNan) {
  for (const uint64_t nan : nans()) {
    const Codes rows = {code(1), code(2), code(2), nan};
    const uint64_t first = code(0.5);
    const Probe folded = probe(std::string(kFirstNan) + kReduced,
                               {literal({2, 2}, rows), literal({}, {first})});
    const Probe updated =
        probe(std::string(kFirstNan) + kUpdated,
              {literal({2}, {first, first}), literal({4}, rows)});
    for (const Probe* probe : {&folded, &updated}) {
      for (const uint64_t other : nans()) {
        EXPECT_EQ(probe->admits({0, 1, 0}, other),
                  other == nan || is_quiet(other))
            << word() << ' ' << std::hex << nan << ' ' << other;
        EXPECT_FALSE(probe->admits({0, 0, 0}, other));
      }
      EXPECT_FALSE(probe->admits({0, 1, 0}, code(2)));
      EXPECT_TRUE(probe->admits({0, 0, 0}, code(2)));
      for (const int step : {-1, 1}) {
        const uint64_t beside = line.code(line.nearest(2) + step);
        EXPECT_FALSE(probe->admits({0, 0, 0}, beside)) << word();
      }
      EXPECT_FALSE(probe->admits({0, 0, 0}, first));
    }
  }
}

// A NaN comes out where it is the second of two, as it is not greater.
constexpr const char* kGreaterElseSecond =
    "f {\n  a = $[] parameter(0)\n  b = $[] parameter(1)\n"
    "  p = pred[] compare(a, b), direction=GT\n"
    "  ROOT v = $[] select(p, a, b)\n}\n\n";

TEST_P(OrderEnds, OfOrdersThatLoseTheNanAdmitIt) {
  for (const uint64_t nan : nans()) {
    const Probe probe =
        this->probe(std::string(kGreaterElseSecond) + kReduced,
                    {literal({2, 2}, {code(1), code(2), nan, code(2)}),
                     literal({}, {code(0.5)})});
    for (const uint64_t other : nans()) {
      EXPECT_EQ(probe.admits({0, 1, 0}, other),
                other == nan || (is_quiet(nan) && is_quiet(other)))
          << word() << ' ' << std::hex << nan << ' ' << other;
    }
    EXPECT_TRUE(probe.admits({0, 1, 0}, code(2)));
    EXPECT_FALSE(probe.admits({0, 1, 0}, code(4)));
  }
}

constexpr const char* kSorted =
    "less {\n  a = $[] parameter(0)\n  b = $[] parameter(1)\n"
    "  ROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER\n}\n\n"
    "ENTRY main {\n  x = $[2,3] parameter(0)\n"
    "  ROOT r = $[2,3] sort(x), dimensions={1}, to_apply=less\n}\n";

// By the total order every line has one result, bit by bit.
TEST_P(OrderEnds, OfSortsAreTheRowsOfEachLine) {
  Codes last = {line.code(line.last()), code(2)};
  if (line.has_nan()) last[0] = line.nan();
  const Probe sorted =
      probe(kSorted, {literal({2, 3}, {code(2), code(1), code(4), last[0],
                                       code(1), last[1]})});
  Codes expected = {code(1), code(2), code(4), code(1), code(2), last[0]};
  // The NaN in the place of -0 is the lowest code.
  const bool is_lowest = line.has_nan() && line.is_signed();
  if (is_lowest && !line.has_minus_zero()) {
    std::rotate(expected.begin() + 3, expected.end() - 1, expected.end());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    EXPECT_TRUE(sorted.admits({0, at, 0}, expected[i])) << word();
    EXPECT_FALSE(sorted.admits({0, at, 0}, expected[(i + 1) % 3])) << word();
    for (const uint64_t nan : nans()) {
      EXPECT_EQ(sorted.admits({0, at, 0}, nan), nan == expected[i]) << word();
    }
  }
}

constexpr const char* kTop =
    "ENTRY main {\n  x = $[2,3] parameter(0)\n"
    "  ROOT r = ($[2,2], s32[2,2]) topk(x), k=2, largest=true\n}\n";

// The first of equal numbers comes first.
TEST_P(OrderEnds, OfTheGreatestAreTheFirstOnes) {
  const Probe top = probe(kTop, {literal({2, 3}, {code(1), code(4), code(2),
                                                  code(2), code(1), code(2)})});
  const Codes values = {code(4), code(2), code(2), code(2)};
  const Codes indices = {1, 2, 0, 2};
  for (size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    EXPECT_TRUE(top.admits({0, at, 0}, values[i])) << word();
    EXPECT_FALSE(top.admits({0, at, 0}, code(1))) << word();
    for (uint64_t index = 0; index < 3; ++index) {
      EXPECT_EQ(top.admits({1, at, 0}, index), index == indices[i]) << word();
    }
  }
}

constexpr const char* kDrawn =
    "ENTRY main {\n  a = $[] parameter(0)\n  b = $[] parameter(1)\n"
    "  ROOT r = $[2] rng(a, b), distribution=rng_uniform\n}\n";

// From the lower end to the number before the upper one; either zero is one.
TEST_P(OrderEnds, OfUniformNumbersAreThoseOfTheRange) {
  const int64_t low = line.nearest(1);
  const int64_t high = line.nearest(4);
  const Probe drawn = probe(
      kDrawn, {literal({}, {line.code(low)}), literal({}, {line.code(high)})});
  EXPECT_TRUE(drawn.admits({0, 1, 0}, line.code(low)));
  EXPECT_TRUE(drawn.admits({0, 1, 0}, line.code(high - 1)));
  EXPECT_FALSE(drawn.admits({0, 1, 0}, line.code(low - 1))) << word();
  EXPECT_FALSE(drawn.admits({0, 1, 0}, line.code(high))) << word();
  for (const uint64_t nan : nans()) {
    EXPECT_FALSE(drawn.admits({0, 1, 0}, nan)) << word();
  }
  if (!line.is_signed()) return;
  const int64_t most = line.last();
  const Probe all = probe(kDrawn, {literal({}, {line.code(line.negated(most))}),
                                   literal({}, {line.code(0)})});
  EXPECT_TRUE(all.admits({0, 0, 0}, line.code(line.negated(most))));
  EXPECT_TRUE(all.admits({0, 0, 0}, line.code(line.negated(1))));
  for (const int64_t place : {int64_t{0}, line.zero(true), int64_t{1}}) {
    EXPECT_FALSE(all.admits({0, 0, 0}, line.code(place))) << word();
  }
  if (line.has_infinity()) {
    EXPECT_FALSE(all.admits({0, 0, 0}, line.code(line.first())));
  }
}

constexpr const char* kNormal =
    "ENTRY main {\n  a = $[] parameter(0)\n  b = $[] parameter(1)\n"
    "  ROOT r = $[2] rng(a, b), distribution=rng_normal\n}\n";

// Within 128 b + 8 u |a| of a, where that is within the type.
TEST_P(OrderEnds, OfNormalNumbersAreWithinTheirDeviations) {
  if (!line.is_signed()) return;
  const mpq_class units = 8 * testing::power_of_two(-line.precision());
  for (const double mean : {1.0, -1.0}) {
    for (const double deviation : {0x1p-6, 1.0}) {
      const int64_t b = line.nearest(deviation);
      const mpq_class reach = 128 * line.value(b) + units;
      const Probe drawn = probe(
          kNormal, {literal({}, {code(mean)}), literal({}, {line.code(b)})});
      const auto admits = [&](int64_t place) {
        return drawn.admits({0, 1, 0}, line.code(place));
      };
      if (1 + reach >= line.largest()) {
        EXPECT_EQ(drawn.differs_from_anything({0, 1, 0}), "") << word();
        continue;
      }
      const int64_t low = line.ceil(mean - reach);
      const int64_t high = line.floor(mean + reach);
      EXPECT_TRUE(admits(low) && admits(high)) << word() << mean;
      // What is no number of the type is rounded outward.
      const int64_t below = line.floor(mean - reach);
      const int64_t above = line.ceil(mean + reach);
      EXPECT_FALSE(admits(std::min(low, below) - 1)) << word() << mean;
      EXPECT_FALSE(admits(std::max(high, above) + 1)) << word() << mean;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, OrderEnds,
                         ::testing::ValuesIn(testing::float_types()),
                         [](const auto& type) {
                           return std::string(name(type.param));
                         });

}  // namespace
}  // namespace hlo::conformance
