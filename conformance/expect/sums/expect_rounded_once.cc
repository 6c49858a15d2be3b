#include "conformance/expect/sums/expect_rounded_once.h"

#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {

ArraySet expect_rounded_once(const Instruction& contraction, Operands operands,
                             const Literal& reference) {
  ArraySet set = ArraySet::computed(reference);
  if (numeric::format(component_type(reference.type())).has_nan()) return set;
  // The exact sum in a format that tells.
  Instruction wider = contraction;
  wider.shape.element_type = ElementType::kF32;
  Evaluator evaluator(kReference);
  const Literal found = evaluate_instruction(wider, operands, evaluator);
  const numeric::FloatFormat& format = numeric::format(ElementType::kF32);
  for (int64_t i = 0; i < found.element_count(); ++i) {
    if (numeric::is_nan(found.at(i).bits[0], format)) {
      set.put(i, 0, ValueSet::range(-1, 0));
    }
  }
  return set;
}

}  // namespace hlo::conformance
