#pragma once

#include "conformance/certify/rules/application.h"

namespace hlo::conformance {

/// What a conforming backend may return for one instruction without control
/// flow (spec/conformance.md, Certified ranges).
SetTree certify_one(const Application& a);

}  // namespace hlo::conformance
