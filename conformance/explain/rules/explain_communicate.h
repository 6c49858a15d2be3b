#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// Tells of an element of an operation between devices.
void explain_communicate(Story& story);

}  // namespace hlo::conformance
