#include "conformance/certify/certify_one.h"

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/certify/array/from_expectation.h"
#include "conformance/certify/image/image.h"
#include "conformance/certify/rules/certify_contraction.h"
#include "conformance/certify/rules/certify_fold.h"
#include "conformance/certify/rules/certify_movement.h"
#include "conformance/certify/rules/certify_sort.h"
#include "conformance/expect/expect.h"
#include "interpreter/run/shared_limits.h"

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

SetTree images(const Application& a) {
  Image image(a.instruction, a.profile);
  SetTree result = SetTree::known(a.nominal);
  std::vector<ValueSet> element(a.operands.size());
  for (int64_t i = 0; i < a.nominal.element_count(); ++i) {
    spend_shared(0);
    for (size_t k = 0; k < a.operands.size(); ++k) {
      const bool splat = a.nominals[k].shape().is_scalar();
      element[k] = a.operands[k]->at(splat ? 0 : i);
    }
    result.sets.push_back(image.of(element));
  }
  return simplified(std::move(result));
}

SetTree of_known(const Application& a) {
  const std::vector<Expectation> sets =
      expect(a.instruction, a.nominals, a.nominal, nullptr, a.profile);
  if (!a.nominal.shape().is_tuple()) {
    return sets.empty() ? SetTree::known(a.nominal)
                        : from_expectation(sets[0], a.nominal);
  }
  SetTree tuple = SetTree::known(a.nominal);
  for (size_t k = 0; k < tuple.elements.size() && k < sets.size(); ++k) {
    tuple.elements[k] = from_expectation(sets[k], a.nominal.elements()[k]);
  }
  return tuple;
}

/// Each element that is made of known ones is known, the others are open.
SetTree bitcast(const Application& a) {
  const SetTree& operand = *a.operands[0];
  const int64_t from = a.nominals[0].element_count();
  const int64_t to = a.nominal.element_count();
  if (from == 0 || to == 0) return SetTree::known(a.nominal);
  ValueSet open = ValueSet::everything(a.nominal.type());
  if (is_float(a.nominal.type())) open.add_any_nan();
  SetTree result = SetTree::known(a.nominal);
  for (int64_t i = 0; i < to; ++i) {
    bool known = true;
    for (int64_t k = i * from / to; k * to < (i + 1) * from; ++k) {
      known = known && operand.at(k).is_single();
    }
    result.sets.push_back(
        known ? ValueSet::of(a.nominal.at(i).bits[0], a.nominal.type()) : open);
  }
  return simplified(std::move(result));
}

SetTree of_sets(const Application& a) {
  const Op& op = *a.instruction.op;
  if (op.accuracy.kind == Accuracy::Kind::kOrdered) return certify_order(a);
  const bool real = std::ranges::all_of(
      a.instruction.operands,
      [](const Instruction* x) { return is_real_array(x->shape); });
  if (!is_real_array(a.nominal.shape()) || !real) return unruled(a);
  if (op.form == Form::kBits) return bitcast(a);
  if (op.source != nullptr) return certify_movement(a);
  if (op.cells != nullptr) return certify_fold(a);
  if (op.updates != nullptr) return certify_updates(a);
  if (op.terms != nullptr) return certify_contraction(a);
  return unruled(a);
}

}  // namespace

SetTree certify_one(const Application& a) {
  if (is_elementwise(a.instruction)) return images(a);
  const bool known = std::ranges::all_of(
      a.operands, [](const SetTree* x) { return x->is_known(); });
  if (known) return of_known(a);
  const bool sized = std::ranges::any_of(
      a.nominals, [](const Literal& x) { return !x.dynamic_sizes().empty(); });
  // What lies beyond the sizes at run time is no value.
  return sized ? unruled(a) : of_sets(a);
}

}  // namespace hlo::conformance
