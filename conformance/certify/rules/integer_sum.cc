#include "conformance/certify/rules/integer_sum.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace hlo::conformance {
namespace {

/// Integers from low to high; nothing where 64 bits with a sign do not hold
/// them.
using Range = std::optional<Places>;

/// The places of u64 begin at INT64_MIN.
Range values(const ValueSet& set, ElementType type) {
  if (type != ElementType::kU64) return Places{set.low(), set.high()};
  if (set.high() >= 0) return std::nullopt;
  constexpr Place kFirst = std::numeric_limits<Place>::min();
  return Places{set.low() - kFirst, set.high() - kFirst};
}

Range plus(const Range& a, const Range& b) {
  Places sum;
  if (!a || !b || __builtin_add_overflow(a->low, b->low, &sum.low) ||
      __builtin_add_overflow(a->high, b->high, &sum.high)) {
    return std::nullopt;
  }
  return sum;
}

Range times(const Range& a, const Range& b) {
  if (!a || !b) return std::nullopt;
  std::array<Place, 4> corners{};
  for (size_t k = 0; k < corners.size(); ++k) {
    const Place x = (k & 1) != 0 ? a->high : a->low;
    const Place y = (k & 2) != 0 ? b->high : b->low;
    if (__builtin_mul_overflow(x, y, &corners.at(k))) return std::nullopt;
  }
  const auto [low, high] = std::ranges::minmax(corners);
  return Places{low, high};
}

ValueSet set_of(const Range& range, ElementType type) {
  if (!range) return ValueSet::everything(type);
  if (type == ElementType::kU64) {
    if (range->low < 0) return ValueSet::everything(type);
    constexpr Place kFirst = std::numeric_limits<Place>::min();
    return ValueSet::range(range->low + kFirst, range->high + kFirst);
  }
  const bool fits =
      range->low >= least_place(type) && range->high <= greatest_place(type);
  return fits ? ValueSet::range(range->low, range->high)
              : ValueSet::everything(type);
}

}  // namespace

ValueSet integer_sum(std::span<const ValueSet> terms, ElementType type) {
  Range sum = Places{0, 0};
  for (const ValueSet& term : terms) sum = plus(sum, values(term, type));
  return set_of(sum, type);
}

ValueSet integer_product(std::span<const ValueSet> factors, ElementType type) {
  Range product = Places{1, 1};
  for (const ValueSet& factor : factors) {
    product = times(product, values(factor, type));
  }
  return set_of(product, type);
}

ValueSet integer_dot(std::span<const std::pair<ValueSet, ValueSet>> products,
                     ElementType operand, ElementType type) {
  Range sum = Places{0, 0};
  for (const auto& [a, b] : products) {
    sum = plus(sum, times(values(a, operand), values(b, operand)));
  }
  return set_of(sum, type);
}

}  // namespace hlo::conformance
