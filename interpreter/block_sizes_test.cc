#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/model/element_type.h"
#include "interpreter/plans/fold/fold_walk.h"
#include "interpreter/plans/region/program.h"
#include "interpreter/rules/plan_set.h"
#include "interpreter/testing/random_case.h"
#include "interpreter/verify/verify.h"

// Plans cut arrays into tiles, lanes and pieces. Here definition and plans meet
// at the sizes at which a plan does something else.

namespace hlo {
namespace {

using testing::Random;

/// Replaces T by the type in "ENTRY e { body }" behind `region`.
Module program(ElementType type, const std::string& region,
               const std::string& body) {
  std::string text = "HloModule m\n" + region + "ENTRY e {\n" + body + "}\n";
  const std::string name(hlo::name(type));
  for (size_t at = text.find("T["); at != std::string::npos;
       at = text.find("T[", at + 1)) {
    text.replace(at, 1, name);
  }
  return verified_module(text);
}

void expect_plans_are_the_definition(const Module& module, Random& random) {
  std::vector<Literal> arguments;
  for (const Instruction* parameter : module.entry->parameters) {
    arguments.push_back(random.literal(parameter->shape));
  }
  const Literal planned =
      evaluate(module, arguments, {.threads = 2, .plans = PlanSet::all()});
  const Literal defined =
      evaluate(module, arguments, {.plans = PlanSet::none()});
  EXPECT_TRUE(identical(planned, defined))
      << to_string(module.entry->root->operand_shape(0)) << " to "
      << to_string(module.entry->root->shape);
}

class BlockSizes : public ::testing::TestWithParam<ElementType> {
 protected:
  void expect_same(const std::string& body, const std::string& region = "") {
    SCOPED_TRACE(body);
    expect_plans_are_the_definition(program(GetParam(), region, body), random_);
  }

  Random random_{1};
};

/// Just below, at and just above a threshold.
std::array<int64_t, 3> around(int64_t size) {
  return {size - 1, size, size + 1};
}

// ------------------------------------------------------------------ movements

// What interpreter/plans/movement/movement.cc has.
constexpr int64_t kShortLine = 16;
constexpr int64_t kMoveGrain = int64_t{1} << 16;

TEST_P(BlockSizes, PaddingAtTheEndsOf64Bits) {
  constexpr int64_t kMost = INT64_MAX;

  struct Padding {
    int64_t input, result, low, high, interior;
  };

  for (const Padding& p : {Padding{1, 0, -1, 0, kMost},
                           {2, 1, -kMost - 1, kMost, 0},
                           {2, 2, -kMost - 1, kMost, 1},
                           {2, 2, -kMost, kMost, 0},
                           {2, 2, kMost - 2, 2 - kMost, 0},
                           {2, 1, 0, 2 - kMost, kMost - 3},
                           {2, 3, 2 - kMost, 1, kMost - 2}}) {
    expect_same(
        fmt::format("x = T[{},2] parameter(0)\nv = T[] parameter(1)\n"
                    "ROOT y = T[{},7] pad(x, v), padding={}_{}_{}x1_3_1\n",
                    p.input, p.result, p.low, p.high, p.interior));
  }
}

TEST_P(BlockSizes, LinesThatMoveAtOnce) {
  for (const int64_t n : around(kShortLine)) {
    expect_same(
        fmt::format("x = T[3,{1}] parameter(0)\nROOT y = T[2,{0}] slice(x), "
                    "slice={{[1:3], [1:{1}]}}\n",
                    n, n + 1));
    expect_same(
        fmt::format("x = T[3,{0}] parameter(0)\nROOT y = T[3,{0}] reverse(x), "
                    "dimensions={{1}}\n",
                    n));
    expect_same(
        fmt::format("x = T[3] parameter(0)\nROOT y = T[3,{0}] broadcast(x), "
                    "dimensions={{0}}\n",
                    n));
    expect_same(
        fmt::format("x = T[3,{}] parameter(0)\nz = T[] parameter(1)\n"
                    "ROOT y = T[5,{}] pad(x, z), padding=1_1x2_-1_1\n",
                    n, 2 * n));
    expect_same(
        fmt::format("x = T[3,{0}] parameter(0)\nw = T[3,{1}] parameter(1)\n"
                    "ROOT y = T[3,{2}] concatenate(x, w), dimensions={{1}}\n",
                    n, n - 1, 2 * n - 1));
  }
}

TEST_P(BlockSizes, TilesOfTranspositions) {
  for (const int64_t tile : {8, 16, 32}) {
    for (const int64_t rows : around(tile)) {
      for (const int64_t columns : around(2 * tile)) {
        expect_same(
            fmt::format("x = T[2,{0},{1}] parameter(0)\n"
                        "ROOT y = T[{1},2,{0}] transpose(x), "
                        "dimensions={{2,0,1}}\n",
                        rows, columns));
      }
    }
  }
}

TEST_P(BlockSizes, MovementsOfSeveralThreads) {
  for (const int64_t n : around(kMoveGrain)) {
    expect_same(
        fmt::format("x = T[{0}] parameter(0)\nROOT y = T[{0}] reverse(x), "
                    "dimensions={{0}}\n",
                    n));
    expect_same(
        fmt::format("x = T[2,{0}] parameter(0)\nROOT y = T[{0},2] "
                    "transpose(x), dimensions={{1,0}}\n",
                    n / 2));
    expect_same(
        fmt::format("x = T[{0}] parameter(0)\nu = T[{1}] parameter(1)\n"
                    "i = s32[] parameter(2)\nROOT y = T[{0}] "
                    "dynamic-update-slice(x, u, i)\n",
                    n + 1, n));
    expect_same(fmt::format("ROOT y = T[{0}] iota(), iota_dimension=0\n", n));
  }
}

TEST_P(BlockSizes, SlicesOfGathers) {
  for (const int64_t slice : {int64_t{1}, kShortLine + 1}) {
    for (const int64_t n : around(kMoveGrain / 4 / slice)) {
      expect_same(
          fmt::format("x = T[5,{0}] parameter(0)\ni = s32[{1},1] parameter(1)\n"
                      "ROOT y = T[{1},{0}] gather(x, i), offset_dims={{1}}, "
                      "collapsed_slice_dims={{0}}, start_index_map={{0}}, "
                      "index_vector_dim=1, slice_sizes={{1,{0}}}\n",
                      slice, n));
    }
  }
}

// ---------------------------------------------------------------------- folds

// What interpreter/plans/fold/fold_sum.cc and fold_running.cc have.
constexpr int64_t kSumLanes = 8;
constexpr int64_t kPieceResults = int64_t{1} << 15;
constexpr int64_t kWideWindow = 128;

std::string region(const std::string& body) {
  return "region {\n  a = T[] parameter(0)\n  b = T[] parameter(1)\n  " + body +
         "\n}\n";
}

std::string sum() { return region("ROOT c = T[] add(a, b)"); }

/// A reducer that no plan knows.
std::string difference() { return region("ROOT c = T[] subtract(a, b)"); }

/// Reduces T[rows, columns] along a dimension.
std::string reduction(int64_t rows, int64_t columns, int dimension) {
  return fmt::format(
      "x = T[{0},{1}] parameter(0)\nz = T[] parameter(1)\nROOT y = T[{2}] "
      "reduce(x, z), dimensions={{{3}}}, to_apply=region\n",
      rows, columns, dimension == 0 ? columns : rows, dimension);
}

TEST_P(BlockSizes, LanesOfSums) {
  for (const int64_t lanes : {kSumLanes, 2 * kSumLanes}) {
    for (const int64_t n : around(lanes)) {
      expect_same(reduction(3, n, 1), sum());
      expect_same(reduction(n, 3, 0), sum());
      expect_same(reduction(3, n, 0), sum());
    }
  }
}

TEST_P(BlockSizes, PiecesOfSums) {
  static_assert(kFoldGrain == kPieceResults);
  for (const int64_t n : around(kFoldGrain)) {
    expect_same(reduction(1, n, 1), sum());
    expect_same(reduction(1, n, 0), sum());
  }
  for (const int64_t n : around(kFoldGrain / 8)) {
    expect_same(reduction(n, 2, 1), sum());
    expect_same(reduction(2, n, 0), sum());
  }
}

TEST_P(BlockSizes, LanesOfPrograms) {
  for (const int64_t n : around(Program::kMaxElements)) {
    expect_same(reduction(n, 2, 1), difference());
    expect_same(reduction(2, n, 0), difference());
  }
  for (const int64_t cells : around(kFoldGrain / 8 / 16)) {
    expect_same(reduction(17, cells, 1), difference());
  }
}

TEST_P(BlockSizes, WidthsOfWindows) {
  for (const int64_t size : around(kWideWindow)) {
    expect_same(fmt::format("x = T[2,160] parameter(0)\nz = T[] parameter(1)\n"
                            "ROOT y = T[2,{}] reduce-window(x, z), "
                            "window={{size=1x{} stride=1x3 pad=0_0x2_1}}, "
                            "to_apply=region\n",
                            (163 - size) / 3 + 1, size),
                sum());
  }
}

INSTANTIATE_TEST_SUITE_P(Plans, BlockSizes,
                         ::testing::Values(ElementType::kF32,
                                           ElementType::kBF16, ElementType::kS8,
                                           ElementType::kC64),
                         [](const auto& test) {
                           return std::string(name(test.param));
                         });

}  // namespace
}  // namespace hlo
