#pragma once

#include <memory>
#include <optional>
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

/// What a worker says of itself, and the number of its group of processes.
struct Introduction {
  std::string name;
  std::string release;
  int group = 0;
};

/// That of the backend's worker, which runs as long as the backend is not asked
/// anything; nothing where it has none. BadWorker where it does not start.
std::optional<Introduction> introduction(Backend& backend);

}  // namespace hlo
