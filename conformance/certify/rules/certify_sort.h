#pragma once

#include "conformance/certify/rules/application.h"

namespace hlo::conformance {

/// Rows whose keys are sets, put in order: at each place may stand the rows
/// that not too many others come before, or after, for certain.
SetTree certify_order(const Application& a);

}  // namespace hlo::conformance
