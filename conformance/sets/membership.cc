#include "conformance/sets/membership.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "conformance/literals/describe_scalar.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/value_set.h"
#include "interpreter/counted.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using numeric::is_nan;

/// One component of an element of a float type.
struct Component {
  const FloatFormat& format;
  uint64_t value;  // of the reference
  uint64_t actual;
};

bool is_quiet_nan(uint64_t code, const FloatFormat& format) {
  return is_nan(code, format) && !numeric::is_signaling_nan(code, format);
}

std::optional<int64_t> distance(const Component& c) {
  if (is_nan(c.value, c.format) || is_nan(c.actual, c.format)) {
    return std::nullopt;
  }
  // Between f64 numbers of opposite signs there may be more than 2^63 steps.
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const int64_t from = numeric::ordinal(c.value, c.format);
  int64_t steps = 0;
  if (__builtin_sub_overflow(numeric::ordinal(c.actual, c.format), from,
                             &steps)) {
    return from < 0 ? kMost : -kMost;
  }
  return steps;
}

std::optional<int64_t> further(std::optional<int64_t> a,
                               std::optional<int64_t> b) {
  if (!a || !b) return std::nullopt;
  return std::abs(*a) >= std::abs(*b) ? a : b;
}

/// The ordinal, and behind it a place for -0 just below +0.
std::pair<int64_t, int> key(uint64_t code, const FloatFormat& format) {
  const int64_t ordinal = numeric::ordinal(code, format);
  const bool minus_zero = ordinal == 0 && format.has_negative_zero() &&
                          numeric::sign_bit(code, format);
  return {ordinal, minus_zero ? -1 : 0};
}

bool is_negative(uint64_t code, const FloatFormat& format) {
  return format.sign_mask() != 0 && numeric::sign_bit(code, format);
}

/// Calls check(component, number) for the components of the element; the worst
/// of the answers.
template <typename Check>
Membership for_components(const Literal& value, int64_t i, const Scalar& actual,
                          const Check& check) {
  const Scalar reference = value.at(i);
  const FloatFormat& format = numeric::format(component_type(actual.type));
  const int n = components(actual.type);
  Membership all =
      check(Component{format, reference.bits[0], actual.bits[0]}, i * n);
  if (n == 1) return all;
  const Membership imaginary =
      check(Component{format, reference.bits[1], actual.bits[1]}, i * n + 1);
  all.inside = all.inside && imaginary.inside;
  all.bound_is_empty = all.bound_is_empty || imaginary.bound_is_empty;
  all.ulps = further(all.ulps, imaginary.ulps);
  if (imaginary.headroom) {
    all.headroom = std::max(all.headroom.value_or(0), *imaginary.headroom);
  }
  return all;
}

bool in_bits(const Component& c, bool any_nan) {
  return c.actual == c.value || (any_nan && is_nan(c.value, c.format) &&
                                 is_quiet_nan(c.actual, c.format));
}

bool within(const std::optional<Scalar>& least,
            const std::optional<Scalar>& greatest, const Component& c) {
  const int64_t k = numeric::ordinal(c.actual, c.format);
  return (!least || k >= numeric::ordinal(least->bits[0], c.format)) &&
         (!greatest || k <= numeric::ordinal(greatest->bits[0], c.format));
}

bool in_rounded(const RoundedSet& set, const Component& c, int64_t number) {
  if (in_bits(c, /*any_nan=*/true)) return true;
  const auto steps = distance(c);
  // Where the rounded value is infinite nothing else is near it.
  if (!steps || (numeric::is_infinity(c.value, c.format))) return false;
  if (*steps == 0 ||
      is_negative(c.actual, c.format) != is_negative(c.value, c.format)) {
    return false;  // the other zero, or across zero
  }
  if (!within(set.least, set.greatest, c)) return false;
  if (!set.faithful) return std::abs(*steps) <= set.steps;
  return *steps == set.sides.at(static_cast<size_t>(number));
}

uint64_t component_bits(const Literal& literal, int64_t number) {
  const int n = components(literal.type());
  return literal.at(number / n).bits[static_cast<size_t>(number % n)];
}

struct Ends {
  uint64_t low;
  uint64_t high;
};

Ends ends(const IntervalSet& set, int64_t number) {
  return {component_bits(set.low, number), component_bits(set.high, number)};
}

bool nan_admitted(const IntervalSet& set, const Component& c, const Ends& e,
                  int64_t number) {
  if (!set.nans.empty() && set.nans.at(static_cast<size_t>(number))) {
    return true;
  }
  return is_nan(c.value, c.format) || is_nan(e.low, c.format) ||
         is_nan(e.high, c.format);
}

bool in_interval(const IntervalSet& set, const Component& c, int64_t number) {
  if (c.actual == c.value) return true;
  const Ends e = ends(set, number);
  if (is_nan(c.actual, c.format)) {
    return is_quiet_nan(c.actual, c.format) && nan_admitted(set, c, e, number);
  }
  const bool no_low = is_nan(e.low, c.format);
  const bool no_high = is_nan(e.high, c.format);
  if (no_low && no_high) return false;  // NaN and nothing else
  const auto k = key(c.actual, c.format);
  return (no_low || k >= key(e.low, c.format)) &&
         (no_high || k <= key(e.high, c.format));
}

bool has_components(const Literal& value) {
  return is_float(value.type()) || is_complex(value.type());
}

/// Whether an integer, or a truth value, lies between the ends.
bool in_integers(const IntervalSet& set, int64_t i, const Scalar& actual) {
  const auto place = [](const Scalar& x) {
    return place_of(x.bits[0], x.type);
  };
  return place(set.low.at(i)) <= place(actual) &&
         place(actual) <= place(set.high.at(i));
}

/// The share of the way from the value to the end of the interval on the side
/// of the actual element.
std::optional<double> headroom(const IntervalSet& set, const Component& c,
                               int64_t number) {
  if (c.actual == c.value) return 0;
  const Ends e = ends(set, number);
  const double value = numeric::decode(c.value, c.format);
  const double actual = numeric::decode(c.actual, c.format);
  const double end = numeric::decode(actual < value ? e.low : e.high, c.format);
  const double error = std::fabs(actual - value);
  const double bound = std::fabs(end - value);
  if (!std::isfinite(error)) return std::nullopt;
  if (error == 0) return 0;
  return std::isfinite(bound) ? std::optional(error / bound) : std::nullopt;
}

bool bound_is_empty(const IntervalSet& set, int64_t number) {
  return !set.empty_bounds.empty() &&
         set.empty_bounds.at(static_cast<size_t>(number));
}

std::string describe_code(uint64_t code, ElementType type) {
  return describe(Scalar{.type = type, .bits = {code, 0}});
}

std::string component_name(ElementType type, int part) {
  return is_complex(type) ? part == 0 ? "real part " : ", imaginary part " : "";
}

/// say(number) for each component of the element.
template <typename Say>
std::string join_components(ElementType type, int64_t i, const Say& say) {
  std::string text;
  for (int part = 0; part < components(type); ++part) {
    text += component_name(type, part) + say(i * components(type) + part);
  }
  return text;
}

std::string describe_rounded(const RoundedSet& set, int64_t number) {
  const ElementType part = component_type(set.value.type());
  const std::string value =
      describe_code(component_bits(set.value, number), part);
  if (!set.faithful) {
    return fmt::format("within {} of {}", counted(set.steps, "step"), value);
  }
  const int8_t side = set.sides.at(static_cast<size_t>(number));
  return side == 0 ? value + ", which is exact"
                   : fmt::format("{} or the next {}", value,
                                 side > 0 ? "above" : "below");
}

std::string describe_interval(const IntervalSet& set, int64_t number) {
  const ElementType part = component_type(set.value.type());
  const FloatFormat& format = numeric::format(part);
  const Component c{format, component_bits(set.value, number), 0};
  const Ends e = ends(set, number);
  std::string text;
  if (e.low == e.high) {
    text = describe_code(e.low, part);
  } else {
    text =
        fmt::format("from {} to {}, exact {}", describe_code(e.low, part),
                    describe_code(e.high, part), describe_code(c.value, part));
  }
  if (!is_nan(c.value, format) && nan_admitted(set, c, e, number)) {
    text += ", or NaN";
  }
  return text;
}

ElementSet set_of(const AllowedSet& set, int64_t i) {
  const auto found = set.elements.find(i);
  return found == set.elements.end() ? ElementSet::of(set.value.at(i))
                                     : found->second;
}

}  // namespace

Membership contains(const BitsSet& set, int64_t i, const Scalar& actual) {
  const Scalar reference = set.value.at(i);
  if (!has_components(set.value)) {
    return {.inside = reference == actual, .ulps = {}};
  }
  return for_components(
      set.value, i, actual, [&](const Component& c, int64_t) -> Membership {
        return {.inside = in_bits(c, set.any_nan), .ulps = distance(c)};
      });
}

Membership contains(const RoundedSet& set, int64_t i, const Scalar& actual) {
  return for_components(set.value, i, actual,
                        [&](const Component& c, int64_t number) -> Membership {
                          return {.inside = in_rounded(set, c, number),
                                  .ulps = distance(c)};
                        });
}

Membership contains(const IntervalSet& set, int64_t i, const Scalar& actual) {
  if (!has_components(set.value)) {
    return {.inside = in_integers(set, i, actual), .ulps = {}};
  }
  return for_components(set.value, i, actual,
                        [&](const Component& c, int64_t number) -> Membership {
                          return {
                              .inside = in_interval(set, c, number),
                              .ulps = distance(c),
                              .headroom = headroom(set, c, number),
                              .bound_is_empty = bound_is_empty(set, number)};
                        });
}

Membership contains(const AllowedSet& set, int64_t i, const Scalar& actual) {
  Membership membership;
  membership.inside = set_of(set, i).contains(actual);
  membership.ulps = ulp_distance(set.value.at(i), actual);
  return membership;
}

std::string describe(const BitsSet& set, int64_t i) {
  const Scalar value = set.value.at(i);
  const bool nan = is_float(value.type) &&
                   is_nan(value.bits[0], numeric::format(value.type));
  if (nan && set.any_nan) return "any quiet NaN";
  return describe(value);
}

std::string describe(const RoundedSet& set, int64_t i) {
  std::string text = join_components(
      set.value.type(), i, [&](int64_t n) { return describe_rounded(set, n); });
  if (set.least) text += ", at least " + describe(*set.least);
  if (set.greatest) text += ", at most " + describe(*set.greatest);
  return text;
}

std::string describe(const IntervalSet& set, int64_t i) {
  if (!has_components(set.value)) {
    return fmt::format("from {} to {}", describe(set.low.at(i)),
                       describe(set.high.at(i)));
  }
  return join_components(set.value.type(), i,
                         [&](int64_t n) { return describe_interval(set, n); });
}

std::string describe(const AllowedSet& set, int64_t i) {
  return describe(set_of(set, i), set.value.type());
}

std::optional<int64_t> ulp_distance(const Scalar& reference,
                                    const Scalar& actual) {
  if (!is_float(actual.type) && !is_complex(actual.type)) return std::nullopt;
  const FloatFormat& format = numeric::format(component_type(actual.type));
  const auto first = distance({format, reference.bits[0], actual.bits[0]});
  if (!is_complex(actual.type)) return first;
  return further(first, distance({format, reference.bits[1], actual.bits[1]}));
}

}  // namespace hlo::conformance
