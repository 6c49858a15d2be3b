#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/host_side.h"

namespace hlo::conformance {

/// Queues of the values of --infeed, a new one for each run; null without any.
std::function<HostSide::Queue()> infeed_queues(
    const std::vector<std::string>& infeed);

/// Gives the backend what programs get from the host; why it takes none of it,
/// where there is some.
std::optional<Failure> feed(Backend& backend, const HostSide& host);

}  // namespace hlo::conformance
