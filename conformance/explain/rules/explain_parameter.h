#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// An argument: who has called the computation, and with what.
void explain_parameter(Story& story);

}  // namespace hlo::conformance
