#pragma once

namespace hlo::conformance {

/// Makes of what has run since libFuzzer called the target nothing that is new
/// to it, so that it does not go on from this input.
void forget_coverage();

}  // namespace hlo::conformance
