#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "conformance/sets/admitted.h"
#include "conformance/sets/testing/number_line.h"

// Every bound of a level around exact values all over the range of every type:
// the rules 2 to 5 of spec/conformance.md (Levels and axes) in rational
// arithmetic, against the sets.
namespace hlo::conformance {
namespace {

using testing::Held;
using testing::NumberLine;
using testing::power_of_two;

/// A bound with what else decides.
struct Rule {
  std::string name;
  Allowance allowance;
};

std::vector<Rule> rules() {
  std::vector<Rule> all;
  for (const int steps : {0, 1, 3}) {
    all.push_back({fmt::format("{} steps", steps), {{.steps = steps}}});
  }
  all.push_back({"faithful", {{.faithful = true}}});
  for (const double ulps : {0.5, 1.0, 2.5}) {
    all.push_back({fmt::format("{} ulps", ulps), {{.ulps = ulps}}});
  }
  all.push_back({"1 ulp + 1 per x", {{.ulps = 1, .ulps_per_x = 1}, 1.5}});
  all.push_back({"2 eps", {{.eps = 2}}});
  all.push_back({"absolute", {{.ulps = 1, .absolute = 0.25}}});
  all.push_back({"3 absolute eps", {{.absolute_eps = 3}}});
  all.push_back({"unlimited", {{.unlimited = true}}});
  return all;
}

int sign_of(const mpq_class& x) { return sgn(x); }

mpq_class ulp(const mpq_class& r, const NumberLine& line) {
  const int64_t least = testing::exponent_of(line.least_normal());
  const int64_t most = testing::exponent_of(line.largest());
  const int64_t e =
      r == 0 ? least : std::clamp(testing::exponent_of(r), least, most);
  return power_of_two(e + 1 - line.precision());
}

/// The largest real error that the bound allows; nothing without end. `known`
/// is r to 53 bits.
std::optional<mpq_class> error_of(const Allowance& a, const mpq_class& r,
                                  const mpq_class& known,
                                  const NumberLine& line) {
  if (a.bound.unlimited) return std::nullopt;
  const mpq_class eps = power_of_two(1 - line.precision());
  const mpq_class size = std::max(mpq_class(abs(known)), line.least_normal());
  const mpq_class units =
      mpq_class(a.bound.ulps) + mpq_class(a.bound.ulps_per_x) * mpq_class(a.x);
  return std::max({mpq_class(units * ulp(r, line)),
                   mpq_class(mpq_class(a.bound.eps) * eps * size),
                   mpq_class(a.bound.absolute),
                   mpq_class(mpq_class(a.bound.absolute_eps) * eps)});
}

bool crosses_zero(const Bound& bound) {
  return bound.absolute > 0 || bound.absolute_eps > 0;
}

/// The code beyond the numbers of that side.
void add_beyond(Held& held, int sign, const NumberLine& line) {
  const int64_t place = sign > 0 ? line.last() + 1 : line.first();
  if (line.has_infinity()) held.ranges.push_back({place, place});
  if (!line.has_infinity() && line.has_nan()) held.nans = Held::Nans::kQuiet;
}

/// Codes around a value by their places, infinity being one of them.
Held by_codes(const mpq_class& r, const Bound& bound, const NumberLine& line) {
  const int s = sign_of(r);
  const int64_t center = line.nearest(r);
  const int64_t last = line.last() + (line.has_infinity() ? 1 : 0);
  Held held{{{std::max(center - std::max(bound.steps, 0), line.first()),
              std::min(center + std::max(bound.steps, 0), last)}}};
  if (bound.faithful) {
    held = {{{std::max(line.floor(r), line.first()),
              std::min(line.ceil(r), last)}}};
    if (abs(r) > line.largest()) add_beyond(held, s, line);
  }
  Places& range = held.ranges[0];
  (s > 0 ? range.low : range.high) =
      s > 0 ? std::max(range.low, line.zero(false))
            : std::min(range.high, line.zero(true));
  return held;
}

/// What r is known to lie between by 53 bits of it: both ends are it where it
/// has no more, else none of them.
struct Known {
  mpq_class near;
  mpq_class low;
  mpq_class high;

  explicit Known(const mpq_class& r) {
    const NumberLine wide(ElementType::kF64);
    const int64_t place = wide.nearest(r);
    near = wide.value(place);
    low = high = near;
    if (near < r) high += (wide.value(place + 1) - near) / 2;
    if (near > r) low -= (near - wide.value(place - 1)) / 2;
  }

  bool is_open() const { return low != high; }
};

/// Every number within the error, of the value's sign but for absolute errors.
Held by_error(const mpq_class& r, const Allowance& a, const NumberLine& line) {
  const int s = sign_of(r);
  const int64_t center = line.nearest(r);
  const Known known(r);
  // Beyond the largest number the error is what it is there.
  const mpq_class most = line.largest();
  const mpq_class error =
      *error_of(a, std::clamp(r, mpq_class(-most), most),
                std::clamp(known.near, mpq_class(-most), most), line);
  const mpq_class first = known.low - error;
  const mpq_class last = known.high + error;
  // Open ends that are numbers are none of the set.
  const mpq_class little = known.is_open() ? power_of_two(-2000) : 0;
  Places range{std::min(line.ceil(first + little), center),
               std::max(line.floor(last - little), center)};
  if (!crosses_zero(a.bound)) {
    if (s > 0) range.low = std::max(range.low, line.zero(false));
    if (s < 0) range.high = std::min(range.high, line.zero(true));
  }
  const int64_t least = line.is_signed() ? line.negated(line.last()) : 0;
  range = {std::max(range.low, least), std::min(range.high, line.last())};
  Held held{{range}};
  if (last - little >= line.beyond()) add_beyond(held, 1, line);
  if (first + little <= -line.beyond() && line.is_signed()) {
    add_beyond(held, -1, line);
  }
  return held;
}

/// The set of a value that is beyond the largest number, rounded to what stands
/// for that.
Held overflowed(const mpq_class& r, const Allowance& a,
                const NumberLine& line) {
  const Bound& bound = a.bound;
  Held held;
  add_beyond(held, sign_of(r), line);
  // Numbers beyond f64 are known by 53 bits, too.
  const mpq_class scale = power_of_two(64);
  const Known known(abs(r) / scale);
  const mpq_class magnitude = known.low * scale;
  const mpq_class most = line.largest();
  const mpq_class unit = ulp(most, line);
  const auto is_near = [&](int64_t place) {
    const mpq_class excess = magnitude - line.value(place);
    const int64_t below = line.last() - place;
    if (bound.faithful) return below == 0 && excess < unit;
    if (bound.steps >= 0) {
      const mpq_class steps = mpq_class(bound.steps - below) + mpq_class(1, 2);
      return below <= bound.steps && magnitude - most < steps * unit;
    }
    const mpq_class error = *error_of(a, most, most, line);
    return known.is_open() ? excess < error : excess <= error;
  };
  int64_t first = line.last() + 1;
  while (first > line.zero(false) && is_near(first - 1)) --first;
  if (first > line.last()) return held;
  Places near{first, line.last()};
  if (sign_of(r) < 0) near = {line.negated(near.high), line.negated(near.low)};
  held.ranges.push_back(near);
  return held;
}

Held everything(const NumberLine& line) {
  const int64_t last = line.last() + (line.has_infinity() ? 1 : 0);
  return {{{line.first(), last}},
          line.has_infinity() || !line.has_nan() ? Held::Nans::kNone
                                                 : Held::Nans::kQuiet};
}

bool overflows(const mpq_class& r, const NumberLine& line) {
  return line.has_nan() && line.nearest(abs(r)) > line.last();
}

/// What the page says of the exact value r, which is not zero.
Held held_by(const mpq_class& r, const Allowance& a, const NumberLine& line) {
  const bool is_code =
      abs(r) <= line.largest() && line.value(line.nearest(r)) == r;
  if (a.bound.unlimited && is_code) {
    return {{{line.nearest(r), line.nearest(r)}}};
  }
  if (a.bound.unlimited) return everything(line);
  if (overflows(r, line)) return overflowed(r, a, line);
  Held held = a.bound.faithful || a.bound.steps >= 0
                  ? by_codes(r, a.bound, line)
                  : by_error(r, a, line);
  const Places range = held.ranges[0];
  const int64_t normal = line.place_of_normal();
  const bool below =
      sign_of(r) > 0 ? range.low < normal : range.high > line.negated(normal);
  if (a.ftz && (below || abs(r) < line.least_normal()) && line.is_signed()) {
    const int64_t zero = line.zero(sign_of(r) < 0);
    held.ranges.push_back({zero, zero});
  }
  return held;
}

/// r as a kernel returns it.
ExactValue exact_value(const mpq_class& r, const NumberLine& line) {
  const int s = sign_of(r);
  const int64_t place = line.nearest(abs(r));
  ExactValue value;
  if (place > line.last()) {
    const bool is_nan = line.has_nan() && !line.has_infinity();
    const int64_t infinity = s > 0 ? line.last() + 1 : line.first();
    const bool is_negative_nan = s < 0 && line.has_minus_zero();
    value.rounded = {.bits = is_nan ? line.quiet_nans()[is_negative_nan ? 1 : 0]
                                    : line.code(infinity),
                     .side = is_nan ? 0 : -s};
  } else {
    const int64_t signed_place = s < 0 ? line.negated(place) : place;
    value.rounded = {.bits = line.code(signed_place),
                     .side = sgn(mpq_class(r - line.value(signed_place)))};
  }
  const NumberLine wide(ElementType::kF64);
  const bool is_beyond = place > line.last() && line.type() == wide.type();
  if (line.type() == wide.type() && !is_beyond) return value;
  const mpq_class known = is_beyond ? r * power_of_two(-64) : r;
  const int64_t near = wide.nearest(known);
  const numeric::Rounded rounded{
      .bits = wide.code(near),
      .side = sgn(mpq_class(known - wide.value(near)))};
  (is_beyond ? value.scaled : value.wide) = rounded;
  return value;
}

/// Values on codes and between them, at all ends of the type.
std::vector<mpq_class> values_of(const NumberLine& line) {
  const mpq_class quarter = (line.beyond() - line.largest()) / 4;
  std::vector<mpq_class> all = {1, mpq_class(10, 7), mpq_class(3, 7)};
  all.push_back(1 + power_of_two(-line.precision() - 1));
  all.push_back(1 - power_of_two(-line.precision() - 2));
  for (const int k : {0, 1, 3, 4, 5, 9, 11, 16, 64}) {
    all.push_back(line.largest() + k * quarter);
  }
  all.push_back(line.largest() - quarter);
  for (const int k : {1, 3, 4, 5, 7, 9, 11}) {
    all.push_back(line.least() * k / 4);
  }
  const mpq_class step =
      line.value(line.place_of_normal() + 1) - line.least_normal();
  for (const int k : {-5, -1, 0, 1, 3, 5}) {
    all.push_back(line.least_normal() + step * k / 4);
  }
  std::erase_if(all, [&](const mpq_class& r) {
    return r <= 0 || (!line.is_signed() && r < line.least());
  });
  return all;
}

class AdmittedEnds : public ::testing::TestWithParam<ElementType> {};

void expect_ends(const mpq_class& r, const Rule& rule, bool ftz,
                 const NumberLine& line) {
  const numeric::FloatFormat& format = numeric::format(line.type());
  Allowance allowance = rule.allowance;
  allowance.ftz = ftz;
  const ValueSet set = admitted(exact_value(r, line), allowance, format);
  EXPECT_EQ(difference(set, held_by(r, allowance, line), line), "")
      << rule.name << (ftz ? " with ftz" : "") << " around " << r.get_d();
}

TEST_P(AdmittedEnds, AreThoseOfThePage) {
  const NumberLine line(GetParam());
  for (const Rule& rule : rules()) {
    for (const mpq_class& r : values_of(line)) {
      for (const bool ftz : {false, true}) {
        expect_ends(r, rule, ftz, line);
        if (line.is_signed()) expect_ends(-r, rule, ftz, line);
      }
    }
  }
}

TEST_P(AdmittedEnds, AreOneCodeAroundZeroAndPoles) {
  const NumberLine line(GetParam());
  const numeric::FloatFormat& format = numeric::format(GetParam());
  for (const Rule& rule : rules()) {
    for (const bool negative : {false, true}) {
      const int64_t zero = line.zero(negative);
      if (line.is_signed()) {
        const numeric::Rounded rounded{.bits = line.code(zero)};
        const ExactValue value{rounded, numeric::Rounded{}};
        EXPECT_EQ(difference(admitted(value, rule.allowance, format),
                             {{{zero, zero}}}, line),
                  "")
            << rule.name;
      }
      if (!line.has_infinity()) continue;
      const int64_t pole = negative ? line.first() : line.last() + 1;
      const numeric::Rounded infinite{
          negative ? 0xfff0000000000000 : 0x7ff0000000000000, 0};
      const ExactValue value{{line.code(pole), 0}, infinite};
      EXPECT_EQ(difference(admitted(value, rule.allowance, format),
                           {{{pole, pole}}}, line),
                "")
          << rule.name;
    }
  }
}

// Between 0.5 and 2, which all types but two have: no error leaves them.
TEST_P(AdmittedEnds, LieWithinTheRangeOfTheFunction) {
  const NumberLine line(GetParam());
  const numeric::FloatFormat& format = numeric::format(GetParam());
  const Limits limits = conformance::limits({0.5, 2}, GetParam());
  const int64_t low = line.nearest(mpq_class(1, 2));
  const int64_t high = line.nearest(2);
  for (const Rule& rule : rules()) {
    if (rule.allowance.bound.unlimited) continue;
    Allowance allowance = rule.allowance;
    allowance.limits = limits;
    for (const mpq_class& r : {line.value(low), line.value(high)}) {
      Held held = held_by(r, allowance, line);
      held.ranges = {{std::max(held.ranges[0].low, low),
                      std::min(held.ranges[0].high, high)}};
      held.nans = Held::Nans::kNone;
      EXPECT_EQ(difference(admitted(exact_value(r, line), allowance, format),
                           held, line),
                "")
          << rule.name << " around " << r.get_d();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, AdmittedEnds,
                         ::testing::ValuesIn(testing::float_types()),
                         [](const auto& type) {
                           return std::string(name(type.param));
                         });

}  // namespace
}  // namespace hlo::conformance
