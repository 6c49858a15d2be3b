#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/translation/agreement.h"
#include "conformance/translation/first_difference.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

struct TranslationOptions {
  Profile profile = {};
  int64_t max_work = 0;  // EvaluatorOptions::max_work of each run
};

/// What became of a program.
struct Translation {
  enum class Verdict : uint8_t { kAgrees, kDiffers, kUnjudged };

  Verdict verdict = Verdict::kUnjudged;
  std::string reason = {};  // why it was not judged
  int64_t elements = 0;     // of the results
  /// Those that nothing is certified of, and that are not the reference's.
  int64_t uncertified = 0;
  Outside outside = {};  // the first one that differs
};

/// Whether the result of `after`, run by the reference, lies in the bounds of
/// `before`.
Translation judge_translation(const Module& before, const Module& after,
                              const std::vector<Literal>& inputs,
                              const TranslationOptions& options);
/// The first instruction that no longer agrees, of a translation that differs.
/// Changes `after` for trials, and leaves it as it was.
std::optional<FirstDifference> locate_difference(
    const Module& before, Module& after, const std::vector<Literal>& inputs,
    const TranslationOptions& options);

}  // namespace hlo::conformance
