#pragma once

#include <cstddef>

namespace hlo::cpu {

/// Writes the word of 32 bits at `word` so many times.
void repeat_words(const std::byte* word, size_t count, std::byte* to);

}  // namespace hlo::cpu
