#pragma once

#include <vector>

#include "backends/gpu/program/value.h"
#include "backends/host_side.h"

namespace hlo::gpu {

/// Whether the program runs in stages: its devices talk to each other or to the
/// host, its computations lie deep in each other, or it has arrays whose sizes
/// are known at run time only.
bool needs_stages(const Module& module);

/// The results of the devices, by flattened id, from their arguments: one list
/// for all of them, or one for each. One instruction after the other is run on
/// the device, all elements of its bounds or just those that there are; between
/// them values lie in the memory of the host, which hands them from one device
/// to the other. Evaluate errors of the pages; throws Unsupported.
std::vector<Literal> run_stages(
    Memory& memory, const Module& module,
    const std::vector<std::vector<Literal>>& arguments, const HostSide& host);

}  // namespace hlo::gpu
