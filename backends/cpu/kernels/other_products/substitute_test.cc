#include "backends/cpu/kernels/other_products/substitute.h"

#include <gtest/gtest.h>

#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"

// Whole unknowns below 2^20 and small whole coefficients: every product and sum
// is exact.

namespace hlo::cpu {
namespace {

double coefficient(size_t i, size_t j) {
  return static_cast<double>((i * 5 + j * 3) % 7) - 3;
}

double diagonal(size_t i) { return i % 2 == 0 ? 2 : -0.5; }

double unknown(size_t i, size_t side) {
  return static_cast<double>((i * 11 + side * 13) % 17) - 8;
}

/// A triangle and a number of right-hand sides.
struct System {
  size_t n, sides;
  bool is_lower, is_unit;

  /// The coefficient of unknown j in row i.
  double at(size_t i, size_t j) const {
    if (i == j) return is_unit ? 1 : diagonal(i);
    return (j < i) == is_lower ? coefficient(i, j) : 0;
  }

  /// The matrix, with numbers that nothing reads elsewhere.
  std::vector<double> matrix() const {
    std::vector<double> a(n * n, 1e300);
    for (size_t k = 0; k < n * n; ++k) {
      const size_t i = k / n;
      const size_t j = k % n;
      const bool is_read = i == j ? !is_unit : (j < i) == is_lower;
      if (is_read) a[k] = at(i, j);
    }
    return a;
  }

  double given(size_t i, size_t side) const {
    double sum = 0;
    for (size_t j = 0; j < n; ++j) sum += at(i, j) * unknown(j, side);
    return sum;
  }
};

void expect_solved(const System& system) {
  std::vector<double> expected;
  std::vector<double> given;
  for (size_t k = 0; k < system.n * system.sides; ++k) {
    expected.push_back(unknown(k / system.sides, k % system.sides));
    given.push_back(system.given(k / system.sides, k % system.sides));
  }
  const std::vector<double> a = system.matrix();
  on_each_target([&] {
    std::vector<double> x = given;
    substitute({a.data(), system.n, system.is_lower, system.is_unit},
               system.sides, x.data());
    EXPECT_EQ(x, expected) << system.n << " rows, " << system.sides << " sides";
  });
}

TEST(Substitute, FindsWholeUnknowns) {
  constexpr size_t kRowCounts[] = {1, 2, 3, 17, 60};
  for (const size_t n : kRowCounts) {
    for (const size_t sides : {kFewSides, kManySides}) {
      for (const int kind : {0, 1, 2, 3}) {
        expect_solved({n, sides, kind % 2 == 0, kind < 2});
      }
    }
  }
}

}  // namespace
}  // namespace hlo::cpu
