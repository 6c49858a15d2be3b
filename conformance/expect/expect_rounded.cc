#include "conformance/expect/expect_rounded.h"

#include <algorithm>

#include "conformance/expect/linear/expect_normwise.h"
#include "conformance/levels/level.h"
#include "conformance/literals/differences.h"
#include "conformance/sets/admitted.h"
#include "interpreter/foreign/targets.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/rounded.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

/// What no result of the function crosses, however many steps are allowed.
void limit_range(RoundedSet& set, const Op& op) {
  const ElementType type = set.value.type();
  const Limits range = limits(op.facts.range, type);
  const auto code = [&](Place place) {
    return Scalar{.type = type, .bits = {code_at(place, type), 0}};
  };
  if (range.least) set.least = code(*range.least);
  if (range.greatest) set.greatest = code(*range.greatest);
}

/// On which side of the rounded value the exact one lies, for element i.
int side_of(const Accuracy& accuracy, Operands operands, int64_t i,
            const FloatFormat& format) {
  const uint64_t x = operands[0].at(i).bits[0];
  if (accuracy.function) {
    return numeric::round_function(*accuracy.function, x, format).side;
  }
  const uint64_t y = operands[1].at(i).bits[0];
  return numeric::round_function2(*accuracy.function2, x, y, format).side;
}

std::vector<int8_t> find_sides(const Accuracy& accuracy, Operands operands,
                               const Literal& reference,
                               const Literal* observed) {
  const FloatFormat& format = numeric::format(reference.type());
  std::vector<int8_t> sides(static_cast<size_t>(reference.element_count()), 0);
  for_each_difference(reference, observed, [&](int64_t i) {
    sides[static_cast<size_t>(i)] =
        static_cast<int8_t>(side_of(accuracy, operands, i, format));
  });
  return sides;
}

/// The gate: the bounds of the level that a result has to keep by default.
std::span<const Bound> gates(const Op& op, ElementType type) {
  return bounds(find_level("tight"), function_name(op), type,
                /*is_real_function=*/true);
}

const Bound& gate(const Op& op, ElementType type) {
  return gates(op, type).front();
}

Expectation expect_real(const Op& op, Operands operands,
                        const Literal& reference, const Literal* observed) {
  RoundedSet set;
  set.value = reference;
  limit_range(set, op);
  const Bound& bound = gate(op, reference.type());
  const bool known = op.accuracy.function || op.accuracy.function2;
  const bool one_type =
      std::ranges::all_of(operands, [&](const Literal& operand) {
        return operand.shape() == reference.shape();
      });
  if (!bound.faithful) {
    set.steps = bound.steps;
  } else if (known && one_type) {
    set.faithful = true;
    set.sides = find_sides(op.accuracy, operands, reference, observed);
  } else {
    set.steps = 1;
  }
  return set;
}

}  // namespace

bool is_bounded_by_steps(const Op& op, ElementType type) {
  const std::span<const Bound> bounds = gates(op, type);
  return bounds.size() == 1 &&
         (bounds.front().faithful || bounds.front().steps >= 0);
}

Expectation expect_rounded(const Op& op, Operands operands,
                           const Literal& reference, const Literal* observed) {
  if (is_float(reference.type()) && is_float(operands[0].type())) {
    return expect_real(op, operands, reference, observed);
  }
  const Bound& bound = gate(op, component_type(reference.type()));
  return expect_normwise(2.0 * bound.steps + 1, reference, observed);
}

}  // namespace hlo::conformance
