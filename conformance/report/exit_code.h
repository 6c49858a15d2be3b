#pragma once

namespace hlo::conformance {

/// Exit codes of every command (spec/conformance.md).
enum ExitCode : int {
  kConforms = 0,
  kDiffers = 1,
  kUsage = 2,
  kBroken = 3,  // the harness or the backend
  kIncomplete = 4,
  kNothing = 77,  // no case applies
};

}  // namespace hlo::conformance
