#include "conformance/expect/sums/expect_fold.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/expect/sums/folded_products.h"
#include "conformance/expect/sums/folded_sums.h"
#include "conformance/levels/level.h"
#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/open_results.h"
#include "interpreter/rules/known_reducer.h"

namespace hlo::conformance {
namespace {

/// No terms of arrays yet, which a region joins.
FoldedTerms terms_of(const Computation& region,
                     std::vector<const Literal*> sources) {
  return {.each = {},
          .sources = std::move(sources),
          .region = region.root->shape.element_type};
}

Expectation expect_product(const FoldedTerms& terms, const Literal& reference,
                           const Literal* observed) {
  ArraySet set = ArraySet::computed(reference);
  for_each_difference(reference, observed, [&](int64_t i) {
    put(set, i, 0, folded_product(terms, i, reference.type()));
  });
  return set;
}

Expectation expect_added(const FoldedTerms& terms, const Literal& reference,
                         const Literal* observed, const Profile& profile) {
  ArraySet set = ArraySet::computed(reference);
  const FoldedSums sums(terms, reference.type(), profile);
  for_each_difference(reference, observed, [&](int64_t i) {
    for (int part = 0; part < components(reference.type()); ++part) {
      put(set, i, part, sums.at(i, part));
    }
  });
  return set;
}

bool is_selection(Reducer reducer) {
  return reducer != Reducer::kOther && reducer != Reducer::kAdd &&
         reducer != Reducer::kMultiply;
}

/// The set of terms that a known reducer joins, but for what axes add; nothing
/// for any other.
std::optional<Expectation> expect_terms(Reducer reducer,
                                        const FoldedTerms& terms,
                                        const Literal& reference,
                                        const Literal* observed,
                                        const Profile& profile) {
  const ElementType type = reference.type();
  const bool exact_type = !is_float(type) && !is_complex(type);
  if (reducer == Reducer::kOther) return std::nullopt;
  if (exact_type || is_selection(reducer)) {
    return ArraySet::computed(reference);
  }
  if (find_level(profile.level).sums_rounded_once ||
      is_same(reference, observed)) {
    return ArraySet::computed(reference);
  }
  if (reducer == Reducer::kAdd) {
    return expect_added(terms, reference, observed, profile);
  }
  if (is_complex(type)) return std::nullopt;
  return expect_product(terms, reference, observed);
}

std::optional<Expectation> expect_joined(Reducer reducer,
                                         const FoldedTerms& terms,
                                         const Literal& reference,
                                         const Literal* observed,
                                         const Profile& profile) {
  auto set = expect_terms(reducer, terms, reference, observed, profile);
  if (set) apply_axes(*set, observed, profile);
  return set;
}

UnspecifiedSet any_order() {
  return {
      "the order in which the region is applied is free, and what its results "
      "can be is not known"};
}

bool has_several(const Sources& sources) {
  return std::ranges::any_of(
      sources, [](const auto& entry) { return entry.second.size() > 1; });
}

/// What updates and initial elements give that a region joins in any order.
Expectation expect_several_updates(const Updating& updating,
                                   const Sources& sources, Operands operands,
                                   const Literal& reference,
                                   const Literal* observed,
                                   const Profile& profile) {
  if (updating.initial.size() != 1) return any_order();
  const Literal& initial = updating.initial[0];
  const Literal& added = operands[static_cast<size_t>(updating.first_source)];
  FoldedTerms terms = terms_of(*updating.region, {&initial, &added});
  terms.each = [&](int64_t i, const FoldedTerms::Visit& visit) {
    visit(0, i);
    const auto found = sources.find(i);
    if (found == sources.end()) return;
    for (const int64_t source : found->second) visit(1, source);
  };
  auto set = expect_joined(recognize(*updating.region), terms, reference,
                           observed, profile);
  return set ? *std::move(set) : any_order();
}

}  // namespace

Sources group(const std::vector<Update>& updates) {
  Sources sources;
  for (const Update& update : updates) {
    sources[update.target].push_back(update.source);
  }
  return sources;
}

Expectation expect_fold(const Instruction& fold, Operands operands,
                        const Literal& reference, const Literal* observed,
                        const Profile& profile) {
  if (operands.size() != 2) return any_order();
  const Computation& region = *fold.get<Computation*>("to_apply");
  FoldedTerms terms = terms_of(region, {operands.data(), &operands[1]});
  terms.each = [&](int64_t i, const FoldedTerms::Visit& visit) {
    visit(1, 0);
    const Index index = delinearize(i, reference.shape().dims);
    fold.op->cells(fold, index, [&](const Index& cell) {
      visit(0, linearize(cell, operands[0].shape().dims));
    });
  };
  auto set =
      expect_joined(recognize(region), terms, reference, observed, profile);
  return set ? *std::move(set) : any_order();
}

Expectation expect_members(const Computation& combiner,
                           const std::vector<Literal>& arrays,
                           const Literal& reference, const Literal* observed,
                           const Profile& profile) {
  if (arrays.size() == 1) return ArraySet::computed(reference);
  FoldedTerms terms = terms_of(combiner, {});
  for (const Literal& array : arrays) terms.sources.push_back(&array);
  terms.each = [&](int64_t i, const FoldedTerms::Visit& visit) {
    for (size_t k = 0; k < arrays.size(); ++k) visit(k, i);
  };
  auto set =
      expect_joined(recognize(combiner), terms, reference, observed, profile);
  return set ? *std::move(set) : any_order();
}

Expectation expect_updates(const Updating& updating, Operands operands,
                           bool region_is_exact, const Literal& reference,
                           const Literal* observed, const Profile& profile) {
  const Sources sources = group(updating.updates);
  Expectation set = region_is_exact && !has_several(sources)
                        ? ArraySet::computed(reference)
                        : expect_several_updates(updating, sources, operands,
                                                 reference, observed, profile);
  apply_axes(set, observed, profile);
  const bool converts =
      std::ranges::any_of(updating.initial, [&](const Literal& initial) {
        return initial.type() != reference.type();
      });
  auto* const array = std::get_if<ArraySet>(&set);
  if (array == nullptr || converts) return set;
  for_each_difference(reference, observed, [&](int64_t i) {
    if (!sources.contains(i)) array->put(i, ElementSet::of(reference.at(i)));
  });
  return set;
}

}  // namespace hlo::conformance
