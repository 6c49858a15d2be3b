#pragma once

#include <optional>

#include "backends/cpu/kernels/combined.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// The type in which numbers of a type are combined: f32 for bf16 and f16.
ElementType combined_type(ElementType type);

/// How a region of two scalars of that type combines them; nullopt of other
/// regions.
std::optional<Combine> combining_region(const Computation& region,
                                        ElementType type);

}  // namespace hlo::cpu
