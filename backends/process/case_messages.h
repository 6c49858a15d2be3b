#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "backends/backend.h"
#include "backends/process/worker_messages.h"

namespace hlo::process {

/// The case in the language and with the layouts that the worker wants, or why
/// it cannot have it: the program is for several devices and the worker runs
/// none such, it wants StableHLO that cannot say this, or no frame holds it.
std::variant<Request, Failure> make_request(int64_t id, const Module& module,
                                            std::span<const Buffer> arguments,
                                            const Hello& hello);
/// The results in the layouts of the program, or why there are none.
Outcome to_outcome(const Answer& answer, const Module& module,
                   const Hello& hello);

}  // namespace hlo::process
