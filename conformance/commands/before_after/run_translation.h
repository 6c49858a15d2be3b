#pragma once

#include "conformance/commands/before_after/compare_options.h"

namespace hlo::conformance {

/// Judges what a compiler made of programs: --before and --after, or --dump.
/// Reports errors to standard error, and returns the exit code of the process.
int run_translation(const CompareOptions& options);

}  // namespace hlo::conformance
