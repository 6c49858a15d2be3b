#include "conformance/certify/array/width.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/literals/literal_bits.h"
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

/// (high - low) / max(|low|, |high|); infinite where the set is open.
double relative_spread(const ValueSet& set, ElementType type) {
  const double reach = spread(set, type);
  if (std::isinf(reach)) return reach;
  const double largest = std::max(std::fabs(number(set.low(), type)),
                                  std::fabs(number(set.high(), type)));
  return largest > 0 ? reach / largest : 0;
}

/// How far the values of an element reach, of a complex number those of the
/// part that reaches farther.
struct Reach {
  bool is_single = true;
  double relative = 0;
};

Reach reach_of(const ElementSet& element, ElementType type) {
  Reach reach;
  for (int part = 0; part < components(type); ++part) {
    const ValueSet& set = element.parts.at(static_cast<size_t>(part));
    if (set.is_single() || !set.has_numbers()) continue;
    reach.is_single = false;
    reach.relative =
        std::max(reach.relative, relative_spread(set, component_type(type)));
  }
  return reach;
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
  width.elements = leaf.value.element_count();
  if (leaf.is_known()) {
    width.single = width.elements;
    return width;
  }
  for (int64_t i = 0; i < width.elements; ++i) {
    const Reach reach = reach_of(leaf.element(i), leaf.value.type());
    if (reach.is_single) {
      ++width.single;
    } else if (std::isinf(reach.relative)) {
      ++width.vacuous;
    } else {
      ++width.bounded;
      width.worst_relative = std::max(width.worst_relative, reach.relative);
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
  const ElementType part_type = component_type(type);
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    Scalar end{.type = type, .bits = {}};
    for (int part = 0; part < components(type); ++part) {
      const ValueSet set = leaf.at(i, part);
      end.bits.at(static_cast<size_t>(part)) =
          set.has_numbers()
              ? code_at(high ? set.high() : set.low(), part_type)
              : numeric::nan_code(false, numeric::format(part_type));
    }
    literal.set(i, end);
  }
  return literal;
}

}  // namespace hlo::conformance
