#include "conformance/expect/sums/expect_rounded_once.h"

#include "conformance/levels/level.h"
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

bool asks_for_exact_result(const Instruction& instruction,
                           const Profile& profile) {
  switch (instruction.op->accuracy.kind) {
    case Accuracy::Kind::kTransform:
    case Accuracy::Kind::kFactored:
    case Accuracy::Kind::kSolved:
    case Accuracy::Kind::kNormalized:
      return find_level(profile.level).sums_rounded_once;
    default:
      return false;
  }
}

ArraySet expect_exact_result(const Literal& reference) {
  ArraySet set = ArraySet::computed(reference);
  const numeric::FloatFormat& format =
      numeric::format(component_type(reference.type()));
  // A zero may stand for NaN, whose sign is open.
  for (int64_t i = 0; !format.has_nan() && i < reference.element_count(); ++i) {
    if ((reference.at(i).bits[0] & ~format.sign_mask()) == 0) {
      set.put(i, 0, ValueSet::range(-1, 0));
    }
  }
  return set;
}

}  // namespace hlo::conformance
