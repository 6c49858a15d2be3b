#include "conformance/judge/judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "conformance/literals/differences.h"
#include "conformance/sets/membership.h"
#include "conformance/sets/value_set.h"
#include "interpreter/counted.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo::conformance {
namespace {

struct VerdictName {
  Verdict verdict;
  std::string_view name;
};

constexpr std::array<VerdictName, kVerdictCount> kNames = {{
    {Verdict::kConforms, "conforms"},
    {Verdict::kRejectedRightly, "rejected-rightly"},
    {Verdict::kRefused, "refused"},
    {Verdict::kDiffers, "differs"},
    {Verdict::kWrongShape, "wrong-shape"},
    {Verdict::kRejectedWrongly, "rejected-wrongly"},
    {Verdict::kAcceptedWrongly, "accepted-wrongly"},
    {Verdict::kMissing, "missing"},
    {Verdict::kUnsupported, "unsupported"},
    {Verdict::kUnjudged, "unjudged"},
    {Verdict::kError, "error"},
    {Verdict::kCrashed, "crashed"},
}};

constexpr std::array<Verdict, kVerdictCount> kVerdicts = {
    Verdict::kConforms,        Verdict::kRejectedRightly,
    Verdict::kRefused,         Verdict::kDiffers,
    Verdict::kWrongShape,      Verdict::kRejectedWrongly,
    Verdict::kAcceptedWrongly, Verdict::kMissing,
    Verdict::kUnsupported,     Verdict::kUnjudged,
    Verdict::kError,           Verdict::kCrashed};

Judgement without_values(Verdict verdict, std::string message) {
  Judgement judgement;
  judgement.verdict = verdict;
  judgement.message = std::move(message);
  return judgement;
}

Verdict verdict_of(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::kRejected:
      return Verdict::kRejectedWrongly;
    case Failure::Kind::kUnsupported:
      return Verdict::kUnsupported;
    case Failure::Kind::kWrongShape:
      return Verdict::kWrongShape;
    case Failure::Kind::kError:
      return Verdict::kError;
    case Failure::Kind::kCrashed:
      break;
  }
  return Verdict::kCrashed;
}

Judgement judge_failure(const Failure& failure, const RejectedSet* rejected) {
  if (failure.kind != Failure::Kind::kRejected || rejected == nullptr) {
    const bool labelled = failure.kind == Failure::Kind::kRejected;
    return without_values(
        verdict_of(failure.kind),
        labelled ? failure.rule + ": " + failure.message : failure.message);
  }
  if (failure.rule != rejected->rule) {
    return without_values(
        Verdict::kRejectedWrongly,
        fmt::format("rejected by {} instead of {}: {}", failure.rule,
                    rejected->rule, failure.message));
  }
  return without_values(Verdict::kRejectedRightly, failure.message);
}

void note(Judgement& judgement, const Membership& membership) {
  Closeness& closeness = judgement.closeness;
  ++closeness.inexact;
  if (!membership.inside) ++closeness.outside;
  if (membership.inside && membership.bound_is_empty) ++closeness.empty_bounds;
  if (membership.ulps) {
    closeness.worst_ulps = std::max(
        closeness.worst_ulps, std::fabs(static_cast<double>(*membership.ulps)));
  } else if (!membership.inside) {
    closeness.worst_ulps = std::numeric_limits<double>::infinity();
  }
  if (membership.headroom) {
    closeness.headroom =
        std::max(closeness.headroom.value_or(0), *membership.headroom);
  }
}

void judge_element(const ArraySet& set, const Literal& actual, size_t leaf,
                   int64_t i, Judgement& judgement) {
  const Scalar element = actual.at(i);
  const Membership membership = contains(set, i, element);
  note(judgement, membership);
  if (membership.inside || judgement.difference) return;
  judgement.difference =
      Difference{.leaf = leaf,
                 .index = delinearize(i, actual.shape().dims),
                 .expected = describe(set.element(i), element.type),
                 .reference = set.value.at(i),
                 .actual = element,
                 .ulps = ulp_distance(set.value.at(i), element)};
}

/// Elements with the bits of the reference are in every set: only the others
/// are looked at.
void judge_array(const ArraySet& set, const Literal& actual, size_t leaf,
                 Judgement& judgement) {
  judgement.closeness.elements += actual.element_count();
  if (!set.sets.empty() && !judgement.closeness.headroom) {
    judgement.closeness.headroom = 0;
  }
  for_each_difference(set.value, &actual, [&](int64_t i) {
    judge_element(set, actual, leaf, i, judgement);
  });
}

/// Whether as many elements exist at run time. What has no dynamic dimensions
/// does not say: of that the elements that shall exist are judged.
bool same_sizes(const Literal& expected, const Literal& actual, size_t leaf,
                Judgement& judgement) {
  const Ints wanted = sizes_of(expected);
  const Ints found = sizes_of(actual);
  if (wanted == found || !actual.shape().has_dynamic_dimensions()) return true;
  judgement = without_values(
      Verdict::kWrongShape,
      fmt::format("leaf {} has the sizes [{}] at run time instead of [{}]",
                  leaf, fmt::join(found, ","), fmt::join(wanted, ",")));
  return false;
}

/// Whether the shapes agree; the message of the judgement says how they do not.
bool same_shape(const Literal& expected, const Literal& actual, size_t leaf,
                Judgement& judgement) {
  if (compatible(expected.shape(), actual.shape(), /*ignore_dynamic=*/true)) {
    return same_sizes(expected, actual, leaf, judgement);
  }
  judgement = without_values(
      Verdict::kWrongShape,
      fmt::format("leaf {} has the shape {} instead of {}", leaf,
                  to_string(actual.shape()), to_string(expected.shape())));
  return false;
}

/// Whether the leaf has its shape.
bool judge_leaf(const Expectation& set, const Literal& actual, size_t leaf,
                Judgement& judgement) {
  if (const auto* unspecified = std::get_if<UnspecifiedSet>(&set)) {
    judgement.message = unspecified->reason;
  }
  const auto* array = std::get_if<ArraySet>(&set);
  if (array == nullptr) return true;
  if (!same_shape(array->value, actual, leaf, judgement)) return false;
  judge_array(*array, actual, leaf, judgement);
  return true;
}

/// Rules that say what the reference does not evaluate, though the program is
/// valid (spec/conformance.md): whoever does has done nothing wrong.
constexpr std::string_view kOwnLimits[] = {
    "async.calls",   "evaluate.depth",         "evaluate.sizes",
    "evaluate.work", "rng-bit-generator.bits", "rng-bit-generator.state",
};

Judgement judge_acceptance(const std::string& rule) {
  if (std::ranges::find(kOwnLimits, rule) != std::end(kOwnLimits)) {
    return without_values(Verdict::kUnjudged,
                          "the reference cannot evaluate it: " + rule);
  }
  return without_values(Verdict::kAcceptedWrongly,
                        "must be rejected by " + rule);
}

Judgement judge_leaves(std::span<const Expectation> sets,
                       const std::vector<Literal>& leaves) {
  if (sets.size() != leaves.size()) {
    return without_values(
        Verdict::kWrongShape,
        fmt::format("{} instead of {}",
                    counted(std::ssize(leaves), "leaf", "leaves"),
                    sets.size()));
  }
  Judgement judgement;
  bool judged = sets.empty();
  for (size_t leaf = 0; leaf < sets.size(); ++leaf) {
    judged = judged || !std::holds_alternative<UnspecifiedSet>(sets[leaf]);
    if (!judge_leaf(sets[leaf], leaves[leaf], leaf, judgement)) {
      return judgement;
    }
  }
  if (judged) {
    judgement.verdict =
        judgement.difference ? Verdict::kDiffers : Verdict::kConforms;
  }
  return judgement;
}

}  // namespace

std::string_view name(Verdict verdict) {
  return kNames.at(static_cast<size_t>(verdict)).name;
}

std::span<const Verdict> all_verdicts() { return kVerdicts; }

bool is_failure(Verdict verdict) {
  return verdict == Verdict::kDiffers || verdict == Verdict::kWrongShape ||
         verdict == Verdict::kRejectedWrongly ||
         verdict == Verdict::kAcceptedWrongly || verdict == Verdict::kMissing;
}

bool is_broken(Verdict verdict) {
  return verdict == Verdict::kError || verdict == Verdict::kCrashed;
}

void Closeness::add(const Closeness& other) {
  elements += other.elements;
  outside += other.outside;
  empty_bounds += other.empty_bounds;
  inexact += other.inexact;
  worst_ulps = std::max(worst_ulps, other.worst_ulps);
  if (other.headroom) {
    headroom = std::max(headroom.value_or(0), *other.headroom);
  }
  if (other.level) level = std::max(level.value_or(0), *other.level);
}

Judgement judge(std::span<const Expectation> sets,
                const Observation& observation) {
  const RejectedSet* rejected =
      sets.size() == 1 ? std::get_if<RejectedSet>(sets.data()) : nullptr;
  if (const auto* failure = std::get_if<Failure>(&observation)) {
    return judge_failure(*failure, rejected);
  }
  if (rejected != nullptr) {
    return judge_acceptance(rejected->rule);
  }
  return judge_leaves(sets, std::get<std::vector<Literal>>(observation));
}

}  // namespace hlo::conformance
