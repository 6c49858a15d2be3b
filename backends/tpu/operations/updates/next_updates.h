#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "interpreter/rules/dimensions/updates_rule.h"

namespace hlo::tpu {

/// Fills the span with the next updates, in their order: how many. Fewer than
/// it has room for only where these are the last.
using NextUpdates = std::function<size_t(std::span<Update> into)>;

}  // namespace hlo::tpu
