#include "interpreter/plans/fold/fold_operands.h"

#include <utility>
#include <vector>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/plans/fold/fold_product.h"
#include "interpreter/plans/fold/fold_program.h"
#include "interpreter/plans/fold/fold_sum.h"
#include "interpreter/plans/fold/fold_typed.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

bool is_number(ElementType type) { return is_float(type) || is_complex(type); }

/// A fold of no cell has the bits of its initial value, and those of a NaN are
/// not the ones that sums and extrema give.
bool is_nan(const Literal& init) {
  const ElementType type = init.type();
  if (!is_number(type)) return false;
  const numeric::FloatFormat& format = numeric::format(component_type(type));
  const Scalar scalar = init.scalar();
  return numeric::is_nan(scalar.bits[0], format) ||
         (is_complex(type) && numeric::is_nan(scalar.bits[1], format));
}

/// One input whose reducer is known and may be applied in any order.
std::optional<Literal> apply_known(const Fold& fold, Reducer reducer,
                                   const Shape& shape,
                                   const std::vector<Literal>& operands,
                                   Evaluator& evaluator) {
  const ElementType type = shape.element_type;
  const Literal& operand = operands[0];
  const Literal& init = operands[1];
  if (is_nan(init)) return fold_in_order(fold, shape, operands, evaluator);
  if (!is_number(type) || reducer == Reducer::kMaximum ||
      reducer == Reducer::kMinimum) {
    return fold_typed(fold, reducer, shape, operand, init, evaluator);
  }
  if (reducer == Reducer::kAdd) {
    return fold_sum(fold, shape, operand, init, evaluator);
  }
  if (reducer == Reducer::kMultiply && is_float(type)) {
    return fold_product(fold, shape, operand, init, evaluator);
  }
  return fold_in_order(fold, shape, operands, evaluator);
}

}  // namespace

std::optional<Literal> apply(const Fold& fold, const Instruction& instruction,
                             Operands operands, Evaluator& evaluator) {
  const auto inputs = static_cast<size_t>(fold.inputs);
  std::vector<Literal> arguments;
  for (size_t i = 0; i < 2 * inputs; ++i) {
    // Inputs are the reducer's second half of parameters, inits its first.
    const size_t parameter = i < inputs ? inputs + i : i - inputs;
    const ElementType type =
        fold.reducer->parameters[parameter]->shape.element_type;
    arguments.push_back(converted(operands[i], type, evaluator.threads()));
  }
  const Reducer reducer =
      inputs == 1 ? recognize(*fold.reducer) : Reducer::kOther;
  return reducer == Reducer::kOther
             ? fold_in_order(fold, instruction.shape, arguments, evaluator)
             : apply_known(fold, reducer, instruction.shape, arguments,
                           evaluator);
}

}  // namespace hlo
