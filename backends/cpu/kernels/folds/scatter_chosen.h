#pragma once

#include <cstddef>
#include <span>

#include "backends/cpu/kernels/combined.h"
#include "backends/cpu/kernels/windows.h"

namespace hlo::cpu {

/// How the number that is chosen so far is compared with the next one.
enum class Choice : uint8_t { kLess, kAtMost, kGreater, kAtLeast };

/// Fills a dense array, whose dimensions are the lines, with init. Then each
/// place of a window, in their order, combines the element that it chooses with
/// that of the list: it begins with the first one that it covers, and takes a
/// later one where the comparison with that is false. The result is false for
/// types that with_stored_element has not, and for complex numbers.
bool scatter_chosen(Choice choice, Combine how, ElementType type,
                    std::span<const WindowLine> lines, const std::byte* from,
                    const std::byte* list, const std::byte* init,
                    std::byte* to);

}  // namespace hlo::cpu
