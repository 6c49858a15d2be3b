#pragma once

#include <cstdint>

#include "interpreter/rules/devices/collective.h"

namespace hlo {

/// Whom a send or a recv of one device reaches.
struct ChannelEnds {
  int64_t channel = -1;
  bool has_pairs = false;
  int64_t source = -1;  // flattened id of who sends to this device, or -1
  int64_t target = -1;  // of whom it sends to, or -1
};

/// The ends that the channel and the frontend attribute
/// _xla_send_recv_source_target_pairs say. Evaluate errors "channel.pairs" and
/// "collective.grid".
ChannelEnds channel_ends(const Instruction& transfer, const Device& device,
                         const Grid& grid);

}  // namespace hlo
