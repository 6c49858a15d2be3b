#pragma once

#include <memory>

#include "backends/backend.h"

namespace hlo {

/// "cpu:": plain loops over the host's own arithmetic and mathematical
/// functions, with sums in an order of its own. It shares the model and the
/// verified program with the reference, and no arithmetic.
/// Its loops are shared by that many threads, by default by as many as there
/// are cores left.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

}  // namespace hlo
