#include "backends/cpu/functions/linear/triangular_functions.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "backends/cpu/threads/share_loop.h"
#include "interpreter/verify/verify.h"

// Systems of small whole numbers with a whole solution, which every order of
// exact sums finds.

namespace hlo::cpu {
namespace {

using Numbers = std::vector<double>;

constexpr size_t kSize = 7;

struct System {
  size_t sides;
  bool is_left;
  bool is_lower;
  bool is_transposed;
  bool has_unit_diagonal;
};

std::string text_of(const System& s) {
  const std::string n = std::to_string(kSize);
  const std::string sides = std::to_string(s.sides);
  const std::string b = s.is_left ? "f64[2," + n + "," + sides + "]"
                                  : "f64[2," + sides + "," + n + "]";
  const auto word = [](bool is) { return is ? "true" : "false"; };
  return "HloModule m\nENTRY e {\n  a = f64[2," + n + "," + n +
         "] parameter(0)\n  b = " + b + " parameter(1)\n  ROOT x = " + b +
         " triangular-solve(a, b), left_side=" + word(s.is_left) +
         ", lower=" + word(s.is_lower) +
         ", unit_diagonal=" + word(s.has_unit_diagonal) +
         ", transpose_a=" + (s.is_transposed ? "TRANSPOSE" : "NO_TRANSPOSE") +
         "\n}\n";
}

Numbers drawn(size_t count, int least, int most, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<int> number(least, most);
  Numbers numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(number(engine));
  return numbers;
}

/// The element of op(a) that multiplies unknown j in equation i: what is not of
/// the triangle is 0, whatever lies there.
double coefficient(const System& s, const Numbers& a, size_t matrix, size_t i,
                   size_t j) {
  if (s.is_transposed) std::swap(i, j);
  if (i == j && s.has_unit_diagonal) return 1;
  if (s.is_lower ? j > i : j < i) return 0;
  return a[(matrix * kSize + i) * kSize + j];
}

/// op(a) x or x op(a).
Numbers product(const System& s, const Numbers& a, const Numbers& x) {
  Numbers b(x.size());
  for (size_t matrix = 0; matrix < 2; ++matrix) {
    for (size_t side = 0; side < s.sides; ++side) {
      const auto place = [&](size_t i) {
        return matrix * kSize * s.sides +
               (s.is_left ? i * s.sides + side : side * kSize + i);
      };
      for (size_t i = 0; i < kSize; ++i) {
        for (size_t j = 0; j < kSize; ++j) {
          b[place(i)] +=
              x[place(j)] * (s.is_left ? coefficient(s, a, matrix, i, j)
                                       : coefficient(s, a, matrix, j, i));
        }
      }
    }
  }
  return b;
}

void expect_solved(const System& s) {
  const Module module = verified_module(text_of(s));
  SCOPED_TRACE(text_of(s));
  Numbers a = drawn(2 * kSize * kSize, -2, 2, 1);
  for (size_t i = 0; i < 2 * kSize; ++i) a[i * kSize + i % kSize] = 2;
  const Numbers x = drawn(2 * kSize * s.sides, -9, 9, 2);
  const Array left = store<double>(module.entry->parameters[0]->shape, a);
  const Array right =
      store<double>(module.entry->root->shape, product(s, a, x));
  for (const auto& [name, run] : triangular_functions()) {
    if (name != "triangular-solve") continue;
    const ThreadCount threads(3);
    const std::vector<const Array*> operands = {&left, &right};
    EXPECT_EQ(load<double>(run(*module.entry->root, operands)), x);
  }
}

TEST(TriangularSolve, SolvesForAnyNumberOfSides) {
  for (const size_t sides : std::vector<size_t>{1, 3, 4, 5, 15, 16, 17, 39}) {
    for (unsigned flags = 0; flags < 16; ++flags) {
      expect_solved({sides, (flags & 1) != 0, (flags & 2) != 0,
                     (flags & 4) != 0, (flags & 8) != 0});
    }
  }
}

}  // namespace
}  // namespace hlo::cpu
