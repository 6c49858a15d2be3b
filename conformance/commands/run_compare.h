#pragma once

#include "conformance/commands/before_after/compare_options.h"

namespace hlo::conformance {

/// Judges a backend by programs and their inputs, or what a compiler made of
/// programs (run_translation()). Reports errors to standard error, and returns
/// the exit code of the process.
int run_compare(const CompareOptions& options);

}  // namespace hlo::conformance
