#include "conformance/certify/array/width.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/counted.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounding.h"

namespace hlo::conformance {
namespace {

constexpr double kOpen = std::numeric_limits<double>::infinity();

double number(Place place, ElementType type) {
  if (!is_float(type)) return static_cast<double>(place);
  return numeric::decode(code_at(place, type), numeric::format(type));
}

}  // namespace

double spread(const ValueSet& set, ElementType type) {
  if (!set.has_numbers()) return 0;
  if (set.has_nan()) return kOpen;
  const double low = number(set.low(), type);
  const double high = number(set.high(), type);
  if (low == high) return 0;
  return std::isfinite(low) && std::isfinite(high) ? high - low : kOpen;
}

Width width(const SetTree& leaf) {
  Width width;
  const ElementType type = leaf.value.type();
  width.elements = leaf.value.element_count();
  if (leaf.is_known()) {
    width.single = width.elements;
    return width;
  }
  for (const ValueSet& set : leaf.sets) {
    const double reach = spread(set, type);
    if (set.is_single() || !set.has_numbers()) {
      ++width.single;
    } else if (std::isinf(reach)) {
      ++width.vacuous;
    } else {
      ++width.bounded;
      const double largest = std::max(std::fabs(number(set.low(), type)),
                                      std::fabs(number(set.high(), type)));
      if (largest > 0) {
        width.worst_relative = std::max(width.worst_relative, reach / largest);
      }
    }
  }
  return width;
}

std::string describe(const Width& width) {
  return fmt::format(
      "{}: {} of one value, {} bounded (at most {:.1e} wide, "
      "relative), "
      "{} open",
      counted(width.elements, "element"), width.single, width.bounded,
      width.worst_relative, width.vacuous);
}

Literal ends(const SetTree& leaf, bool high) {
  if (leaf.is_known()) return leaf.value;
  Literal literal = leaf.value;
  const ElementType type = leaf.value.type();
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const ValueSet set = leaf.at(i);
    const uint64_t code = set.has_numbers()
                              ? code_at(high ? set.high() : set.low(), type)
                              : numeric::nan_code(false, numeric::format(type));
    literal.set(i, {.type = type, .bits = {code, 0}});
  }
  return literal;
}

}  // namespace hlo::conformance
