#include "conformance/sets/membership.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "conformance/literals/literal_bits.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;
using numeric::is_nan;

/// Codes from one float to another, to INT64_MAX of either sign: between f64
/// numbers of opposite signs there may be more.
std::optional<int64_t> distance(uint64_t reference, uint64_t actual,
                                const FloatFormat& format) {
  if (is_nan(reference, format) || is_nan(actual, format)) return std::nullopt;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const int64_t from = numeric::ordinal(reference, format);
  int64_t steps = 0;
  if (__builtin_sub_overflow(numeric::ordinal(actual, format), from, &steps)) {
    return from < 0 ? kMost : -kMost;
  }
  return steps;
}

/// The difference of two integers of the type, to INT64_MAX of either sign.
int64_t integer_distance(uint64_t reference, uint64_t actual,
                         ElementType type) {
  __extension__ using Wide = __int128;
  const auto number = [&](uint64_t bits) -> Wide {
    const int unused = 64 - static_cast<int>(info(type).bits);
    const uint64_t high = bits << static_cast<unsigned>(unused);
    return is_signed(type) ? Wide{static_cast<int64_t>(high) >> unused}
                           : Wide{high >> static_cast<unsigned>(unused)};
  };
  constexpr Wide kMost = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(
      std::clamp(number(actual) - number(reference), -kMost, kMost));
}

std::optional<int64_t> further(std::optional<int64_t> a,
                               std::optional<int64_t> b) {
  if (!a || !b) return std::nullopt;
  return std::abs(*a) >= std::abs(*b) ? a : b;
}

std::optional<double> headroom(const ValueSet& set, uint64_t reference,
                               uint64_t actual, const FloatFormat& format) {
  if (actual == reference) return 0;
  const double value = numeric::decode(reference, format);
  const double error = numeric::decode(actual, format) - value;
  if (!std::isfinite(error) || !set.has_numbers()) return std::nullopt;
  if (error == 0) return 0;
  const Place end = error < 0 ? set.low() : set.high();
  const double bound =
      numeric::decode(code_at(end, format.type), format) - value;
  return std::isfinite(bound) ? std::optional(error / bound) : std::nullopt;
}

}  // namespace

Membership contains(const ArraySet& set, int64_t i, const Scalar& actual) {
  const ElementSet element = set.element(i);
  const Scalar reference = set.value.at(i);
  const ElementType part = component_type(actual.type);
  Membership membership{.inside = element.contains(actual),
                        .ulps = ulp_distance(reference, actual)};
  for (int k = 0; k < components(actual.type); ++k) {
    const auto at = static_cast<size_t>(k);
    const auto number = static_cast<size_t>(i * components(actual.type) + k);
    membership.bound_is_empty |=
        !set.empty_bounds.empty() && set.empty_bounds[number];
    if (set.sets.empty() || !is_float(part)) continue;
    const auto share = headroom(element.parts.at(at), reference.bits.at(at),
                                actual.bits.at(at), numeric::format(part));
    if (share) {
      membership.headroom = std::max(membership.headroom.value_or(0), *share);
    }
  }
  return membership;
}

std::optional<int64_t> ulp_distance(const Scalar& reference,
                                    const Scalar& actual) {
  if (!is_float(actual.type) && !is_complex(actual.type)) {
    return integer_distance(reference.bits[0], actual.bits[0], actual.type);
  }
  const FloatFormat& format = numeric::format(component_type(actual.type));
  const auto first = distance(reference.bits[0], actual.bits[0], format);
  if (!is_complex(actual.type)) return first;
  return further(first, distance(reference.bits[1], actual.bits[1], format));
}

}  // namespace hlo::conformance
