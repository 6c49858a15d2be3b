#include "conformance/expect/open_nans.h"

#include <algorithm>
#include <optional>

#include "conformance/literals/literal_bits.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using Sets = std::vector<Expectation>;

bool is_nan(uint64_t code, ElementType type) {
  return is_float(type) && numeric::is_nan(code, numeric::format(type));
}

/// Another NaN of the set, of the other sign and payload where there is one.
std::optional<uint64_t> other_nan(const ValueSet& set, uint64_t code,
                                  ElementType type) {
  if (!is_nan(code, type) || set.only_nan()) return std::nullopt;
  const uint64_t sign = numeric::format(type).sign_mask();
  std::vector<uint64_t> others = {code ^ sign ^ 1, code ^ sign, code ^ 1};
  for (const ValueSet::Nan& nan : set.nan_codes()) others.push_back(nan.code);
  const auto found = std::ranges::find_if(others, [&](uint64_t other) {
    return other != code && is_nan(other, type) && set.contains(other, type);
  });
  if (found == others.end()) return std::nullopt;
  return *found;
}

/// The operand with other NaNs, if it may have any; and whether one of them may
/// be any quiet one.
std::optional<Literal> swapped(const ArraySet& set, const Literal& operand,
                               bool& is_any_quiet) {
  const ElementType type = component_type(operand.type());
  std::optional<Literal> found;
  if (!is_float(type) || (set.sets.empty() && !set.any_nan)) return found;
  for (int64_t i = 0; i < operand.element_count(); ++i) {
    Scalar value = operand.at(i);
    for (int part = 0; part < components(operand.type()); ++part) {
      uint64_t& code = value.bits.at(static_cast<size_t>(part));
      if (!is_nan(code, type)) continue;
      const ValueSet own = set.at(i, part);
      const auto other = other_nan(own, code, type);
      if (!other) continue;
      code = *other;
      is_any_quiet = is_any_quiet || own.has_quiet_nans();
      if (!found) found = operand;
      found->set(i, value);
    }
  }
  return found;
}

/// The set of an operand that is an array; tuples are left as they are.
const ArraySet* array_set(const Literal& operand, const Sets& sets) {
  return operand.shape().is_array() && sets.size() == 1
             ? std::get_if<ArraySet>(&sets[0])
             : nullptr;
}

/// What the operation gives for other NaNs, added to the set of one leaf.
void add_result(Expectation& leaf, const Literal& other, bool is_any_quiet) {
  auto* set = std::get_if<ArraySet>(&leaf);
  if (set == nullptr) return;
  const ElementType type = component_type(other.type());
  for (int64_t i = 0; i < other.element_count(); ++i) {
    const Scalar value = other.at(i);
    for (int part = 0; part < components(other.type()); ++part) {
      const uint64_t code = value.bits.at(static_cast<size_t>(part));
      ValueSet own = set->at(i, part);
      if (own.contains(code, type)) continue;
      if (!is_nan(code, type) || !own.has_nan()) {
        leaf = UnspecifiedSet{"it depends on the bits of a NaN"};
        return;
      }
      if (is_any_quiet) {
        own.add_quiet_nan();
      } else {
        own.add_nan_code(code, type);
      }
      set->put(i, part, own);
    }
  }
}

}  // namespace

void add_other_nans(const Instruction& instruction, Operands operands,
                    std::span<const Sets* const> operand_sets, Sets& sets) {
  std::vector<Literal> others;
  bool is_any_quiet = false;
  for (size_t k = 0; k < operands.size(); ++k) {
    const ArraySet* set = array_set(operands[k], *operand_sets[k]);
    if (set == nullptr) continue;
    auto other = swapped(*set, operands[k], is_any_quiet);
    if (!other) continue;
    if (others.empty()) others.assign(operands.begin(), operands.end());
    others[k] = *std::move(other);
  }
  if (others.empty()) return;
  Evaluator evaluator(kReference);
  const std::vector<Literal> leaves =
      array_leaves(evaluate_instruction(instruction, others, evaluator));
  for (size_t k = 0; k < std::min(leaves.size(), sets.size()); ++k) {
    add_result(sets[k], leaves[k], is_any_quiet);
  }
}

}  // namespace hlo::conformance
