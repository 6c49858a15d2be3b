#pragma once

#include <string_view>

#include "backends/cpu/devices/device_network.h"
#include "backends/cpu/devices/engine_calls.h"

namespace hlo::cpu {

/// Whether operations of that name (and their starts) are met by a group.
bool is_collective(std::string_view name);
/// The results of a meeting's members, in their order. Evaluate errors of the
/// operations' pages: "collective.combiner", "collective-broadcast.roots",
/// "collective-permute.slice", "ragged-all-to-all.members" and so on.
std::vector<std::shared_ptr<const Array>> results_of(const Meeting& meeting,
                                                     const EngineCalls& calls);
/// What a device in no group gets; nothing where that is an error.
std::optional<Array> outside_of(const Instruction& collective,
                                Operands operands);
/// Evaluate error "evaluate.sizes" where the collective takes whole arrays only
/// and an operand has fewer elements than its bounds say.
void require_whole(const Instruction& collective, Operands operands);

}  // namespace hlo::cpu
