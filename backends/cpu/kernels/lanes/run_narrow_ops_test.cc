#include "backends/cpu/kernels/lanes/run_narrow_ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"
#include "backends/cpu/kernels/tiles/tile_program.h"

// Expected is what C++ says of single numbers, which it has in 32 bits.

namespace hlo::cpu {
namespace {

/// Pairs of numbers: of bytes all.
template <class T>
struct Pairs {
  std::vector<T> x, y;
};

template <class T>
Pairs<T> pairs_of() {
  Pairs<T> pairs;
  if (sizeof(T) == 1) {
    for (int i = 0; i < 65536; ++i) {
      pairs.x.push_back(static_cast<T>(i));
      pairs.y.push_back(static_cast<T>(i / 256));
    }
  } else {
    std::mt19937 engine(3);
    using Limits = std::numeric_limits<T>;
    const std::vector<T> ends = {0, 1, Limits::min(), Limits::max(),
                                 static_cast<T>(-1)};
    for (const T x : ends) {
      for (const T y : ends) {
        pairs.x.push_back(x);
        pairs.y.push_back(y);
      }
    }
    while (pairs.x.size() < 20011) {
      pairs.x.push_back(static_cast<T>(engine()));
      pairs.y.push_back(static_cast<T>(engine()));
    }
  }
  pairs.x.push_back(7);  // no multiple of a vector
  pairs.y.push_back(5);
  return pairs;
}

/// What lanes as wide as T give for the first `count` numbers.
template <class T>
std::vector<T> narrow(Code code, const std::vector<std::vector<T>>& operands,
                      const std::vector<View>& views) {
  TileProgram program;
  program.count = views[0].count();
  program.lane_bytes = sizeof(T);
  program.result = sizeof(T) == 1 ? Stored::kS8 : Stored::kS16;
  LaneOp op{.code = code};
  std::vector<const std::byte*> inputs;
  for (size_t i = 0; i < operands.size(); ++i) {
    op.operands[i] = static_cast<uint16_t>(i);
    program.inputs.push_back({views[i], program.result});
    inputs.push_back(reinterpret_cast<const std::byte*>(operands[i].data()));
  }
  op.out = static_cast<uint16_t>(operands.size());
  program.registers = operands.size() + 1;
  program.ops = {op};
  std::vector<T> result(static_cast<size_t>(program.count));
  run_tiles(program, inputs, reinterpret_cast<std::byte*>(result.data()));
  return result;
}

template <class T, class F>
void expect_binary(Code code, F f) {
  const Pairs<T> pairs = pairs_of<T>();
  const View all = View::dense({std::ssize(pairs.x)});
  on_each_target([&] {
    const std::vector<T> found =
        narrow<T>(code, {pairs.x, pairs.y}, {all, all});
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i], static_cast<T>(f(pairs.x[i], pairs.y[i])))
          << +pairs.x[i] << " and " << +pairs.y[i];
    }
  });
}

template <class T, class F>
void expect_unary(Code code, F f) {
  const std::vector<T> x = pairs_of<T>().x;
  on_each_target([&] {
    const std::vector<T> found =
        narrow<T>(code, {x}, {View::dense({std::ssize(x)})});
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i], static_cast<T>(f(x[i]))) << +x[i];
    }
  });
}

template <class T>
class RunNarrowOps : public ::testing::Test {};

using Numbers = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t>;
TYPED_TEST_SUITE(RunNarrowOps, Numbers);

TYPED_TEST(RunNarrowOps, WrapSumsDifferencesAndProducts) {
  using T = TypeParam;
  expect_binary<T>(Code::kAddS32, std::plus<int>());
  expect_binary<T>(Code::kSubtractS32, std::minus<int>());
  expect_binary<T>(Code::kMultiplyS32,
                   [](int64_t x, int64_t y) { return x * y; });
  expect_unary<T>(Code::kNegateS32, std::negate<int>());
}

TYPED_TEST(RunNarrowOps, OrderNumbersByTheirSigns) {
  using T = TypeParam;
  constexpr bool kSigned = std::is_signed_v<T>;
  const auto larger = [](T x, T y) { return std::max(x, y); };
  const auto smaller = [](T x, T y) { return std::min(x, y); };
  expect_binary<T>(kSigned ? Code::kMaximumS32 : Code::kMaximumU32, larger);
  expect_binary<T>(kSigned ? Code::kMinimumS32 : Code::kMinimumU32, smaller);
  expect_binary<T>(kSigned ? Code::kLessS32 : Code::kLessU32, std::less<T>());
  expect_binary<T>(kSigned ? Code::kLessEqualS32 : Code::kLessEqualU32,
                   std::less_equal<T>());
  expect_binary<T>(Code::kEqualS32, std::equal_to<T>());
  expect_binary<T>(Code::kNotEqualS32, std::not_equal_to<T>());
}

TYPED_TEST(RunNarrowOps, TakeBits) {
  using T = TypeParam;
  expect_binary<T>(Code::kAnd, std::bit_and<int>());
  expect_binary<T>(Code::kOr, std::bit_or<int>());
  expect_binary<T>(Code::kXor, std::bit_xor<int>());
  expect_unary<T>(Code::kNotS32, std::bit_not<int>());
  expect_unary<T>(Code::kNotPred, [](int x) { return x ^ 1; });
  expect_unary<T>(Code::kIsNotZeroS32, [](int x) { return x != 0; });
  expect_unary<T>(Code::kCopy, std::identity());
}

TEST(RunNarrowOps, GiveTheSizeOfTheLeastNumberAsItIs) {
  expect_unary<int8_t>(Code::kAbsS32, [](int x) { return x < 0 ? -x : x; });
  expect_unary<int16_t>(Code::kAbsS32, [](int x) { return x < 0 ? -x : x; });
}

// Scalars and rows: a vector of one number stands for all lanes.
TEST(RunNarrowOps, TakeOneVectorForAllLanes) {
  constexpr int64_t kCount = 5003;
  const View all = View::dense({kCount});
  const View one = View::dense({}).broadcast({}, {kCount});
  std::vector<int8_t> x;
  for (int64_t i = 0; i < kCount; ++i) x.push_back(static_cast<int8_t>(i * 7));
  on_each_target([&] {
    const auto left =
        narrow<int8_t>(Code::kSubtractS32, {{100}, x}, {one, all});
    const auto right =
        narrow<int8_t>(Code::kSubtractS32, {x, {100}}, {all, one});
    const auto chosen =
        narrow<int8_t>(Code::kSelect, {x, {1}, {-1}}, {all, one, one});
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(left[i], static_cast<int8_t>(100 - x[i])) << i;
      ASSERT_EQ(right[i], static_cast<int8_t>(x[i] - 100)) << i;
      ASSERT_EQ(chosen[i], x[i] != 0 ? 1 : -1) << i;
    }
  });
}

}  // namespace
}  // namespace hlo::cpu
