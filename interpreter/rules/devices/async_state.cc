#include "interpreter/rules/devices/async_state.h"

#include <algorithm>
#include <vector>

#include "interpreter/rules/reducer.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {

bool wraps_copy(const Shape& state, const Shape& copied) {
  const std::vector<Shape>& parts = state.tuple_shapes;
  return parts.size() >= 2 &&
         compatible(parts[0], Shape::tuple({copied}), true) &&
         compatible(parts[1], copied, true);
}

std::optional<size_t> context_of(const Shape& state) {
  for (size_t i = 2; i < state.tuple_shapes.size(); ++i) {
    const Shape& part = state.tuple_shapes[i];
    if (part.is_scalar() && (part.element_type == ElementType::kU32 ||
                             part.element_type == ElementType::kS32)) {
      return i;
    }
  }
  return std::nullopt;
}

bool is_same_but_for_precision(const Shape& a, const Shape& b) {
  return std::ranges::equal(leaves(a), leaves(b), [](auto* x, auto* y) {
    return x->dims == y->dims &&
           same_up_to_precision(x->element_type, y->element_type);
  });
}

}  // namespace hlo
