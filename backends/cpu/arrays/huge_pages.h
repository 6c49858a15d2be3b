#pragma once

#include <cstddef>

namespace hlo::cpu {

/// Asks the system for large pages of fresh memory that is large enough for
/// them: each first touch of a page costs as much as moving several kilobytes.
void prefer_huge_pages(void* memory, size_t bytes);

}  // namespace hlo::cpu
