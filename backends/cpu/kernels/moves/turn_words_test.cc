#include "backends/cpu/kernels/moves/turn_words.h"

#include <gtest/gtest.h>

#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"

namespace hlo::cpu {
namespace {

/// Turns a part of a matrix into a part of another one, of which nothing else
/// may be written.
template <typename Word>
void expect_turned(int64_t lines, int64_t length) {
  constexpr Word kUntouched = static_cast<Word>(~Word{0});
  constexpr size_t kPrime = sizeof(Word) == 1 ? 251 : 65521;
  const int64_t from_step = length + 3;
  const int64_t to_step = lines + 5;
  std::vector<Word> from(static_cast<size_t>((lines + 1) * from_step));
  for (size_t i = 0; i < from.size(); ++i) {
    from[i] = static_cast<Word>(i % kPrime);
  }
  on_each_target([&] {
    std::vector<Word> to(static_cast<size_t>((length + 1) * to_step),
                         kUntouched);
    turn_words(sizeof(Word), {from.data() + 2, from_step}, lines, length,
               {to.data() + 1, to_step});
    for (int64_t at = 0; at < std::ssize(to); ++at) {
      const int64_t k = (at - 1) / to_step;
      const int64_t i = (at - 1) % to_step;
      const bool is_written = at > 0 && k < length && i < lines;
      const auto place = static_cast<size_t>(2 + i * from_step + k);
      const Word expected = is_written ? from[place] : kUntouched;
      ASSERT_EQ(+to[static_cast<size_t>(at)], +expected)
          << lines << " x " << length << ", line " << i << ", word " << k;
    }
  });
}

void expect_turned(int64_t lines, int64_t length) {
  expect_turned<uint8_t>(lines, length);
  expect_turned<uint16_t>(lines, length);
  expect_turned<uint32_t>(lines, length);
  expect_turned<uint64_t>(lines, length);
}

TEST(TurnWords, WritesEachElementOnceAndNothingElse) {
  for (const int64_t rows : {0, 1, 3, 4, 5, 8, 14, 15, 16, 17, 31, 49}) {
    for (const int64_t columns : {0, 1, 2, 3, 4, 5, 7, 8, 16, 19, 33}) {
      expect_turned(rows, columns);
    }
  }
}

TEST(TurnWords, TakesLargeMatricesPartByPart) {
  for (const int64_t rows : {63, 64, 65, 130}) {
    for (const int64_t columns : {63, 64, 65, 131}) {
      expect_turned(rows, columns);
    }
  }
}

}  // namespace
}  // namespace hlo::cpu
