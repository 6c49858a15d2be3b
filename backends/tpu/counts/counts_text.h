#pragma once

#include <string>

#include "backends/tpu/machine/tiled_machine.h"

namespace hlo::tpu {

/// What `assay run --counts` prints (spec/tpu.md): counts, cycles, bytes and a
/// roofline. `relayouts` is the part that copies between layouts have in all.
std::string counts_text(const Counters& all, const Counters& relayouts,
                        const Generation& generation);

}  // namespace hlo::tpu
