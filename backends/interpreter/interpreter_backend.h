#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backends/backend.h"

namespace hlo {

/// The reference as a backend: load, evaluate, store.
std::unique_ptr<Backend> make_interpreter_backend();

/// The arguments of the module's parameters that lie in `buffers`.
std::vector<Literal> load_arguments(const Module& module,
                                    std::span<const Buffer> buffers);
/// The array leaves of the result in the layouts that the module asks for.
std::vector<Buffer> store_result(const Module& module, const Literal& result);

}  // namespace hlo
