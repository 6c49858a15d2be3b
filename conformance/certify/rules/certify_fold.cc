#include "conformance/certify/rules/certify_fold.h"

#include <algorithm>
#include <vector>

#include "conformance/certify/rules/certify_contraction.h"
#include "conformance/certify/rules/float_product.h"
#include "conformance/certify/rules/integer_sum.h"
#include "conformance/expect/open_choices.h"
#include "conformance/expect/sums/expect_fold.h"
#include "conformance/sets/admitted.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/dimensions/updates_rule.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {
namespace {

/// The greatest, or the least; a NaN comes through.
ValueSet extreme(std::span<const ValueSet> terms, bool maximum) {
  ValueSet all = terms[0];
  for (const ValueSet& term : terms.subspan(1)) {
    ValueSet both;
    // Where there is no number, one of them is NaN for certain.
    if (all.has_numbers() && term.has_numbers()) {
      const Places ends = maximum ? Places{std::max(all.low(), term.low()),
                                           std::max(all.high(), term.high())}
                                  : Places{std::min(all.low(), term.low()),
                                           std::min(all.high(), term.high())};
      both.add(ends);
    }
    if (all.has_nan() || term.has_nan()) both.add_quiet_nan();
    all = both;
  }
  return all;
}

/// The set of a join of integers or pred, where there is one.
std::optional<ValueSet> joined_integers(const Join& join) {
  const ElementType type = join.nominal.type;
  if (std::ranges::all_of(join.terms, &ValueSet::is_single)) {
    return ValueSet::of(join.nominal.bits[0], type);
  }
  if (join.reducer == Reducer::kAdd) return integer_sum(join.terms, type);
  if (join.reducer == Reducer::kMultiply) {
    return integer_product(join.terms, type);
  }
  const bool pred = type == ElementType::kPred;
  if (pred && join.reducer == Reducer::kOr) return extreme(join.terms, true);
  if (pred && join.reducer == Reducer::kAnd) return extreme(join.terms, false);
  return ValueSet::everything(type);
}

/// Whether it returns its second parameter.
bool replaces(const Computation& region) {
  return region.root->parameter_number == 1;
}

ValueSet union_of(std::span<const ValueSet> sets) {
  ValueSet all;
  for (const ValueSet& set : sets) all.add(set);
  return all;
}

/// One update replaces for certain; of several any may come last.
std::optional<ValueSet> updated(const Computation& region,
                                std::span<const ValueSet> terms,
                                const Scalar& nominal, const Profile& profile) {
  if (replaces(region)) return union_of(terms.subspan(1));
  return joined({.reducer = recognize(region),
                 .terms = terms,
                 .operand = nominal.type,
                 .nominal = nominal},
                profile);
}

/// The operands that the values say where others go are neither what is
/// updated nor what it is updated by.
bool is_known_where(const Application& a, const Updates& updates) {
  for (size_t k = 0; k < a.operands.size(); ++k) {
    const bool says_where =
        k != updates.first_initial && k != updates.first_source;
    if (says_where && !a.operands[k]->is_known()) return false;
  }
  return true;
}

/// Elements whose updates are known to be where they are.
SetTree updates_in_place(const Application& a, const Updates& updates) {
  const SetTree& source = *a.operands[updates.first_source];
  const SetTree& initial = *a.operands[updates.first_initial];
  const bool is_splat = initial.value.element_count() == 1;
  Sources sources = group(in_order(updates));
  SetTree result = SetTree::known(a.nominal);
  for (int64_t i = 0; i < a.nominal.element_count(); ++i) {
    spend_shared(0);
    std::vector<ValueSet> terms = {initial.at(is_splat ? 0 : i)};
    for (const int64_t k : sources[i]) terms.push_back(source.at(k));
    if (terms.size() == 1) {
      result.sets.push_back(terms[0]);
      continue;
    }
    const auto set =
        updated(*updates.region, terms, a.nominal.at(i), a.profile);
    if (!set) return unruled(a);
    result.sets.push_back(widened(*set, a.profile, a.nominal.type()));
  }
  if (a.profile.scatter_windows == Freedom::kAny) {
    for (const int64_t i : under_partial_windows(updates)) {
      ValueSet& set = result.sets[static_cast<size_t>(i)];
      set = ValueSet::everything(a.nominal.type());
      if (is_float(a.nominal.type())) set.add_any_nan();
    }
  }
  return simplified(std::move(result));
}

}  // namespace

std::optional<ValueSet> joined(const Join& join, const Profile& profile) {
  const ElementType type = join.nominal.type;
  const bool least = join.reducer == Reducer::kMinimum;
  if (join.reducer == Reducer::kOther || is_complex(type)) return std::nullopt;
  if (least || join.reducer == Reducer::kMaximum) {
    ValueSet set = extreme(join.terms, !least);
    if (is_float(type) && flushes(profile)) add_zeros_of_subnormals(set, type);
    return set;
  }
  if (!is_float(type)) return joined_integers(join);
  if (join.reducer == Reducer::kAdd) {
    return float_sum(join.terms, join.operand, type, profile);
  }
  if (join.reducer == Reducer::kMultiply && join.operand == type) {
    return float_product(join.terms, type);
  }
  return std::nullopt;
}

SetTree certify_fold(const Application& a) {
  const ElementType type = a.nominal.type();
  const bool same = std::ranges::all_of(
      a.nominals, [&](const Literal& x) { return x.type() == type; });
  const auto& region = *a.instruction.get<Computation*>("to_apply");
  if (a.operands.size() != 2 || !same || is_complex(type) ||
      region.root->shape.element_type != type) {
    return unruled(a);
  }
  const Reducer reducer = recognize(region);
  std::vector<ValueSet> sets;
  std::vector<ValueSet> terms;
  for (int64_t i = 0; i < a.nominal.element_count(); ++i) {
    spend_shared(0);
    terms.assign(1, a.operands[1]->at(0));
    const Index index = delinearize(i, a.nominal.shape().dims);
    a.instruction.op->cells(a.instruction, index, [&](const Index& cell) {
      terms.push_back(
          a.operands[0]->at(linearize(cell, a.nominals[0].shape().dims)));
    });
    const auto set = joined({.reducer = reducer,
                             .terms = terms,
                             .operand = type,
                             .nominal = a.nominal.at(i)},
                            a.profile);
    if (!set) return unruled(a);
    sets.push_back(*set);
  }
  SetTree result = SetTree::known(a.nominal);
  result.sets = std::move(sets);
  return widened(std::move(result), a.profile);
}

SetTree certify_updates(const Application& a) {
  const ElementType type = a.nominal.type();
  if (a.operands.size() != 3 || is_complex(type)) return unruled(a);
  Evaluator evaluator(kReference);
  const Updates updates =
      a.instruction.op->updates(a.instruction, a.nominals, evaluator);
  if (!is_known_where(a, updates)) {
    return SetTree::nothing(a.nominal, "where " + a.instruction.name +
                                           " puts its updates is not the "
                                           "same everywhere");
  }
  const bool one_type = a.nominals[updates.first_initial].type() == type &&
                        a.nominals[updates.first_source].type() == type &&
                        updates.region->root->shape.element_type == type;
  return one_type ? updates_in_place(a, updates) : unruled(a);
}

}  // namespace hlo::conformance
