#include "backends/tpu/machine/matrix_unit.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "interpreter/evaluate.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kScratchBytes = int64_t{4} << 20;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <typename T>
using Matrix = std::vector<std::vector<T>>;

/// A unit with a machine of its own.
class MatrixUnitTest : public testing::Test {
 protected:
  template <typename T>
  Block block(const Matrix<T>& rows, Sums sums) {
    const int64_t parts = parts_of_columns(std::ssize(rows.at(0)));
    Block numbers(machine_.scratch, number_type(sums), std::ssize(rows), parts);
    for (Register& lanes : numbers.registers()) {
      // What lies where no number does must not matter.
      std::fill_n(lanes.bytes(), lanes.width() * kLanes, std::byte{0xff});
    }
    for (int64_t m = 0; m < std::ssize(rows); ++m) {
      const auto& row = rows[static_cast<size_t>(m)];
      for (int64_t k = 0; k < std::ssize(row); ++k) {
        const int64_t part = k / kLanesOfSublane;
        const int64_t lane = k % kLanesOfSublane;
        numbers.row<T>(m, part)[lane] = row[static_cast<size_t>(k)];
        numbers.holding(m, part).valid().set(
            static_cast<size_t>(m % kSublanes * kLanesOfSublane + lane));
      }
    }
    return numbers;
  }

  /// lhs times weights, of which each block of the depth that the unit has room
  /// for is a pass.
  template <typename T>
  Matrix<T> product(const Matrix<T>& lhs, const Matrix<T>& weights, Sums sums,
                    bool finite = false) {
    const int64_t rows = std::ssize(lhs);
    const int64_t columns = std::ssize(weights.at(0));
    Accumulators accumulators(machine_.scratch, sums, rows,
                              parts_of_columns(columns));
    MatrixUnit unit(machine_, sums);
    const auto size = static_cast<size_t>(machine_.generation->matrix_size);
    for (size_t first = 0; first < weights.size(); first += size) {
      const size_t end = std::min<size_t>(first + size, weights.size());
      Matrix<T> part;
      for (const auto& row : lhs) {
        part.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(first),
                          row.begin() + static_cast<std::ptrdiff_t>(end));
      }
      const Matrix<T> of_depth(
          weights.begin() + static_cast<std::ptrdiff_t>(first),
          weights.begin() + static_cast<std::ptrdiff_t>(end));
      unit.load_weights(block(of_depth, sums), std::ssize(of_depth), columns,
                        finite);
      unit.pass(block(part, sums), rows, accumulators);
    }
    accumulators.settle();
    Matrix<T> result;
    for (int64_t m = 0; m < rows; ++m) {
      std::vector<T>& row = result.emplace_back();
      for (int64_t n = 0; n < columns; ++n) {
        row.push_back(accumulators.sum().at<T>(m, n));
      }
    }
    return result;
  }

  /// The sum of the products of a row and a column.
  template <typename T>
  T dot(const std::vector<T>& x, const std::vector<T>& w, Sums sums,
        bool finite = false) {
    Matrix<T> column;
    for (const T weight : w) column.push_back({weight});
    return product<T>({x}, column, sums, finite)[0][0];
  }

  Evaluator evaluator_{kReference};
  Scratch scratch_{kScratchBytes};
  Machine machine_{
      .memory = Hbm(512), .scratch = scratch_, .evaluator = evaluator_};
};

/// The generation of that name.
const Generation* generation_named(std::string_view name) {
  return &*std::ranges::find(generations(), name, &Generation::name);
}

/// x[m][k] = m + k of rows by depth.
Matrix<double> ascending(int64_t rows, int64_t depth) {
  Matrix<double> numbers(static_cast<size_t>(rows));
  for (int64_t m = 0; m < rows; ++m) {
    for (int64_t k = 0; k < depth; ++k) {
      numbers[static_cast<size_t>(m)].push_back(static_cast<double>(m + k));
    }
  }
  return numbers;
}

/// w[k][n] = k - n of depth by columns.
Matrix<double> differences(int64_t depth, int64_t columns) {
  Matrix<double> numbers(static_cast<size_t>(depth));
  for (int64_t k = 0; k < depth; ++k) {
    for (int64_t n = 0; n < columns; ++n) {
      numbers[static_cast<size_t>(k)].push_back(static_cast<double>(k - n));
    }
  }
  return numbers;
}

/// The sum of (m + k)(k - n) over k below the depth.
double sum_of_products(int64_t m, int64_t n, int64_t depth) {
  const int64_t first = depth * (depth - 1) / 2;
  const int64_t second = (depth - 1) * depth * (2 * depth - 1) / 6;
  return static_cast<double>(second + (m - n) * first - m * n * depth);
}

// Sizes around those of units of 128 and of 256 rows, and of their registers.
TEST_F(MatrixUnitTest, MultipliesBlocksOfEachSize) {
  for (const char* const name : {"v5e", "v6e"}) {
    machine_.generation = generation_named(name);
    const int64_t size = machine_.generation->matrix_size;
    for (const int64_t rows : {int64_t{1}, int64_t{8}, size - 1, size}) {
      for (const int64_t depth : {1, 127, 128, 129, 256, 300}) {
        const int64_t columns = rows == 8 ? size : size - 63;
        for (const Sums sums : {Sums::kF64, Sums::kCompensated}) {
          const auto result = product(ascending(rows, depth),
                                      differences(depth, columns), sums);
          for (int64_t m = 0; m < rows; ++m) {
            for (int64_t n = 0; n < columns; ++n) {
              ASSERT_EQ(result[static_cast<size_t>(m)][static_cast<size_t>(n)],
                        sum_of_products(m, n, depth))
                  << name << ": " << rows << " rows, depth " << depth << ", at "
                  << m << ", " << n;
            }
          }
        }
      }
    }
  }
}

TEST_F(MatrixUnitTest, CountsPasses) {
  const std::vector<float> ones(300, 1);
  EXPECT_EQ(dot(ones, ones, Sums::kF32), 300);
  EXPECT_EQ(machine_.counters.matrix_passes, 3);
  machine_.generation = generation_named("v6e");
  EXPECT_EQ(dot(ones, ones, Sums::kF32), 300);
  EXPECT_EQ(machine_.counters.matrix_passes, 3 + 2);
}

// 2^24 + 1 rounds to 2^24 (ties to even), and 1 + 1 = 2 reaches 2^24 + 2: the
// sum tells in which order its terms came.
TEST_F(MatrixUnitTest, AddsInTheOrderOfTheWavefront) {
  EXPECT_EQ(dot<float>({0x1p24F, 1, 1}, {1, 1, 1}, Sums::kF32), 0x1p24F);
  EXPECT_EQ(dot<float>({1, 1, 0x1p24F}, {1, 1, 1}, Sums::kF32), 0x1p24F + 2);
  EXPECT_EQ(dot<float>({1, 0x1p24F, 1}, {1, 1, 1}, Sums::kF32), 0x1p24F);
}

// From pass to pass the same: the sum so far enters at the top. If each block
// began at zero, 127 ones and 2 would come together before 2^24 meets them.
TEST_F(MatrixUnitTest, GoesOnFromPassToPass) {
  std::vector<float> x(256, 1);
  const std::vector<float> w(256, 1);
  x[0] = 0x1p24F;
  EXPECT_EQ(dot(x, w, Sums::kF32), 0x1p24F);
  x[0] = 1;
  x[128] = 0x1p24F;  // 128 ones before it, 127 that are lost behind it
  EXPECT_EQ(dot(x, w, Sums::kF32), 0x1p24F + 128);
}

// 2^-149 + 2^-150 is a tie that goes to 2^-148; the second product alone would
// be rounded to zero. And 2^128 less the largest number is 2^104.
TEST_F(MatrixUnitTest, RoundsNoProductByItself) {
  EXPECT_EQ(
      dot<float>({0x1p-126F, 0x1p-100F}, {0x1p-23F, 0x1p-50F}, Sums::kF32),
      0x1p-148F);
  EXPECT_EQ(dot<float>({-std::numeric_limits<float>::max(), 0x1p64F},
                       {1, 0x1p64F}, Sums::kF32),
            0x1p104F);
}

// The bits that additions and products lose come back: of f64 {2^53, 1, -2^53}
// 1 is left, and (1 + 2^-30)^2 - (1 + 2^-29) = 2^-60.
TEST_F(MatrixUnitTest, KeepsWhatF64Loses) {
  const double near = 1 + 0x1p-30;
  EXPECT_EQ(dot<double>({0x1p53, 1, -0x1p53}, {1, 1, 1}, Sums::kCompensated),
            1);
  EXPECT_EQ(dot<double>({near, -1}, {near, 1 + 0x1p-29}, Sums::kCompensated),
            0x1p-60);
  EXPECT_EQ(dot<double>({near, -1}, {near, 1 + 0x1p-29}, Sums::kF64), 0);
}

// The product is 0x738f1b12165c0.bf5c... of the least numbers, and what
// rounding it loses is none. The halves of numbers near 2^1000 overflow.
TEST_F(MatrixUnitTest, LosesNoMoreAtTheEndsOfF64) {
  EXPECT_EQ(dot<double>({0x1.ea5a4c4ce865cp-1}, {0x0.78a9175ed47bep-1022},
                        Sums::kCompensated),
            0x0.738f1b12165c1p-1022);
  const double near = 1 + 0x1p-30;
  EXPECT_EQ(dot<double>({0x1p1000 * near, -0x1p1000}, {near, 1 + 0x1p-29},
                        Sums::kCompensated),
            0x1p940);
}

TEST_F(MatrixUnitTest, KeepsInfinityOfLargeF64) {
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(dot<double>({most, most}, {2, 1}, Sums::kCompensated),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(dot<double>({most}, {1}, Sums::kCompensated), most);
}

TEST_F(MatrixUnitTest, WrapsIntegers) {
  const uint64_t most = UINT64_MAX;
  EXPECT_EQ(dot<uint64_t>({most, 5}, {2, 7}, Sums::kIntegers), 33U);
}

TEST_F(MatrixUnitTest, TakesInfinitiesAndNan) {
  EXPECT_TRUE(std::isnan(dot<float>({kInf}, {0}, Sums::kF32)));
  EXPECT_TRUE(std::isnan(dot<float>({0}, {kNan}, Sums::kF32)));
  EXPECT_TRUE(std::isnan(dot<float>({kInf, -kInf}, {1, 1}, Sums::kF32)));
  EXPECT_EQ(dot<float>({-kInf, 1}, {2, 1}, Sums::kF32), -kInf);
  EXPECT_TRUE(std::isnan(dot<double>({kInf}, {0}, Sums::kF64)));
  // Where only finite numbers count, the others are zeros.
  EXPECT_EQ(dot<float>({kInf, 2}, {0, 3}, Sums::kF32, true), 6);
  EXPECT_EQ(dot<float>({0, 2}, {kNan, 3}, Sums::kF32, true), 6);
}

TEST_F(MatrixUnitTest, BeginsAtPositiveZero) {
  EXPECT_FALSE(std::signbit(dot<float>({-1}, {0}, Sums::kF32)));
  EXPECT_FALSE(std::signbit(dot<double>({-0.0}, {1}, Sums::kF64)));
}

// Thirds and 97ths fill their 53 bits: products round, and must not be fused.
TEST_F(MatrixUnitTest, GivesTheSameBitsWithEachInstructionSet) {
  Matrix<double> lhs(3);
  Matrix<double> weights(100);
  for (size_t k = 0; k < weights.size(); ++k) {
    const double x = static_cast<double>(k * 37 % 101) / 97;
    for (size_t m = 0; m < lhs.size(); ++m) {
      lhs[m].push_back(x + static_cast<double>(m));
    }
    for (size_t n = 0; n < 70; ++n) {
      weights[k].push_back(x - static_cast<double>(n) / 3);
    }
  }
  double expected = 0;  // of the last row and column, one after the other
  for (size_t k = 0; k < weights.size(); ++k) {
    expected += lhs[2][k] * weights[k][69];
  }
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    EXPECT_EQ(product(lhs, weights, Sums::kF64)[2][69], expected)
        << hwy::TargetName(target);
  }
  hwy::SetSupportedTargetsForTest(0);
}

// What is not valid in a row is no term, even beside an infinity.
TEST_F(MatrixUnitTest, LeavesOutWhatIsNotValid) {
  MatrixUnit unit(machine_, Sums::kF64);
  unit.load_weights(block(Matrix<double>{{2}, {double{kInf}}, {3}}, Sums::kF64),
                    3, 1, false);
  Block lhs = block(Matrix<double>{{10, 0, 100}}, Sums::kF64);
  lhs.registers()[0].valid().reset(1);
  Accumulators accumulators(machine_.scratch, Sums::kF64, 1, 1);
  unit.pass(lhs, 1, accumulators);
  EXPECT_EQ(accumulators.sum().row<double>(0)[0], 320);
}

// Both units give the same bits.
TEST_F(MatrixUnitTest, AgreesWithTheVectorUnit) {
  const std::vector<float> x = {0x1p24F, 1, 0x1p-100F, -3, kInf};
  const std::vector<float> w = {1, 1, 0x1p-48F, 5, 0};
  Register sum(machine_.scratch, ElementType::kF32);
  auto* const sums = reinterpret_cast<float*>(sum.bytes());
  sums[5] = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    Register lhs(machine_.scratch, ElementType::kF32);
    Register rhs(machine_.scratch, ElementType::kF32);
    reinterpret_cast<float*>(lhs.bytes())[5] = x[k];
    reinterpret_cast<float*>(rhs.bytes())[5] = w[k];
    lhs.valid().set(5);
    rhs.valid().set(5);
    multiply_add(machine_, Sums::kF32, lhs, rhs, true, sum, nullptr);
  }
  EXPECT_EQ(sums[5], dot(x, w, Sums::kF32, true));
  EXPECT_EQ(sums[5], 0x1p24F - 15);
}

}  // namespace
}  // namespace hlo::tpu
