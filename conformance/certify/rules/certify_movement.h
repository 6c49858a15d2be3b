#pragma once

#include "conformance/certify/rules/application.h"

namespace hlo::conformance {

/// The sets of an operation that only moves elements: each takes its set along.
SetTree certify_movement(const Application& a);

}  // namespace hlo::conformance
