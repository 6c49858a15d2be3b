#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "backends/backend.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// What came out of judging one program (spec/conformance.md, Verdicts).
enum class Verdict : uint8_t {
  kConforms,
  kRejectedRightly,
  kRefused,
  kDiffers,
  kWrongShape,
  kRejectedWrongly,
  kAcceptedWrongly,
  kMissing,
  kUnsupported,
  kUnjudged,
  kError,
  kCrashed,
};

inline constexpr size_t kVerdictCount = 12;

/// "conforms", "rejected-rightly", ...
std::string_view name(Verdict verdict);
std::span<const Verdict> all_verdicts();
/// Whether the backend is at fault: differs, wrong-shape, rejected-wrongly,
/// accepted-wrongly, missing.
bool is_failure(Verdict verdict);
/// Whether nothing could be judged for a defect: error, crashed.
bool is_broken(Verdict verdict);

/// The values of the leaves of a result, or why there are none.
using Observation = std::variant<std::vector<Literal>, Failure>;

/// The first element that is not in its set.
struct Difference {
  size_t leaf = 0;
  Index index;
  std::string expected;  // the set, in words
  Scalar reference;
  Scalar actual;
  std::optional<int64_t> ulps;  // codes from the reference, with sign
};

/// How well something conforms; of several leaves or cases: the worst.
struct Closeness {
  int64_t elements = 0;
  int64_t outside = 0;    // elements that are not in their sets
  int64_t inexact = 0;    // elements that are not the reference's bits
  double worst_ulps = 0;  // largest distance in codes; inf: NaN against number
  /// Largest share of a sum's bound that an error took, where there was one.
  std::optional<double> headroom;
  /// Elements that are in their sets although they are not the reference's
  /// bits, by an empty bound: that says nothing.
  int64_t empty_bounds = 0;
  /// The rank of the strictest level that it passes, where that was asked for;
  /// the number of levels where it passes none.
  std::optional<int> level;

  void add(const Closeness& other);
};

struct Judgement {
  Verdict verdict = Verdict::kUnjudged;
  std::string message;  // why, where there is no `difference`
  std::optional<Difference> difference;
  Closeness closeness;
  /// The verdict of a second run, where the first one did not go well and the
  /// second had another outcome: the backend is flaky.
  std::optional<Verdict> again;
  /// The waiver that covers the case (Waiver::text()); empty without one.
  std::string waiver = {};
};

/// Whether the observation is in the sets: one set for each leaf, or one
/// RejectedSet.
Judgement judge(std::span<const Expectation> sets,
                const Observation& observation);

}  // namespace hlo::conformance
