#include "interpreter/definition/numbers/unbounded_integer.h"

#include <limits>
#include <utility>

#include "interpreter/definition/numbers/exact_numbers.h"

namespace hlo::definition {

Integer::Integer(WholeValue value)
    : value_(std::make_shared<const WholeValue>(std::move(value))) {}

Integer::Integer(bool negative, uint64_t bits)
    : Integer(WholeValue(negative ? -Whole(~bits) - 1 : Whole(bits))) {}

Integer operator-(const Integer& x) { return Integer(-whole(x)); }

Integer operator~(const Integer& x) { return Integer(-whole(x) - 1); }

Integer operator+(const Integer& x, const Integer& y) {
  return Integer(whole(x) + whole(y));
}

Integer operator-(const Integer& x, const Integer& y) {
  return Integer(whole(x) - whole(y));
}

Integer operator*(const Integer& x, const Integer& y) {
  return Integer(whole(x) * whole(y));
}

Integer operator/(const Integer& x, const Integer& y) {
  return Integer(whole(x) / whole(y));
}

Integer operator%(const Integer& x, const Integer& y) {
  return Integer(whole(x) % whole(y));
}

Integer operator&(const Integer& x, const Integer& y) {
  return Integer(whole(x) & whole(y));
}

Integer operator|(const Integer& x, const Integer& y) {
  return Integer(whole(x) | whole(y));
}

Integer operator^(const Integer& x, const Integer& y) {
  return Integer(whole(x) ^ whole(y));
}

Integer operator<<(const Integer& x, const Integer& n) {
  return Integer(whole(x) << static_cast<int64_t>(whole(n)));
}

// However far, no more than the sign is left.
Integer operator>>(const Integer& x, const Integer& n) {
  constexpr auto kMost = std::numeric_limits<int64_t>::max();
  return Integer(whole(x) >>
                 (n < kMost ? static_cast<int64_t>(whole(n)) : kMost));
}

std::strong_ordering operator<=>(const Integer& x, const Integer& y) {
  return whole(x).compare(whole(y)) <=> 0;
}

}  // namespace hlo::definition
