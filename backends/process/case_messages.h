#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "backends/backend.h"
#include "backends/process/worker_messages.h"

namespace hlo::process {

/// The case in the language and with the layouts that the worker wants. Nothing
/// where the program is for several devices and the worker runs none such;
/// Error "stablehlo.export" where it wants StableHLO that cannot say this.
std::optional<Request> make_request(int64_t id, const Module& module,
                                    std::span<const Buffer> arguments,
                                    const Hello& hello);
/// The results in the layouts of the program, or why there are none.
Outcome to_outcome(const Answer& answer, const Module& module,
                   const Hello& hello);

}  // namespace hlo::process
