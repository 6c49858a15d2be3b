#include "conformance/report_pages/change.h"

#include <array>

namespace hlo::conformance {
namespace {

using enum Change;

/// By the standing before, then after: good, bad, broken, open, absent.
constexpr std::array<std::array<Change, kStandings>, kStandings> kBecomes = {{
    {kSame, kRegressed, kRegressed, kLost, kGone},
    {kFixed, kSame, kOtherFailure, kLost, kGone},
    {kFixed, kOtherFailure, kSame, kLost, kGone},
    {kGained, kNewFailure, kNewFailure, kSame, kGone},
    {kNew, kNewFailure, kNewFailure, kNew, kSame},
}};

constexpr std::array<ChangeName, kChanges> kNames = {{
    {"regressed", "conformed before, and does not now"},
    {"new failure", "was not judged before, and does not conform now"},
    {"other failure", "does not conform in another way than before"},
    {"lost", "was judged before, and is not supported now"},
    {"laxer", "conforms, but passes only a laxer level than before"},
    {"gone", "is not in the later run"},
    {"fixed", "conforms now, and did not before"},
    {"gained", "conforms now, and was not supported before"},
    {"stricter", "passes a stricter level than before"},
    {"new", "is not in the earlier run"},
    {"same", "is as before"},
}};

bool same_failure(const Judgement& a, const Judgement& b) {
  if (a.verdict != b.verdict ||
      a.difference.has_value() != b.difference.has_value()) {
    return false;
  }
  if (!a.difference) return a.message == b.message;
  return a.difference->leaf == b.difference->leaf &&
         a.difference->index == b.difference->index &&
         a.difference->actual == b.difference->actual &&
         a.closeness.outside == b.closeness.outside;
}

Change change_of_levels(const Judgement& before, const Judgement& after) {
  const auto& a = before.closeness.level;
  const auto& b = after.closeness.level;
  if (!a || !b || *a == *b) return kSame;
  return *b > *a ? kLaxer : kStricter;
}

}  // namespace

Standing standing(Verdict verdict) {
  if (is_failure(verdict)) return Standing::kBad;
  if (is_broken(verdict)) return Standing::kBroken;
  const bool good =
      verdict == Verdict::kConforms || verdict == Verdict::kRejectedRightly;
  return good ? Standing::kGood : Standing::kOpen;
}

Standing standing(const RecordedCase* recorded) {
  if (recorded == nullptr) return Standing::kAbsent;
  return standing(recorded->judgement.verdict);
}

bool fails(const RecordedCase& recorded) {
  const Standing now = standing(&recorded);
  return now == Standing::kBad || now == Standing::kBroken;
}

bool is_waived(const RecordedCase& recorded) {
  return !recorded.judgement.waiver.empty() && fails(recorded);
}

std::span<const ChangeName> change_names() { return kNames; }

Direction direction(Change change) {
  switch (change) {
    case kRegressed:
    case kNewFailure:
    case kLost:
    case kLaxer:
      return Direction::kWorse;
    case kFixed:
    case kGained:
    case kStricter:
      return Direction::kBetter;
    default:
      return Direction::kOther;
  }
}

Change change_of(Standing before, Standing after) {
  return kBecomes.at(static_cast<size_t>(before))
      .at(static_cast<size_t>(after));
}

Change change_of(const RecordedCase* before, const RecordedCase* after) {
  const Change change = change_of(standing(before), standing(after));
  if (change != kSame || before == nullptr || after == nullptr) return change;
  if (standing(before) == Standing::kGood) {
    return change_of_levels(before->judgement, after->judgement);
  }
  if (standing(before) == Standing::kOpen) return kSame;
  return same_failure(before->judgement, after->judgement) ? kSame
                                                           : kOtherFailure;
}

}  // namespace hlo::conformance
