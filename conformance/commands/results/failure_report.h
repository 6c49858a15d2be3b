#pragma once

#include <string>

#include "backends/backend.h"

namespace hlo::conformance {

/// Says on standard error why a backend did not do what it was asked for; the
/// exit code.
int report_failure(const std::string& backend, const Failure& failure);

}  // namespace hlo::conformance
