#pragma once

#include "conformance/certify/rules/application.h"

namespace hlo::conformance {

/// Of an operation that only moves elements: each takes its set along.
SetArray certify_movement(const Application& a);

}  // namespace hlo::conformance
