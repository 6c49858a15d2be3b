#pragma once

#include <cstdint>

namespace hlo::cpu {

/// How numbers are computed: as the level tight asks (conformance/levels), or
/// by whatever is cheaper within opencl-full, subnormal numbers as zeros.
enum class Numerics : uint8_t { kTight, kFast };

}  // namespace hlo::cpu
