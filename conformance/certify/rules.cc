#include "conformance/certify/rules.h"

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/certify/from_expectation.h"
#include "conformance/certify/image.h"
#include "conformance/certify/movements.h"
#include "conformance/certify/sums.h"
#include "conformance/expect.h"
#include "interpreter/contraction.h"
#include "interpreter/fold.h"

namespace hlo::conformance {
namespace {

bool is_real_array(const Shape& shape) {
  return shape.is_array() && !is_complex(shape.element_type);
}

bool is_elementwise(const Instruction& instruction) {
  return ElementRule::applies_to(instruction) &&
         is_real_array(instruction.shape) &&
         std::ranges::all_of(instruction.operands, [](const Instruction* x) {
           return is_real_array(x->shape);
         });
}

SetArray images(const Application& a) {
  Image image(a.instruction, a.profile);
  SetArray result;
  result.nominal = a.nominal;
  std::vector<ValueSet> element(a.operands.size());
  for (int64_t i = 0; i < a.nominal.element_count(); ++i) {
    for (size_t k = 0; k < a.operands.size(); ++k) {
      const bool splat = a.nominals[k].shape().is_scalar();
      element[k] = a.operands[k]->at(splat ? 0 : i);
    }
    result.sets.push_back(image.of(element));
  }
  return simplified(std::move(result));
}

SetArray of_known(const Application& a) {
  const std::vector<Expectation> sets =
      expect(a.instruction, a.nominals, a.nominal, nullptr, a.profile);
  if (!a.nominal.shape().is_tuple()) {
    return sets.empty() ? SetArray::known(a.nominal)
                        : from_expectation(sets[0], a.nominal);
  }
  SetArray tuple = SetArray::known(a.nominal);
  for (size_t k = 0; k < tuple.elements.size() && k < sets.size(); ++k) {
    tuple.elements[k] = from_expectation(sets[k], a.nominal.elements()[k]);
  }
  return tuple;
}

SetArray folded(const Application& a) {
  const Fold fold = a.instruction.op->fold(a.instruction);
  const ElementType type = a.nominal.type();
  const Reducer reducer = recognize(*fold.reducer);
  const bool same = std::ranges::all_of(
      a.nominals, [&](const Literal& x) { return x.type() == type; });
  if (fold.inputs != 1 || !same || is_complex(type)) return unruled(a);
  const bool pred = type == ElementType::kPred;
  const bool maximum =
      reducer == Reducer::kMaximum || (pred && reducer == Reducer::kOr);
  const bool minimum =
      reducer == Reducer::kMinimum || (pred && reducer == Reducer::kAnd);
  if (reducer == Reducer::kAdd && is_float(type)) {
    return certify_sum(fold, *a.operands[0], *a.operands[1], a.nominal,
                       a.profile);
  }
  if (maximum || minimum) {
    return certify_extreme(fold, *a.operands[0], *a.operands[1], a.nominal,
                           maximum, a.profile);
  }
  return unruled(a);
}

SetArray of_sets(const Application& a) {
  const Op& op = *a.instruction.op;
  if (op.movement != nullptr) return certify_movement(a);
  if (op.fold != nullptr) return folded(a);
  const bool floats = is_float(a.nominal.type()) &&
                      std::ranges::all_of(a.nominals, [](const Literal& x) {
                        return is_float(x.type());
                      });
  if (op.contraction != nullptr && floats && a.operands.size() == 2) {
    return certify_contraction(op.contraction(a.instruction), *a.operands[0],
                               *a.operands[1], a.nominal, a.profile);
  }
  return unruled(a);
}

}  // namespace

SetArray unruled(const Application& a) {
  return SetArray::nothing(
      a.nominal, "there is no rule for " + std::string(a.instruction.op->name) +
                     " of values that may differ (" + a.instruction.name + ")");
}

SetArray certify_one(const Application& a) {
  if (is_elementwise(a.instruction)) return images(a);
  const bool known = std::ranges::all_of(
      a.operands, [](const SetArray* x) { return x->is_known(); });
  if (known) return of_known(a);
  return a.nominal.shape().is_array() ? of_sets(a) : unruled(a);
}

}  // namespace hlo::conformance
