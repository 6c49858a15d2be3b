#pragma once

#include <memory>

#include "backends/backend.h"

namespace hlo {

/// Native loops on the host's floating point.
std::unique_ptr<Backend> make_cpu_backend();

}  // namespace hlo
