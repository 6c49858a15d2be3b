#include "conformance/expect/open_nans.h"

#include <algorithm>
#include <array>
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

/// Operands with other NaNs.
struct Swapped {
  std::vector<Literal> operands;
  bool has_any = false;        // NaN that is another one
  bool has_any_quiet = false;  // that may be any quiet one
};

void swap_nans(const ArraySet& set, Literal& operand, Swapped& found) {
  const ElementType type = component_type(operand.type());
  if (!is_float(type)) return;
  for (int64_t i = 0; i < operand.element_count(); ++i) {
    Scalar value = operand.at(i);
    for (int part = 0; part < components(operand.type()); ++part) {
      uint64_t& code = value.bits.at(static_cast<size_t>(part));
      if (!is_nan(code, type)) continue;
      const ValueSet own = set.at(i, part);
      if (const auto other = other_nan(own, code, type)) {
        code = *other;
        found.has_any = true;
        found.has_any_quiet = found.has_any_quiet || own.has_quiet_nans();
      }
    }
    operand.set(i, value);
  }
}

/// Tuples are left as they are.
Swapped swapped(Operands operands, std::span<const Sets> operand_sets) {
  Swapped found{.operands = {operands.begin(), operands.end()}};
  for (size_t k = 0; k < found.operands.size(); ++k) {
    const auto* set = operand_sets[k].size() == 1
                          ? std::get_if<ArraySet>(&operand_sets[k][0])
                          : nullptr;
    if (set != nullptr && found.operands[k].shape().is_array()) {
      swap_nans(*set, found.operands[k], found);
    }
  }
  return found;
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
                    std::span<const Sets> operand_sets, Sets& sets) {
  const Swapped other = swapped(operands, operand_sets);
  if (!other.has_any) return;
  Evaluator evaluator(kReference);
  const std::vector<Literal> leaves = array_leaves(
      evaluate_instruction(instruction, other.operands, evaluator));
  for (size_t k = 0; k < std::min(leaves.size(), sets.size()); ++k) {
    add_result(sets[k], leaves[k], other.has_any_quiet);
  }
}

}  // namespace hlo::conformance
