#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "conformance/report/recorded_cases.h"

namespace hlo::conformance {

/// What a verdict says of the backend, for people.
enum class Standing : uint8_t { kGood, kBad, kBroken, kOpen, kAbsent };

inline constexpr size_t kStandings = 5;

/// kGood: conforms, rejected-rightly. kBad: the backend is at fault. kBroken:
/// no answer. kOpen: says nothing of the backend (unsupported, unjudged,
/// refused by the verifier).
Standing standing(Verdict verdict);
/// kAbsent for null.
Standing standing(const RecordedCase* recorded);
/// Whether it is kBad or kBroken.
bool fails(const RecordedCase& recorded);
/// Whether it fails, and a waiver says that this is known.
bool is_waived(const RecordedCase& recorded);

/// What became of a case from one run to another; what needs a person first.
enum class Change : uint8_t {
  kRegressed,
  kNewFailure,
  kOtherFailure,
  kLost,
  kLaxer,
  kGone,
  kFixed,
  kGained,
  kStricter,
  kNew,
  kSame,
};

inline constexpr size_t kChanges = 11;

/// "regressed", and what that is in a line.
struct ChangeName {
  std::string_view name;
  std::string_view meaning;
};

std::span<const ChangeName> change_names();  // by Change

/// Whether a change is for the worse, for the better, or neither.
enum class Direction : uint8_t { kWorse, kBetter, kOther };

Direction direction(Change change);

/// What standings alone say; kOtherFailure where both are bad or broken in
/// different ways.
Change change_of(Standing before, Standing after);
/// kLaxer and kStricter where both are good, by the strictest level passed;
/// a failure that has other bits, verdicts or messages is another failure.
Change change_of(const RecordedCase* before, const RecordedCase* after);

}  // namespace hlo::conformance
