#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/judge/run_case.h"
#include "conformance/levels/profile.h"
#include "conformance/shrink/candidates.h"
#include "conformance/shrink/failure_kind.h"

namespace hlo::conformance {

struct ShrinkOptions {
  Profile profile = {};
  Seconds most = Seconds(60);     // for a candidate, before it counts as late
  int64_t candidates = 5000;      // that the backend is asked about at most
  Seconds time = Seconds(60);     // in all, that of the program itself too
  std::function<void()> asked{};  // called for each candidate
  /// The case that has the program. Where the operations allow what it fails
  /// by, its own set holds until a candidate is taken.
  std::optional<Case> stated{};
};

/// What shrinking came to.
struct Shrunk {
  /// Nothing where the program does not fail, or not twice in the same way, or
  /// where that was not known in the time.
  std::optional<FailureKind> kind;
  Failing smallest;
  Case stated;  // the smallest, as a line of a vector file
  Extent before;
  Extent after;
  int64_t asked = 0;            // candidates, up to the last one that was taken
  int64_t taken = 0;            // of them
  int64_t flaky = 0;            // that failed once and not again
  int64_t invalid = 0;          // that the verifier refused
  bool is_only_stated = false;  // wrong by options.stated, not by operations
  bool is_in_haste = false;     // that a limit was met which ShrinkOptions has
                                // not; with those it did not end in the time
  bool is_out_of_time = false;
  bool is_out_of_candidates = false;
};

/// The case of a program: it may return what the operations allow.
Case case_of(const Program& program, const Profile& profile);

/// The simplest program that is found by taking away from this one and fails on
/// the backend in the same way: as long as some candidate of reductions() does,
/// the first takes the place of the program. Candidates are asked about in a
/// fixed order, several at once where the backend takes them, so that the
/// result does not depend on that, nor on how fast it is where the time is
/// enough. Never throws what a candidate causes.
Shrunk shrink(const Program& program, const MakeBackend& make,
              const ShrinkOptions& options);

}  // namespace hlo::conformance
