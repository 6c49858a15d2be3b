#include "conformance/expect/open_zeros.h"

#include <algorithm>
#include <list>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/elementwise/converted.h"

namespace hlo::conformance {
namespace {

constexpr ElementType kWide = ElementType::kF32;

Shape widened(Shape shape) {
  shape.element_type = kWide;
  return shape;
}

/// Whether operands and result are of one type, and that has no NaN.
bool lacks_nan(const Instruction& instruction) {
  const ElementType type = instruction.shape.element_type;
  return instruction.op->element != nullptr && is_float(type) &&
         !numeric::format(type).has_nan() &&
         std::ranges::all_of(instruction.operands, [&](const auto* operand) {
           return operand->shape.element_type == type;
         });
}

/// The instruction's value in f32, for operands that have no NaN.
Literal evaluate_wide(const Instruction& instruction, Operands operands) {
  std::list<Instruction> parameters;
  Instruction wide = instruction;
  wide.shape = widened(instruction.shape);
  std::vector<Literal> values;
  Evaluator evaluator(kReference);
  for (size_t k = 0; k < operands.size(); ++k) {
    parameters.push_back(*instruction.operands[k]);
    parameters.back().shape = widened(parameters.back().shape);
    wide.operands[k] = &parameters.back();
    values.push_back(converted(operands[k], kWide, evaluator.threads()));
  }
  return evaluate_instruction(wide, values, evaluator);
}

}  // namespace

Literal with_open_zeros(const Instruction& instruction, Operands operands,
                        const Literal& reference, const Literal* observed) {
  if (observed == nullptr || !lacks_nan(instruction)) return reference;
  const numeric::FloatFormat& format = numeric::format(reference.type());
  const uint64_t sign = format.sign_mask();
  std::vector<int64_t> turned;
  for (int64_t i = 0; i < reference.element_count(); ++i) {
    const uint64_t expected = reference.at(i).bits[0];
    const uint64_t seen = observed->at(i).bits[0];
    if ((expected & ~sign) == 0 && seen == (expected ^ sign)) {
      turned.push_back(i);
    }
  }
  if (turned.empty()) return reference;
  const Literal wide = evaluate_wide(instruction, operands);
  Literal result = reference;
  for (const int64_t i : turned) {
    if (numeric::is_nan(wide.at(i).bits[0], numeric::format(kWide))) {
      result.set(i, observed->at(i));
    }
  }
  return result;
}

}  // namespace hlo::conformance
