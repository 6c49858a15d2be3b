#pragma once

#include "backends/cpu/devices/device_network.h"

namespace hlo::cpu {

/// What each member of a collective-permute gets. Evaluate error
/// "collective-permute.slice".
std::vector<std::shared_ptr<const Array>> permuted(const Meeting& meeting);

}  // namespace hlo::cpu
