#include "conformance/certify/rules/certify_movement.h"

#include <string>

#include "interpreter/rules/op.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {
namespace {

/// Whether elements come from where they come whatever operand k is within its
/// sets.
bool is_settled(const Application& a, size_t k) {
  return a.operands[k]->is_known() || !a.instruction.op->moving.says_where(k);
}

/// Whether operand k has elements that are moved as they are.
bool is_moved_as_is(const Application& a, size_t k) {
  return a.instruction.op->moving.says_where(k) ||
         a.nominals[k].type() == a.nominal.type();
}

}  // namespace

/// The sets of elements are moved as the elements are.
SetTree certify_movement(const Application& a) {
  for (size_t k = 0; k < a.operands.size(); ++k) {
    if (!is_settled(a, k)) {
      return SetTree::nothing(a.nominal,
                              "the places that " + a.instruction.name +
                                  " takes are not the same everywhere");
    }
    if (!is_moved_as_is(a, k)) return unruled(a);
  }
  SetTree result = SetTree::known(a.nominal);
  for (int64_t i = 0; i < a.nominal.element_count(); ++i) {
    spend_shared(0);
    const Origin origin = a.instruction.op->source(
        a.instruction, a.nominals, delinearize(i, a.nominal.shape().dims));
    if (origin.operand == Origin::kZero) {
      result.sets.push_back(ValueSet::of(0, a.nominal.type()));
      continue;
    }
    const auto k = static_cast<size_t>(origin.operand);
    result.sets.push_back(
        a.operands[k]->at(linearize(origin.index, a.nominals[k].shape().dims)));
  }
  return simplified(std::move(result));
}

}  // namespace hlo::conformance
