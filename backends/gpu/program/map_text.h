#pragma once

#include "backends/gpu/device/device.h"
#include "backends/gpu/program/map_views.h"

namespace hlo::gpu {

/// The kernel of a map: an item is an element. Its parameters are the number of
/// elements, and the offset of each input and of each result, in bytes.
KernelText text_of(const Map& map);

}  // namespace hlo::gpu
