#include "backends/cpu/kernels/moves/turn_words.h"

#include <gtest/gtest.h>

#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"

namespace hlo::cpu {
namespace {

constexpr uint32_t kUntouched = 0xFFFFFFFF;

/// Turns a part of a matrix into a part of another one, of which nothing else
/// may be written.
void expect_turned(int64_t rows, int64_t columns) {
  const int64_t from_step = columns + 3;
  const int64_t to_step = rows + 5;
  std::vector<uint32_t> from(static_cast<size_t>((rows + 1) * from_step));
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<uint32_t>(i);
  on_each_target([&] {
    std::vector<uint32_t> to(static_cast<size_t>((columns + 1) * to_step),
                             kUntouched);
    turn_words({from.data() + 2, from_step}, rows, columns,
               {to.data() + 1, to_step});
    for (int64_t i = 0; i < std::ssize(to); ++i) {
      const int64_t c = (i - 1) / to_step;
      const int64_t r = (i - 1) % to_step;
      const bool is_written = i > 0 && c < columns && r < rows;
      const uint32_t expected =
          is_written ? static_cast<uint32_t>(2 + r * from_step + c)
                     : kUntouched;
      ASSERT_EQ(to[static_cast<size_t>(i)], expected)
          << rows << " x " << columns << ", row " << r << ", column " << c;
    }
  });
}

TEST(TurnWords, WritesEachElementOnceAndNothingElse) {
  for (const int64_t rows : {0, 1, 3, 4, 5, 8, 14, 15, 16, 17, 31, 49}) {
    for (const int64_t columns : {0, 1, 2, 3, 4, 5, 7, 8, 16, 19}) {
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
