#pragma once

#include "conformance/explain/story/story.h"

namespace hlo::conformance {

/// An element of a scan: its steps up to the one that gives it.
void explain_scan(Story& story);

}  // namespace hlo::conformance
