#include "interpreter/fold.h"

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/convert.h"
#include "interpreter/fold_cells.h"
#include "interpreter/fold_typed.h"

namespace hlo {
namespace {

struct Known {
  std::string_view op;
  Reducer reducer;
};

constexpr std::array<Known, 7> kKnown = {{{"add", Reducer::kAdd},
                                          {"multiply", Reducer::kMultiply},
                                          {"maximum", Reducer::kMaximum},
                                          {"minimum", Reducer::kMinimum},
                                          {"and", Reducer::kAnd},
                                          {"or", Reducer::kOr},
                                          {"xor", Reducer::kXor}}};

/// Whether the instruction's operands are both parameters, each once.
bool joins_parameters(const Instruction& instruction) {
  if (instruction.operands.size() != 2) return false;
  const auto a = instruction.operands[0]->parameter_number;
  const auto b = instruction.operands[1]->parameter_number;
  return std::min(a, b) == 0 && std::max(a, b) == 1;
}

/// The computation that a call or fusion of both parameters runs.
const Computation* wrapped(const Instruction& root) {
  if (root.op->name == "call") return root.get<Computation*>("to_apply");
  if (root.op->name == "fusion") return root.get<Computation*>("calls");
  return nullptr;
}

bool is_number(ElementType type) { return is_float(type) || is_complex(type); }

/// One input whose reducer is known and may be applied in any order.
Literal apply_known(const Fold& fold, Reducer reducer, const Shape& shape,
                    const std::vector<Literal>& operands,
                    const Evaluator& evaluator) {
  const ElementType type = shape.element_type;
  const Literal& operand = operands[0];
  const Literal& init = operands[1];
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

std::vector<FoldAxis> window_axes(const Shape& operand, const Shape& result,
                                  const Window& window) {
  const auto strides = row_major_strides(operand.dims);
  const auto result_strides = row_major_strides(result.dims);
  std::vector<FoldAxis> axes;
  for (size_t d = 0; d < window.dims.size(); ++d) {
    const WindowDimension& dimension = window.dims[d];
    // Steps that are never taken may be too large to multiply.
    axes.push_back(
        {.operand_size = operand.dims[d],
         .operand_stride = strides[d],
         .result_size = result.dims[d],
         .result_stride = result_strides[d],
         .cells = dimension.size,
         .result_step = result.dims[d] > 1 ? dimension.stride : 0,
         .cell_step = dimension.size > 1 ? dimension.window_dilation : 0,
         .offset = -dimension.low,
         .base_dilation = dimension.base_dilation});
  }
  return axes;
}

Literal apply(const Fold& fold, const Instruction& instruction,
              Operands operands, Evaluator& evaluator) {
  const auto inputs = static_cast<size_t>(fold.inputs);
  std::vector<Literal> arguments;
  for (size_t i = 0; i < 2 * inputs; ++i) {
    // Inputs are the reducer's second half of parameters, inits its first.
    const size_t parameter = i < inputs ? inputs + i : i - inputs;
    const ElementType type =
        fold.reducer->parameters[parameter]->shape.element_type;
    arguments.push_back(converted(operands[i], type, evaluator));
  }
  const Reducer reducer =
      inputs == 1 ? recognize(*fold.reducer) : Reducer::kOther;
  return reducer == Reducer::kOther
             ? fold_in_order(fold, instruction.shape, arguments, evaluator)
             : apply_known(fold, reducer, instruction.shape, arguments,
                           evaluator);
}

void for_each_cell(const Fold& fold, int64_t position,
                   const std::function<void(int64_t)>& visit) {
  Index places;
  for (const FoldAxis& axis : fold.axes) {
    places.push_back(axis.result_size == 1
                         ? 0
                         : position / axis.result_stride % axis.result_size);
  }
  for_each_index(fold, [&](const Index& cell) {
    int64_t source = 0;
    for (size_t a = 0; a < cell.size(); ++a) {
      const int64_t p = fold.axes[a].position(places[a], cell[a]);
      if (p < 0) return;
      source += p * fold.axes[a].operand_stride;
    }
    visit(source);
  });
}

Reducer recognize(const Computation& reducer) {
  if (reducer.parameters.size() != 2) return Reducer::kOther;
  const Instruction& root = *reducer.root;
  const ElementType type = root.shape.element_type;
  if (!root.shape.is_scalar() || !joins_parameters(root) ||
      reducer.parameters[0]->shape.element_type != type ||
      reducer.parameters[1]->shape.element_type != type) {
    return Reducer::kOther;
  }
  if (const Computation* inner = wrapped(root)) return recognize(*inner);
  const auto* const found =
      std::ranges::find(kKnown, root.op->name, &Known::op);
  return found == kKnown.end() ? Reducer::kOther : found->reducer;
}

}  // namespace hlo
