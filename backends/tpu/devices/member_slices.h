#pragma once

#include "backends/tpu/devices/device_group.h"

namespace hlo::tpu {

/// What each member of a collective-permute gets. Evaluate error
/// "collective-permute.slice".
MemberResults permute_all(const Group& group);

/// What each member of a ragged-all-to-all gets. Evaluate errors
/// "ragged-all-to-all.members", "ragged-all-to-all.range",
/// "ragged-all-to-all.sizes".
MemberResults exchange_ragged(const Group& group);

}  // namespace hlo::tpu
