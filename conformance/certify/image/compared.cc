#include "conformance/certify/image/compared.h"

#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

/// -0 and +0 are equal, where there are both.
Place by_value(Place place, ElementType type) {
  const bool has_two_zeros =
      is_float(type) && numeric::format(type).has_negative_zero();
  return has_two_zeros && place < 0 ? place + 1 : place;
}

ValueSet truth(bool can_be_true, bool can_be_false) {
  ValueSet set;
  if (can_be_false) set.add(Places{0, 0});
  if (can_be_true) set.add(Places{1, 1});
  return set;
}

bool is_one(const ValueSet& a, const ValueSet& b, ElementType type) {
  return by_value(a.low(), type) == by_value(a.high(), type) &&
         by_value(b.low(), type) == by_value(b.high(), type);
}

bool meet(const ValueSet& a, const ValueSet& b, ElementType type) {
  for (const Places& x : a.ranges()) {
    for (const Places& y : b.ranges()) {
      if (by_value(x.low, type) <= by_value(y.high, type) &&
          by_value(y.low, type) <= by_value(x.high, type)) {
        return true;
      }
    }
  }
  return false;
}

/// What a comparison of numbers may be.
struct Truth {
  bool is;
  bool is_not;
};

Truth equality(const ValueSet& a, const ValueSet& b, ElementType type) {
  const bool is = meet(a, b, type);
  return {is, !(is && is_one(a, b, type))};
}

/// a < b, a <= b, a > b or a >= b.
Truth order(const ValueSet& a, const ValueSet& b, const std::string& direction,
            ElementType type) {
  const bool swapped = direction == "GT" || direction == "GE";
  const bool or_equal = direction == "LE" || direction == "GE";
  const ValueSet& x = swapped ? b : a;
  const ValueSet& y = swapped ? a : b;
  const Place least = by_value(x.low(), type);
  const Place greatest = by_value(x.high(), type);
  const Place first = by_value(y.low(), type);
  const Place last = by_value(y.high(), type);
  if (or_equal) return {least <= last, greatest > first};
  return {least < last, greatest >= first};
}

}  // namespace

ValueSet finite(const ValueSet& x, ElementType type) {
  const Place most = greatest_place(type);
  const bool infinite = numeric::format(type).has_infinity();
  bool is = false;
  bool is_not = x.has_nan();
  for (const Places& range : x.ranges()) {
    const bool ends = range.low == negated(most, type) || range.high == most;
    is_not = is_not || (infinite && ends);
    is = is || !infinite || range.low < range.high || !ends;
  }
  return truth(is, is_not);
}

ValueSet compared(const ValueSet& a, const ValueSet& b,
                  const ComparisonRule& comparison) {
  const std::string& direction = comparison.direction;
  const bool nan = a.has_nan() || b.has_nan();
  if (comparison.total_order && nan) return truth(true, true);
  const bool differs = direction == "NE";
  if (!a.has_numbers() || !b.has_numbers()) return truth(differs, !differs);
  // Total order tells zeros apart, as places do.
  const ElementType type =
      comparison.total_order ? ElementType::kS64 : comparison.type;
  if (differs || direction == "EQ") {
    const Truth equal = equality(a, b, type);
    const bool is_not = equal.is_not || nan;
    return differs ? truth(is_not, equal.is) : truth(equal.is, is_not);
  }
  const Truth ordered = order(a, b, direction, type);
  return truth(ordered.is, ordered.is_not || nan);
}

}  // namespace hlo::conformance
