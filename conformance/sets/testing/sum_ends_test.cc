#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "conformance/sets/sum_range.h"
#include "conformance/sets/testing/number_line.h"

// Sums in any order by the rules of spec/conformance.md (Sums, Accumulation) in
// rational arithmetic, on every type: bounds, overflow on the way, zeros, NaN.
namespace hlo::conformance {
namespace {

using numeric::ExactSum;
using testing::Held;
using testing::NumberLine;
using testing::power_of_two;
using Terms = std::vector<mpq_class>;

/// What the page calls s, A, P, N, and how many terms are not zero.
struct Sums {
  mpq_class sum;
  mpq_class positive;
  mpq_class negative;
  int terms = 0;

  explicit Sums(const Terms& given) {
    for (const mpq_class& term : given) {
      sum += term;
      if (term > 0) positive += term;
      if (term < 0) negative -= term;
      if (term != 0) ++terms;
    }
  }

  mpq_class magnitude() const { return positive + negative; }
};

mpq_class unit(const NumberLine& line) {
  return power_of_two(-line.precision());
}

/// k u A (1 + 2^-6) + U, and what terms that were rounded add to it.
mpq_class error_of(const Sums& s, const SumErrors& errors,
                   const NumberLine& line) {
  const mpq_class k = errors.products ? s.terms : std::max(s.terms - 1, 0);
  const mpq_class steps = k * unit(line);
  const mpq_class share = steps + mpq_class(errors.of_terms) * (1 + steps);
  const mpq_class underflow = (errors.products ? s.terms : 0) * line.least();
  return share * s.magnitude() * (1 + power_of_two(-6)) + underflow;
}

/// Where overflow saturates, sums go on from the largest number.
void saturate(Places& range, const Sums& s, const mpq_class& error, bool above,
              bool below, const NumberLine& line) {
  const mpq_class m = line.largest();
  if (above && s.negative > 0) {
    range.low = std::min(range.low, line.ceil(m - s.negative - error));
  }
  if (below && s.positive > 0) {
    range.high = std::max(range.high, line.floor(s.positive - m + error));
  }
}

/// The numbers within the error and the rounded sum, which may have overflowed;
/// NaN stands for what is beyond in a type without infinity, and for what is
/// not positive in one without zero.
Held held_by(const Terms& terms, const SumErrors& errors,
             const NumberLine& line) {
  const Sums s(terms);
  const mpq_class error = error_of(s, errors, line);
  const mpq_class g =
      1 + (s.terms + 1) * (unit(line) + mpq_class(errors.of_terms));
  const bool above = g * s.positive > line.largest();
  const bool below = g * s.negative > line.largest();
  const int64_t least = line.is_signed() ? line.negated(line.last()) : 0;
  Places range{std::max(line.ceil(s.sum - error), least),
               std::min(line.floor(s.sum + error), line.last())};
  Held held;
  if (!line.has_nan()) {
    const int64_t center = line.nearest(s.sum);
    range = {std::min(range.low, center), std::max(range.high, center)};
    saturate(range, s, error, above, below, line);
    range = {std::max(range.low, least), std::min(range.high, line.last())};
  }
  if (errors.products && range.low == 0) range.low = line.zero(true);
  if (!errors.products && range.low == -1 && s.sum == 0 && error == 0) {
    range.low = 0;
  }
  if (range.low <= range.high) held.ranges.push_back(range);
  if (!line.has_nan()) return held;
  const bool is_lost = line.nearest(abs(s.sum)) > line.last();
  if (line.has_infinity()) {
    const int64_t up = line.last() + 1;
    if (above || (is_lost && s.sum > 0)) held.ranges.push_back({up, up});
    if (below || (is_lost && s.sum < 0)) {
      held.ranges.push_back({line.first(), line.first()});
    }
    if (above && below) held.nans = Held::Nans::kQuiet;
  } else if (above || below || is_lost ||
             (!line.is_signed() && s.sum <= error)) {
    held.nans = Held::Nans::kQuiet;
  }
  return held;
}

class SumEnds : public ::testing::TestWithParam<ElementType> {
 protected:
  const NumberLine line{GetParam()};

  static ExactSum exact(const Terms& terms) {
    ExactSum sum;
    for (const mpq_class& term : terms) sum.add(term.get_d());
    return sum;
  }

  ValueSet set(const ExactSum& sum, const SumErrors& errors) const {
    return set_of(sum_range(sum, numeric::format(GetParam()), errors),
                  GetParam());
  }

  void expect(const Terms& terms, const SumErrors& errors = {}) const {
    std::string words;
    for (const mpq_class& term : terms) words += " " + term.get_str();
    EXPECT_EQ(difference(set(exact(terms), errors),
                         held_by(terms, errors, line), line),
              "")
        << words << (errors.products ? " products" : "");
  }
};

TEST_P(SumEnds, AreThoseOfThePage) {
  const mpq_class half(1, 2);
  for (const bool products : {false, true}) {
    for (const double of_terms : {0.0, 0x1p-8}) {
      const SumErrors errors{.products = products, .of_terms = of_terms};
      expect({1, half}, errors);
      expect({1, 1, 1}, errors);
      if (!line.is_signed()) continue;
      expect({1, half, -1, mpq_class(-3)}, errors);
      expect({-1, -1, -1, -1, -2}, errors);
      expect({line.least(), line.least(), -3 * line.least()}, errors);
      expect({line.least_normal(), -line.least(), line.least()}, errors);
    }
  }
}

TEST_P(SumEnds, AtOverflowAreThoseOfThePage) {
  const mpq_class m = line.largest();
  const mpq_class step = line.beyond() - m;
  for (const bool products : {false, true}) {
    const SumErrors errors{.products = products};
    expect({m, m}, errors);
    expect({m / 2, m / 2}, errors);
    expect({m / 4, m / 4}, errors);
    if (!line.is_signed()) continue;
    expect({-m, -m}, errors);
    expect({m, m, -m}, errors);
    expect({m, -m, -m}, errors);
    expect({m, m, -m, -m}, errors);
    expect({m, -m, m / 2}, errors);
    // g P is M, or a little more.
    const mpq_class near = m / (1 + 3 * unit(line));
    expect({line.value(line.floor(near)) - step, step / 2}, errors);
  }
}

// What underflows or is flushed is far larger than the sum.
TEST_P(SumEnds, OfTinySumsAreThoseOfThePage) {
  if (!line.is_signed()) return;
  const mpq_class tiny = power_of_two(-900);
  expect({tiny, -tiny / 4}, {.products = true});
  const SumErrors flushed{
      .products = true, .flushes = true, .of_flushed_factors = 2};
  const int64_t two = line.nearest(2);
  const ValueSet found = set(exact({tiny}), flushed);
  EXPECT_TRUE(found.contains(line.code(two), GetParam()));
  // Four of the least normal number, too, which is 1 in the narrowest types.
  const int64_t more = line.floor(2 + 5 * line.least_normal()) + 1;
  if (more > line.last()) return;
  EXPECT_FALSE(found.contains(line.code(more), GetParam()));
}

TEST_P(SumEnds, OfExactSumsAreOneNumber) {
  const SumErrors exactly{.exact = true};
  const int64_t one = line.nearest(1);
  const NumberLine& l = line;
  EXPECT_EQ(difference(set(exact({1}), exactly), Held::at(one), l), "");
  EXPECT_EQ(difference(set(exact({1}), {}), Held::at(one), l), "");
  if (!line.is_signed()) return;
  EXPECT_EQ(difference(set(exact({1, -1}), exactly), Held::at(0), l), "");
  const SumErrors products{.exact = true, .products = true};
  const Held zeros{{{line.zero(true), 0}}};
  EXPECT_EQ(difference(set(exact({1, -1}), products), zeros, l), "");
  ExactSum minus_zero;
  minus_zero.add(-0.0);
  EXPECT_EQ(difference(set(minus_zero, {}), zeros, l), "");
}

TEST_P(SumEnds, OfSpecialTermsAreNanOrInfinity) {
  for (const bool products : {false, true}) {
    const SumErrors errors{.products = products};
    ExactSum nan = exact({1});
    nan.add(NAN);
    ExactSum both = exact({1});
    both.add(HUGE_VAL);
    const ExactSum up = both;
    both.add(-HUGE_VAL);
    const Held none =
        line.has_nan() ? Held::quiet_nan() : Held{{{line.zero(true), 0}}};
    EXPECT_EQ(difference(set(nan, errors), none, line), "");
    EXPECT_EQ(difference(set(both, errors), none, line), "");
    const Held infinity = line.has_infinity() ? Held::at(line.last() + 1)
                          : line.has_nan()    ? Held::quiet_nan()
                                              : Held::at(line.last());
    EXPECT_EQ(difference(set(up, errors), infinity, line), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SumEnds,
                         ::testing::ValuesIn(testing::float_types()),
                         [](const auto& type) {
                           return std::string(name(type.param));
                         });

}  // namespace
}  // namespace hlo::conformance
