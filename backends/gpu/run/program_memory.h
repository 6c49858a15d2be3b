#pragma once

#include "backends/gpu/program/device_memory.h"
#include "interpreter/model/module.h"

namespace hlo::gpu {

/// Throws Unsupported where the arrays that are there at the same time, the
/// arguments and each value until it is read for the last time, take more than
/// the memory has. What an operation needs beside its result does not count, so
/// that a program may still find no room as it runs.
void require_room(const Memory& memory, const Module& module);

}  // namespace hlo::gpu
