#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backends/backend.h"

namespace hlo {

/// "process:COMMAND" or "process:timeout=S startup=S COMMAND": a worker that
/// speaks the protocol of spec/protocol.md. It is started with the first case.
/// It has that name, or else the URI.
/// Nothing where the text names no command or a setting has no such value.
std::unique_ptr<Backend> make_process_backend(std::string_view uri,
                                              std::string_view name = {});

}  // namespace hlo
