#include "conformance/expect/expect.h"

#include <algorithm>

#include "backends/backend.h"
#include "conformance/expect/expect_drawn.h"
#include "conformance/expect/flushed_complex.h"
#include "conformance/expect/flushed_regions.h"
#include "conformance/expect/linear/expect_complex.h"
#include "conformance/expect/linear/expect_factored.h"
#include "conformance/expect/linear/expect_fft.h"
#include "conformance/expect/linear/expect_normalized.h"
#include "conformance/expect/linear/expect_solved.h"
#include "conformance/expect/open_choices.h"
#include "conformance/expect/order/expect_any_order.h"
#include "conformance/expect/order/expect_sorted.h"
#include "conformance/expect/sized_sets.h"
#include "conformance/expect/sums/expect_contraction.h"
#include "conformance/expect/sums/expect_fold.h"
#include "conformance/expect/sums/expect_rounded_once.h"
#include "conformance/expect/sums/expect_scaled.h"
#include "conformance/levels/level.h"
#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/admitted.h"
#include "conformance/sets/element_rule.h"
#include "conformance/sets/membership.h"
#include "conformance/sets/open_results.h"
#include "interpreter/evaluate.h"
#include "interpreter/foreign/targets.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/plans/contraction/contraction.h"
#include "interpreter/plans/contraction/ragged.h"
#include "interpreter/plans/updates/updates.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/rules/plan.h"
#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/sized.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

ArraySet expect_bits(const Instruction& instruction, const Literal& reference) {
  return moves_bits(instruction) ? ArraySet::moved(reference)
                                 : ArraySet::computed(reference);
}

/// Whether it is a conversion that leaves the format of the components as it
/// is: a backend may copy them, signaling NaNs and all.
bool may_copy_components(const Instruction& instruction) {
  return instruction.op->facts.arithmetic == Arithmetic::kCopy &&
         is_complex(instruction.shape.element_type) &&
         component_type(instruction.operand_shape(0).element_type) ==
             component_type(instruction.shape.element_type);
}

Expectation expect_copied_components(const Literal& operand,
                                     const Literal& reference) {
  ArraySet set = ArraySet::computed(reference);
  const FloatFormat& format = numeric::format(component_type(reference.type()));
  for (int64_t i = 0; i < reference.element_count(); ++i) {
    for (int part = 0; part < components(operand.type()); ++part) {
      const uint64_t code = operand.at(i).bits.at(static_cast<size_t>(part));
      if (!numeric::is_signaling_nan(code, format)) continue;
      ValueSet codes = ValueSet::any_quiet_nan();
      codes.add_nan_code(code, format.type);
      set.put(i, part, codes);
    }
  }
  return set;
}

Expectation expect_exact(const Instruction& instruction, Operands operands,
                         const Literal& reference, const Literal* observed,
                         const Profile& profile) {
  const Accuracy& accuracy = instruction.op->accuracy;
  const bool complex = !instruction.operands.empty() &&
                       is_complex(instruction.operand_shape(0).element_type);
  if (complex && accuracy.complex_units > 0) {
    return expect_complex(instruction, operands, reference, observed, profile);
  }
  if (may_copy_components(instruction)) {
    return expect_copied_components(operands[0], reference);
  }
  return expect_bits(instruction, reference);
}

bool is_inexact_type(const Shape& shape) {
  return is_float(shape.element_type) || is_complex(shape.element_type);
}

/// Whether what it computes itself is exact; what it runs is another question.
bool is_exact_itself(const Instruction& instruction) {
  const Accuracy& accuracy = instruction.op->accuracy;
  if (accuracy.kind == Accuracy::Kind::kRounded) {
    return !is_inexact_type(instruction.shape);
  }
  if (accuracy.kind == Accuracy::Kind::kExact ||
      accuracy.kind == Accuracy::Kind::kOrdered) {
    return accuracy.complex_units == 0 ||
           !is_complex(instruction.shape.element_type);
  }
  return accuracy.kind == Accuracy::Kind::kInherit;
}

bool is_exact_itself(const Computation& computation) {
  return std::ranges::all_of(computation.instructions, [](const auto& inner) {
    return is_exact_itself(*inner);
  });
}

/// Whether it is exact, and everything that it runs.
template <typename Caller>
bool is_exact(const Caller& caller) {
  return is_exact_itself(caller) &&
         std::ranges::all_of(with_called(called_by(caller)),
                             [](const Computation* called) {
                               return is_exact_itself(*called);
                             });
}

Expectation expect_inherited(const Instruction& instruction,
                             const Literal& reference) {
  if (is_exact(instruction)) {
    return expect_bits(instruction, reference);
  }
  return UnspecifiedSet{"the computation that " +
                        std::string(instruction.op->name) +
                        " applies is not exact"};
}

bool is_real_function(const Instruction& instruction) {
  return instruction.op->accuracy.kind == Accuracy::Kind::kRounded &&
         is_float(instruction.shape.element_type);
}

/// Whether its results have no NaN, for which a zero of any sign stands.
bool may_have_zero_for_nan(const Instruction& instruction) {
  const ElementType type = instruction.shape.element_type;
  return is_float(type) && !numeric::format(type).has_nan();
}

/// What an element-wise operation of floats may return, element by element.
Expectation expect_elements(const Instruction& instruction, Operands operands,
                            const Literal& reference, const Literal* observed,
                            const Profile& profile) {
  ArraySet set = ArraySet::computed(reference);
  ElementRule rule(instruction, profile);
  std::vector<Scalar> scalars(operands.size());
  for_each_difference(reference, observed, [&](int64_t i) {
    for (size_t k = 0; k < operands.size(); ++k) {
      const bool scalar = operands[k].element_count() == 1;
      scalars[k] = operands[k].at(scalar ? 0 : i);
    }
    const ElementSet found = rule.at(scalars);
    const bool is_written =
        profile != Profile() || is_real_function(instruction);
    if (is_written || found != set.element(i)) set.put(i, found);
  });
  return set;
}

/// Whether it sums products in any order.
bool is_sum(const Instruction& instruction) {
  const Op& op = *instruction.op;
  return is_inexact_type(instruction.shape) && op.cells == nullptr &&
         (op.accuracy.kind == Accuracy::Kind::kSum ||
          op.accuracy.kind == Accuracy::Kind::kRaggedSum ||
          op.accuracy.kind == Accuracy::Kind::kScaledSum);
}

/// What a profile other than the gate changes, and real functions.
std::optional<Expectation> expect_under(const Profile& profile,
                                        const Instruction& instruction,
                                        Operands operands,
                                        const Literal& reference,
                                        const Literal* observed) {
  if (profile == Profile() && !is_real_function(instruction) &&
      !may_have_zero_for_nan(instruction)) {
    return std::nullopt;
  }
  if (ElementRule::applies_to(instruction)) {
    return expect_elements(instruction, operands, reference, observed, profile);
  }
  if (is_sum(instruction) && find_level(profile.level).sums_rounded_once) {
    return expect_rounded_once(instruction, operands, reference);
  }
  if (flushes(profile) && picks_one(instruction)) {
    return expect_flushed(reference, observed);
  }
  return std::nullopt;
}

/// A ragged-dot is a contraction once the sizes of its groups are known.
Expectation expect_ragged(const Instruction& dot, Operands operands,
                          const Literal& reference, const Literal* observed,
                          const Profile& profile) {
  if (reference.element_count() == 0) return ArraySet::computed(reference);
  const RaggedDot ragged = ragged_dot(dot, operands[2]);
  return expect_contraction(&ragged.contraction, dot, operands, reference,
                            observed, profile);
}

Expectation expect_products(const Instruction& instruction, Operands operands,
                            const Literal& reference, const Literal* observed,
                            const Profile& profile) {
  const Plan* plan = find_plan(*instruction.op).plan;
  const bool is_planned = plan != nullptr && plan->contraction != nullptr;
  const auto sums = is_planned ? plan->contraction(instruction) : std::nullopt;
  return expect_contraction(sums ? &*sums : nullptr, instruction, operands,
                            reference, observed, profile);
}

/// What an operation may return that has none of the value rules that
/// expect_leaf() asks for.
Expectation expect_by_accuracy(const Instruction& instruction,
                               Operands operands, const Literal& reference,
                               const Literal* observed,
                               const Profile& profile) {
  const Op& op = *instruction.op;
  switch (op.accuracy.kind) {
    case Accuracy::Kind::kExact:
    case Accuracy::Kind::kOrdered:
    case Accuracy::Kind::kSum:
    case Accuracy::Kind::kRaggedSum:
      return expect_exact(instruction, operands, reference, observed, profile);
    case Accuracy::Kind::kRounded:
      if (is_complex(operands[0].type())) {
        return expect_complex(instruction, operands, reference, observed,
                              profile);
      }
      // Functions of integers (power) are exact.
      if (!is_float(reference.type()))
        return expect_bits(instruction, reference);
      break;
    case Accuracy::Kind::kTransform:
      return expect_fft(instruction, operands, reference, observed, profile);
    case Accuracy::Kind::kInherit:
      return expect_inherited(instruction, reference);
    case Accuracy::Kind::kDrawn:
      return expect_drawn(instruction, operands, reference, observed);
    case Accuracy::Kind::kFactored:
      return expect_factored(instruction, reference, observed, profile);
    case Accuracy::Kind::kSolved:
      return expect_solved(instruction, operands, reference, observed, profile);
    case Accuracy::Kind::kScaledSum:
    case Accuracy::Kind::kNormalized:  // expect() and expect_leaf() know them
    case Accuracy::Kind::kFree:
      break;
  }
  return UnspecifiedSet{"what " + std::string(op.name) +
                        " may return is not stated yet"};
}

Expectation expect_leaf(const Instruction& instruction, Operands operands,
                        const Literal& reference, const Literal* observed,
                        const Profile& profile) {
  const Op& op = *instruction.op;
  if (observed != nullptr &&
      !compatible(observed->shape(), reference.shape(), true)) {
    observed = nullptr;  // it will be refused for its shape
  }
  if (auto set =
          expect_under(profile, instruction, operands, reference, observed)) {
    return *std::move(set);
  }
  if (op.accuracy.kind == Accuracy::Kind::kScaledSum) {
    return expect_scaled(instruction, operands, reference, observed, profile);
  }
  if (op.terms != nullptr && is_inexact_type(reference.shape())) {
    const bool is_ragged = op.accuracy.kind == Accuracy::Kind::kRaggedSum;
    return (is_ragged ? expect_ragged : expect_products)(
        instruction, operands, reference, observed, profile);
  }
  if (op.cells != nullptr) {
    return expect_fold(instruction, operands, reference, observed, profile);
  }
  if (op.updates != nullptr) {
    Evaluator evaluator(kReference);
    const Updating updating = updating_of(instruction, operands, evaluator);
    return expect_updates(updating, operands, is_exact(*updating.region),
                          reference, observed, profile);
  }
  const auto by_accuracy = [&](Operands variant, const Literal& value) {
    return expect_by_accuracy(instruction, variant, value, observed, profile);
  };
  return flushes_complex(instruction, profile)
             ? expect_flushed_complex(instruction, operands, reference, profile,
                                      by_accuracy)
             : by_accuracy(operands, reference);
}

/// What an instruction may return whose operands have fewer elements at run
/// time than their bounds say: the sets of that instruction on arrays of just
/// these sizes, laid into the bounds.
std::vector<Expectation> expect_at_sizes(const Instruction& instruction,
                                         Operands operands,
                                         const Literal& reference,
                                         const std::vector<Literal>* observed,
                                         const Profile& profile) {
  const SizedRun run = at_sizes(instruction, operands);
  const std::vector<const Literal*> arrays = leaves(reference);
  std::optional<std::vector<Literal>> seen;
  if (observed != nullptr) seen = cut_alike(arrays, *observed);
  std::vector<Expectation> sets =
      expect(run.instruction, run.operands, cut(reference),
             seen ? &*seen : nullptr, profile);
  for (size_t i = 0; i < sets.size(); ++i) lay_into_bounds(sets[i], *arrays[i]);
  return sets;
}

/// Whether an operation has one result. Of a sort only its comparator tells,
/// even where it is stable.
bool has_one_result(const Instruction& instruction) {
  const Op& op = *instruction.op;
  return op.is_determined == nullptr ||
         (op.is_determined(instruction) &&
          op.accuracy.kind != Accuracy::Kind::kOrdered);
}

/// What an instruction with several results may return.
std::vector<Expectation> expect_one_of_several(
    const Instruction& instruction, const std::vector<Literal>& reference,
    const std::vector<Literal>* observed) {
  if (instruction.op->accuracy.kind == Accuracy::Kind::kOrdered) {
    return expect_sorted(instruction, reference, observed);
  }
  return std::vector<Expectation>(
      reference.size(),
      UnspecifiedSet{"a backend chooses what " +
                     std::string(instruction.op->name) + " returns"});
}

bool have_shapes_of(const std::vector<Literal>& a,
                    const std::vector<Literal>& b) {
  return std::ranges::equal(a, b, [](const Literal& x, const Literal& y) {
    return compatible(x.shape(), y.shape(), /*ignore_dynamic=*/true);
  });
}

/// Whether the observed leaves are in the sets.
bool admit(const std::vector<Expectation>& sets,
           const std::vector<Literal>& observed) {
  for (size_t k = 0; k < sets.size(); ++k) {
    const auto* set = std::get_if<ArraySet>(&sets[k]);
    if (set == nullptr) return false;
    for (int64_t i = 0; i < set->value.element_count(); ++i) {
      if (!contains(*set, i, observed[k].at(i)).inside) return false;
    }
  }
  return true;
}

bool is_unspecified(const Expectation& set) {
  return std::holds_alternative<UnspecifiedSet>(set);
}

/// The sets of a fold or of updates by a region that is exact but not known.
std::optional<std::vector<Expectation>> expect_unknown_region(
    const Instruction& instruction, Operands operands,
    const std::vector<Literal>& reference,
    const std::vector<Literal>* observed) {
  const Op& op = *instruction.op;
  if (op.cells != nullptr) {
    const auto& region = *instruction.get<Computation*>("to_apply");
    if (!is_exact(region)) return std::nullopt;
    return expect_any_order(instruction, operands, reference, observed);
  }
  if (op.updates == nullptr) return std::nullopt;
  Evaluator evaluator(kReference);
  const Updating updating = updating_of(instruction, operands, evaluator);
  if (!is_exact(*updating.region)) return std::nullopt;
  return expect_any_order(updating, operands, reference, observed);
}

/// The sets, but for what regions flush. `comparable` is `observed` where that
/// has the shapes of the reference's leaves.
std::vector<Expectation> expect_unflushed(
    const Instruction& instruction, Operands operands,
    const std::vector<Literal>& leaves, const std::vector<Literal>* observed,
    const std::vector<Literal>* comparable, const Profile& profile) {
  if (!has_one_result(instruction) || draws_freely(instruction, profile)) {
    return expect_one_of_several(instruction, leaves, comparable);
  }
  std::vector<Expectation> sets;
  if (asks_for_exact_result(instruction, profile)) {
    for (const Literal& leaf : leaves)
      sets.push_back(expect_exact_result(leaf));
  } else if (instruction.op->accuracy.kind == Accuracy::Kind::kNormalized) {
    sets =
        expect_normalized(instruction, operands, leaves, comparable, profile);
  }
  for (size_t i = sets.size(); i < leaves.size(); ++i) {
    sets.push_back(expect_leaf(instruction, operands, leaves[i],
                               observed != nullptr ? &(*observed)[i] : nullptr,
                               profile));
  }
  if (leaves_axes(instruction)) {
    for (size_t i = 0; i < leaves.size(); ++i) {
      apply_axes(sets[i], comparable != nullptr ? &(*comparable)[i] : nullptr,
                 profile);
    }
  }
  if (std::ranges::any_of(sets, is_unspecified)) {
    auto tried =
        expect_unknown_region(instruction, operands, leaves, comparable);
    if (tried) return *std::move(tried);
  }
  return sets;
}

}  // namespace

std::vector<Expectation> expect(const Instruction& instruction,
                                Operands operands, const Literal& reference,
                                const std::vector<Literal>* observed,
                                const Profile& profile) {
  if (runs_at_sizes(instruction, operands)) {
    return expect_at_sizes(instruction, operands, reference, observed, profile);
  }
  const std::vector<Literal> leaves = array_leaves(reference);
  const bool fits = observed != nullptr && observed->size() == leaves.size();
  const auto* const comparable =
      fits && have_shapes_of(leaves, *observed) ? observed : nullptr;
  std::vector<Expectation> sets =
      expect_unflushed(instruction, operands, leaves, fits ? observed : nullptr,
                       comparable, profile);
  if (profile.scatter_windows == Freedom::kAny &&
      instruction.op->updates != nullptr) {
    open_partial_windows(instruction, operands, sets);
  }
  // What flushes nothing is admitted.
  if (may_flush_in_regions(instruction, operands, reference, profile) &&
      (comparable == nullptr || !admit(sets, *comparable))) {
    const UnspecifiedSet open{"subnormal numbers may count as zeros in what " +
                              std::string(instruction.op->name) + " applies"};
    sets.assign(leaves.size(), open);
  }
  return sets;
}

}  // namespace hlo::conformance
