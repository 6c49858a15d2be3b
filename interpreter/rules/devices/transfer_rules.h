#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/rules/surroundings.h"

// What sends and receives, and what completes them, demand of each other
// (spec/verify.md).

namespace hlo {

/// Whether the operation is one of them.
bool is_transfer(const Op& op);
bool is_host_transfer(const Instruction& transfer);
/// The channel that is named.
std::optional<int64_t> channel_of(const Instruction& instruction);

/// A send or a recv is used by its done; in a loop that is pipelined, through a
/// tuple. Errors "channel.users", "channel.id", "channel.host".
void check_transfer(const Surroundings& around);
/// A done ends a send or a recv. Error "channel.start".
void check_transferred(const Surroundings& around);

}  // namespace hlo
