#include "conformance/expect/open_nans.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "conformance/expect/expect.h"
#include "conformance/literals/literal_bits.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using Sets = std::vector<Expectation>;

bool is_nan(uint64_t code, ElementType type) {
  return is_float(type) && numeric::is_nan(code, numeric::format(type));
}

/// The NaNs of the set but for that one: of all quiet ones one alone, of the
/// other sign and payload where there is one.
std::vector<uint64_t> other_nans(const ValueSet& set, uint64_t code,
                                 ElementType type) {
  std::vector<uint64_t> found;
  const auto take = [&](uint64_t other) {
    const bool counts =
        other != code && is_nan(other, type) && set.contains(other, type);
    if (counts) found.push_back(other);
    return counts;
  };
  if (set.has_quiet_nans()) {
    const uint64_t sign = numeric::format(type).sign_mask();
    std::ignore = take(code ^ sign ^ 1) || take(code ^ sign) || take(code ^ 1);
  }
  for (const ValueSet::Nan& nan : set.nan_codes()) take(nan.code);
  return found;
}

/// Operands in which each NaN is the one of that number among its others.
struct Variant {
  size_t number = 0;
  std::vector<Literal> operands;  // none where no NaN has so many others
  bool is_any_quiet = false;      // of the NaNs that are others now
  bool may_stay = false;          // whether one of them may be the reference's
};

void swap_nans(const ArraySet& set, Operands operands, size_t k,
               Variant& variant) {
  const Literal& operand = operands[k];
  const ElementType type = component_type(operand.type());
  if (!is_float(type) || (set.sets.empty() && !set.any_nan)) return;
  for (int64_t i = 0; i < operand.element_count(); ++i) {
    Scalar value = operand.at(i);
    for (int part = 0; part < components(operand.type()); ++part) {
      uint64_t& code = value.bits.at(static_cast<size_t>(part));
      if (!is_nan(code, type)) continue;
      const ValueSet own = set.at(i, part);
      const std::vector<uint64_t> others = other_nans(own, code, type);
      if (others.size() <= variant.number) continue;
      variant.is_any_quiet = variant.is_any_quiet || own.has_quiet_nans();
      variant.may_stay = variant.may_stay || own.contains(code, type);
      code = others[variant.number];
      if (variant.operands.empty()) {
        variant.operands.assign(operands.begin(), operands.end());
      }
      variant.operands[k].set(i, value);
    }
  }
}

/// The set of an operand that is an array; tuples are left as they are.
const ArraySet* array_set(const Literal& operand, const Sets& sets) {
  return operand.shape().is_array() && sets.size() == 1
             ? std::get_if<ArraySet>(&sets[0])
             : nullptr;
}

Variant make_variant(size_t number, Operands operands,
                     std::span<const Sets* const> operand_sets) {
  Variant variant{.number = number, .operands = {}};
  for (size_t k = 0; k < operands.size(); ++k) {
    const ArraySet* set = array_set(operands[k], *operand_sets[k]);
    if (set != nullptr) swap_nans(*set, operands, k, variant);
  }
  return variant;
}

/// What both may be, which differ in NaNs; nothing where they differ in more.
std::optional<ValueSet> joined(const ValueSet& a, const ValueSet& b,
                               const Variant& variant) {
  if (a == b) return a;
  if (!a.has_nan() || !b.has_nan() || a.numbers() != b.numbers()) {
    return std::nullopt;
  }
  const bool takes_both = variant.number > 0 || variant.may_stay;
  ValueSet both = b;
  if (takes_both) both.add(a);
  if (variant.is_any_quiet) both.add_quiet_nan();
  return both;
}

/// Adds what an array may be with the NaNs of the variant; false where it may
/// be another number.
bool add_array(ArraySet& own, const ArraySet& other, const Variant& variant) {
  for (int64_t i = 0; i < own.value.element_count(); ++i) {
    for (int part = 0; part < components(own.value.type()); ++part) {
      const ValueSet before = own.at(i, part);
      const auto both = joined(before, other.at(i, part), variant);
      if (!both) return false;
      if (*both != before) own.put(i, part, *both);
    }
  }
  return true;
}

void add_leaf(Expectation& leaf, const Expectation& other,
              const Variant& variant) {
  auto* own = std::get_if<ArraySet>(&leaf);
  if (own == nullptr) return;
  const auto* set = std::get_if<ArraySet>(&other);
  if (set == nullptr || !add_array(*own, *set, variant)) {
    leaf = UnspecifiedSet{"it depends on the bits of a NaN"};
  }
}

}  // namespace

Sets expect_with_nans(const Instruction& instruction, Operands operands,
                      std::span<const Sets* const> operand_sets,
                      const Literal& reference,
                      const std::vector<Literal>* observed,
                      const Profile& profile) {
  Sets sets = expect(instruction, operands, reference, observed, profile);
  for (size_t number = 0; number < ValueSet::kMostNans; ++number) {
    const Variant variant = make_variant(number, operands, operand_sets);
    if (variant.operands.empty()) break;
    Evaluator evaluator(kReference);
    const Literal result =
        evaluate_instruction(instruction, variant.operands, evaluator);
    const Sets others =
        expect(instruction, variant.operands, result, observed, profile);
    for (size_t k = 0; k < std::min(sets.size(), others.size()); ++k) {
      add_leaf(sets[k], others[k], variant);
    }
  }
  return sets;
}

}  // namespace hlo::conformance
