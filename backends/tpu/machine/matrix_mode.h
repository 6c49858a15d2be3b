#pragma once

#include <cstdint>

namespace hlo::tpu {

/// How the matrix unit multiplies numbers of f32: exactly, rounded to bf16, or
/// as sums of two or three numbers of bf16, with 3, 6 or 9 passes for the
/// products of these.
enum class MatrixMode : uint8_t { kExact, kBf16, kBf16x3, kBf16x6, kBf16x9 };

}  // namespace hlo::tpu
