#pragma once

#include <cstddef>
#include <span>

#include "backends/cpu/kernels/combined.h"
#include "backends/cpu/kernels/windows.h"

namespace hlo::cpu {

/// How the number that is chosen so far is compared with the next one.
enum class Choice : uint8_t { kLess, kAtMost, kGreater, kAtLeast };

/// Fills a dense array with init, and combines with the element that each place
/// of a window chooses, in the order of the places, that of the list: of those
/// that it covers the first, until a comparison with a later one is false. The
/// lines are the dimensions of the array. False of types that
/// with_stored_element has not, and of complex numbers.
bool scatter_chosen(Choice choice, Combine how, ElementType type,
                    std::span<const WindowLine> lines, const std::byte* from,
                    const std::byte* list, const std::byte* init,
                    std::byte* to);

}  // namespace hlo::cpu
