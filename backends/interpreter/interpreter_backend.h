#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "interpreter/rules/plan_set.h"

namespace hlo {

/// The reference as a backend: load, evaluate with these plans on that many
/// threads, store.
std::unique_ptr<Backend> make_interpreter_backend(
    const PlanSet& plans = PlanSet::all(), int threads = 1);

/// The arguments that lie in `buffers`, of all devices or of each.
std::vector<std::vector<Literal>> load_arguments(
    const Module& module, std::span<const Buffer> buffers);
/// The array leaves of the results of all devices, in the layouts that the
/// module asks for.
std::vector<Buffer> store_results(const Module& module,
                                  std::span<const Literal> results);

}  // namespace hlo
