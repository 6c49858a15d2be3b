#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/case/case.h"
#include "conformance/judge/judge.h"
#include "conformance/levels/profile.h"
#include "interpreter/model/buffer.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// By which rules results are judged.
struct Judging {
  Profile profile = {};
  /// Also finds the strictest level that each result passes.
  bool levels = false;
  /// Also compares the memory of results that conform (raw_memory.h).
  bool raw = false;
};

/// A case as a backend gets it.
struct PreparedCase {
  std::optional<Module> module;
  std::vector<Buffer> arguments;
  bool is_ready = false;  // else `judgement` says why no backend is asked
  Judgement judgement;
};

/// Verifies the program and lays out its arguments. Never throws.
PreparedCase prepare(const Case& c);

/// Judges one observation of the case's program. Throws what the reference does
/// where the sets are not stated.
Judgement judge_observed(const Case& c, const Module& module,
                         const Observation& observation,
                         const Profile& profile);

/// What the backend made of a case that is ready, judged. What does not go well
/// runs a second time. Never throws.
Judgement judge_outcome(const Case& c, const PreparedCase& prepared,
                        const Outcome& outcome, Backend& backend,
                        const Judging& judging);

/// The judgement of a defect.
Judgement broken(Verdict verdict, std::string message);

/// The leaves in the layouts of the module's parameters, padding poisoned.
std::vector<Buffer> stored(const Module& module,
                           std::span<const Literal> leaves);
/// The outcome's buffers, checked and loaded; or its failure.
Observation observed(const Module& module, const Outcome& outcome);
/// Whether both have the same bits, or failed in the same way. What a failure
/// says may name addresses and times.
bool same_outcome(const Observation& first, const Observation& second);

/// What the backend made of a verified module: it gets the leaves of the
/// parameters in their layouts with poisoned padding; its buffers are checked
/// and loaded. What it throws is caught.
Observation observe(Backend& backend, const Module& module,
                    std::span<const Literal> leaves);

}  // namespace hlo::conformance
