#pragma once

#include <optional>

#include "backends/tpu/devices/device_group.h"

namespace hlo::tpu {

/// Whether the instruction is a collective or begins one.
bool is_collective(const Instruction& instruction);
/// What each member gets, in whoever's memory it lies. Evaluate errors of the
/// operations' pages: "collective.combiner", "collective-broadcast.roots",
/// "collective-permute.slice", "ragged-all-to-all.members" and so on.
MemberResults results_of(const Group& group);
/// What a device in no group gets; nothing where that is an error.
std::optional<Value> outside_of(Machine& machine, const Instruction& collective,
                                const Values& operands);
/// Evaluate error "evaluate.sizes" where the collective takes whole arrays only
/// and an operand has fewer elements than its bounds say.
void require_whole(const Instruction& collective, const Values& operands);

}  // namespace hlo::tpu
