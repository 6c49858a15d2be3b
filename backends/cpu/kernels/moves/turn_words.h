#pragma once

#include <cstddef>
#include <cstdint>

namespace hlo::cpu {

/// Lines of words, which begin `step` words one after the other.
template <typename Memory>
struct WordLines {
  Memory* first;
  int64_t step;
};

/// Writes so many lines of so many words each the other way round: word k of
/// line i becomes word i of line k. A word has 1, 2, 4 or
/// 8 bytes.
void turn_words(size_t width, const WordLines<const void>& from, int64_t lines,
                int64_t length, const WordLines<void>& to);

}  // namespace hlo::cpu
