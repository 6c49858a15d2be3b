#include "backends/tpu/run/by_blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "backends/tpu/testing/run_tpu.h"
#include "interpreter/evaluate.h"

namespace hlo::tpu {
namespace {

/// 256 KiB: a matrix of 180 by 180, or a line of 30000, is larger.
const std::string kSmall = "tpu:?scratch=262144";

std::vector<float> run_small(const std::string& entry, size_t leaf = 0) {
  return run_program(
      "HloModule m\n"
      "less { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "       ROOT r = pred[] compare(a, b), direction=LT }\n"
      "odd { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "      two = f32[] constant(2)\n"
      "      c = f32[] remainder(a, two)\n"
      "      ROOT r = pred[] compare(c, b), direction=LT }\n"
      "ENTRY main {" +
          entry + "}",
      kSmall, leaf);
}

/// The place of k among 40001 numbers, as 7 k modulo 40001 has it.
constexpr int64_t kLine = 40001;
const std::string kMixed = R"(
  i = s64[40001] iota(), iota_dimension=0
  seven = s64[] constant(7)
  sevens = s64[40001] broadcast(seven), dimensions={}
  j = s64[40001] multiply(i, sevens)
  n = s64[] constant(40001)
  ns = s64[40001] broadcast(n), dimensions={}
  k = s64[40001] remainder(j, ns)
  x = f32[40001] convert(k)
)";

TEST(TpuBlocks, SortALineByMergingRuns) {
  const std::vector<float> sorted = run_small(
      kMixed + "ROOT s = f32[40001] sort(x), dimensions={0}, to_apply=less");
  for (int64_t k = 0; k < kLine; ++k) {
    ASSERT_EQ(sorted.at(static_cast<size_t>(k)), static_cast<float>(k));
  }
}

TEST(TpuBlocks, SortLinesAlongTheMajorDimension) {
  const std::vector<float> sorted = run_small(kMixed + R"(
    y = f32[40001,2] broadcast(x), dimensions={0}
    ROOT s = f32[40001,2] sort(y), dimensions={0}, to_apply=less)");
  for (int64_t k = 0; k < 2 * kLine; ++k) {
    ASSERT_EQ(sorted.at(static_cast<size_t>(k)), static_cast<float>(k / 2));
  }
}

// A comparator that orders nothing shows in which order rows are merged.
TEST(TpuBlocks, MergeAsTheReferenceDoes) {
  const std::string entry =
      kMixed +
      "ROOT s = f32[40001] sort(x), dimensions={0}, is_stable=true, "
      "to_apply=odd";
  const Module module = verified_module(
      "odd { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "      two = f32[] constant(2)\n"
      "      c = f32[] remainder(a, two)\n"
      "      ROOT r = pred[] compare(c, b), direction=LT }\n"
      "ENTRY main {" +
      entry + "}");
  const Literal reference = evaluate(module, {});
  const std::vector<float> sorted = run_small(entry);
  const auto expected = reference.data<float>();
  ASSERT_TRUE(std::ranges::equal(sorted, expected));
}

TEST(TpuBlocks, FindTheGreatestBySorting) {
  const std::string top = kMixed +
                          "t = (f32[20000], s32[20000]) topk(x), k=20000\n"
                          "v = f32[20000] get-tuple-element(t), index=0\n"
                          "p = s32[20000] get-tuple-element(t), index=1\n";
  const std::vector<float> values =
      run_small(top + "ROOT r = f32[20000] copy(v)");
  const std::vector<float> places =
      run_small(top + "ROOT r = f32[20000] convert(p)");
  for (size_t k = 0; k < values.size(); ++k) {
    ASSERT_EQ(values[k], static_cast<float>(kLine - 1) - static_cast<float>(k));
    const auto place = static_cast<int64_t>(places.at(k));
    ASSERT_EQ(7 * place % kLine, static_cast<int64_t>(values[k]));
  }
}

/// l(i, j) = 1 + j modulo 3 on the diagonal, and i + 2 j modulo 3 - 1 in the
/// eight places before it: f32[200,200].
const std::string kFactor = R"(
  i = s32[200,200] iota(), iota_dimension=0
  j = s32[200,200] iota(), iota_dimension=1
  one = s32[] constant(1)
  ones = s32[200,200] broadcast(one), dimensions={}
  two = s32[] constant(2)
  twos = s32[200,200] broadcast(two), dimensions={}
  three = s32[] constant(3)
  threes = s32[200,200] broadcast(three), dimensions={}
  eight = s32[] constant(8)
  eights = s32[200,200] broadcast(eight), dimensions={}
  zero = s32[] constant(0)
  zeros = s32[200,200] broadcast(zero), dimensions={}
  jm = s32[200,200] remainder(j, threes)
  diagonal = s32[200,200] add(jm, ones)
  tj = s32[200,200] multiply(j, twos)
  ij = s32[200,200] add(i, tj)
  ijm = s32[200,200] remainder(ij, threes)
  beside = s32[200,200] subtract(ijm, ones)
  far = s32[200,200] subtract(i, j)
  is_on = pred[200,200] compare(far, zeros), direction=EQ
  is_below = pred[200,200] compare(far, zeros), direction=GT
  is_near = pred[200,200] compare(far, eights), direction=LE
  is_band = pred[200,200] and(is_below, is_near)
  band = s32[200,200] select(is_band, beside, zeros)
  all = s32[200,200] select(is_on, diagonal, band)
  l = f32[200,200] convert(all)
  lt = f32[200,200] transpose(l), dimensions={1,0}
)";

float factor_at(int64_t i, int64_t j) {
  if (i == j) return static_cast<float>(1 + j % 3);
  if (i < j || i - j > 8) return 0;
  return static_cast<float>((i + 2 * j) % 3 - 1);
}

constexpr int64_t kRows = 200;

TEST(TpuBlocks, FactorAMatrixByHalves) {
  const std::string square =
      kFactor +
      "a = f32[200,200] dot(l, lt), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}\n";
  for (const bool is_lower : {true, false}) {
    const std::vector<float> factor =
        run_small(square + "ROOT c = f32[200,200] cholesky(a), lower=" +
                  (is_lower ? "true" : "false"));
    for (int64_t k = 0; k < kRows * kRows; ++k) {
      const int64_t i = is_lower ? k / kRows : k % kRows;
      const int64_t j = is_lower ? k % kRows : k / kRows;
      ASSERT_EQ(factor.at(static_cast<size_t>(k)), factor_at(i, j))
          << i << " " << j;
    }
  }
}

// The last pivot is 1 less than it must be for a factor.
TEST(TpuBlocks, FindNoFactorOfWhatIsNotPositive) {
  const std::vector<float> factor = run_small(kFactor + R"(
    a = f32[200,200] dot(l, lt), lhs_contracting_dims={1}, rhs_contracting_dims={0}
    last = s32[] constant(199)
    lasts = s32[200,200] broadcast(last), dimensions={}
    is_last = pred[200,200] compare(i, lasts), direction=EQ
    here = pred[200,200] and(is_last, is_on)
    much = f32[] constant(1000)
    muches = f32[200,200] broadcast(much), dimensions={}
    less = f32[200,200] subtract(a, muches)
    b = f32[200,200] select(here, less, a)
    ROOT c = f32[200,200] cholesky(b), lower=true)");
  for (const float x : factor) ASSERT_TRUE(std::isnan(x));
}

// The unknowns are i + 3 k modulo 5, of all forms of systems.
TEST(TpuBlocks, SolveSystemsByHalves) {
  const std::string unknowns = R"(
    p = s32[200,7] iota(), iota_dimension=0
    q = s32[200,7] iota(), iota_dimension=1
    pq = s32[200,7] add(p, q)
    five = s32[] constant(5)
    fives = s32[200,7] broadcast(five), dimensions={}
    m = s32[200,7] remainder(pq, fives)
    x = f32[200,7] convert(m)
    xt = f32[7,200] transpose(x), dimensions={1,0}
  )";
  for (const std::string matrix : {"l", "lt"}) {
    for (const bool is_left : {true, false}) {
      for (const std::string form : {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}) {
        const bool is_transposed = form != "NO_TRANSPOSE";
        const std::string op = (matrix == "l") != is_transposed ? "l" : "lt";
        const std::string shape = is_left ? "f32[200,7]" : "f32[7,200]";
        const std::string sides =
            is_left ? "dot(" + op + ", x)" : "dot(xt, " + op + ")";
        const std::vector<float> solution =
            run_small(kFactor + unknowns + "b = " + shape + " " + sides +
                      ", lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                      "ROOT s = " +
                      shape + " triangular-solve(" + matrix +
                      ", b), left_side=" + (is_left ? "true" : "false") +
                      ", lower=" + (matrix == "l" ? "true" : "false") +
                      ", unit_diagonal=false, transpose_a=" + form);
        for (int64_t k = 0; k < 7 * kRows; ++k) {
          const int64_t of = is_left ? k / 7 + k % 7 : k % kRows + k / kRows;
          ASSERT_EQ(solution.at(static_cast<size_t>(k)),
                    static_cast<float>(of % 5))
              << matrix << " " << form << " " << is_left;
        }
      }
    }
  }
}

// The transform of a one at place t is exp(-2 pi i j t / n), whatever n is: a
// product of small numbers, a power of two, a prime.
TEST(TpuBlocks, TransformALineInPasses) {
  for (const int64_t n : {30030, 16384, 16411}) {
    const std::string line = "[" + std::to_string(n) + "]";
    const std::string body = "i = s32" + line + R"( iota(), iota_dimension=0
      t = s32[] constant(5)
      ts = s32)" + line + R"( broadcast(t), dimensions={}
      is_t = pred)" + line + R"( compare(i, ts), direction=EQ
      x = c64)" + line + R"( convert(is_t)
      y = c64)" + line + " fft(x), fft_type=FFT, fft_length={" +
                             std::to_string(n) + "}\n";
    const std::vector<float> re =
        run_small(body + "ROOT r = f32" + line + " real(y)");
    const std::vector<float> im =
        run_small(body + "ROOT r = f32" + line + " imag(y)");
    for (size_t j = 0; j < re.size(); ++j) {
      const double turns = static_cast<double>(5 * j % static_cast<size_t>(n)) /
                           static_cast<double>(n);
      const double angle = -2 * std::numbers::pi * turns;
      ASSERT_NEAR(re[j], std::cos(angle), 1e-7) << n << " at " << j;
      ASSERT_NEAR(im[j], std::sin(angle), 1e-7) << n << " at " << j;
    }
  }
}

// There and back again, along three dimensions, with half a spectrum between.
TEST(TpuBlocks, TransformPagesAlongEachDimension) {
  const std::vector<float> again = run_small(R"(
    i = s32[24,25,31] iota(), iota_dimension=1
    j = s32[24,25,31] iota(), iota_dimension=2
    k = s32[24,25,31] multiply(i, j)
    x = f32[24,25,31] convert(k)
    y = c64[24,25,16] fft(x), fft_type=RFFT, fft_length={24,25,31}
    ROOT z = f32[24,25,31] fft(y), fft_type=IRFFT, fft_length={24,25,31})");
  for (int64_t k = 0; k < std::ssize(again); ++k) {
    const auto expected = static_cast<double>(k / 31 % 25 * (k % 31));
    ASSERT_NEAR(again.at(static_cast<size_t>(k)), expected, 1e-2) << k;
  }
}

/// x is 0 and 4, by turns, of each of two features: the mean 2, the variance 4.
const std::string kFeature = R"(
  i = s32[200,2,200] iota(), iota_dimension=2
  two = s32[] constant(2)
  twos = s32[200,2,200] broadcast(two), dimensions={}
  odd = s32[200,2,200] remainder(i, twos)
  twice = s32[200,2,200] multiply(odd, twos)
  fourfold = s32[200,2,200] multiply(twice, twos)
  x = f32[200,2,200] convert(fourfold)
  scale = f32[2] constant({1, 10})
  offset = f32[2] constant({5, 7})
)";

TEST(TpuBlocks, NormaliseFeaturesBySums) {
  const std::string norm =
      kFeature +
      "n = (f32[200,2,200], f32[2], f32[2]) batch-norm-training(x, scale, "
      "offset), epsilon=0, feature_index=1\n";
  const std::vector<float> normal =
      run_small(norm + "ROOT r = f32[200,2,200] get-tuple-element(n), index=0");
  for (size_t k = 0; k < normal.size(); ++k) {
    const float sign = k % 2 == 0 ? -1 : 1;
    ASSERT_EQ(normal[k], k / 200 % 2 == 0 ? 5 + sign : 7 + 10 * sign) << k;
  }
  EXPECT_EQ(run_small(norm + "ROOT r = f32[2] get-tuple-element(n), index=1"),
            (std::vector<float>{2, 2}));
  EXPECT_EQ(run_small(norm + "ROOT r = f32[2] get-tuple-element(n), index=2"),
            (std::vector<float>{4, 4}));
}

// With dy = x, g = 2 N and s = 4 N: the gradient is scale / 2 / N times
// N x - 2 N - (x - 2) 4 N / 4 = 0.
TEST(TpuBlocks, FindGradientsOfFeaturesBySums) {
  const std::string norm = kFeature + R"(mean = f32[2] constant({2, 2})
      variance = f32[2] constant({4, 4})
      n = (f32[200,2,200], f32[2], f32[2]) batch-norm-grad(x, scale, mean,
        variance, x), epsilon=0, feature_index=1
      )";
  const std::vector<float> gradient =
      run_small(norm + "ROOT r = f32[200,2,200] get-tuple-element(n), index=0");
  for (const float x : gradient) ASSERT_EQ(x, 0);
  EXPECT_EQ(run_small(norm + "ROOT r = f32[2] get-tuple-element(n), index=1"),
            (std::vector<float>{80000, 80000}));
  EXPECT_EQ(run_small(norm + "ROOT r = f32[2] get-tuple-element(n), index=2"),
            (std::vector<float>{80000, 80000}));
}

TEST(TpuBlocks, AreTold) {
  const Module module = verified_module(
      "less { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "       ROOT r = pred[] compare(a, b), direction=LT }\n"
      "ENTRY main { x = f32[2,40001] parameter(0)\n"
      "  y = f32[2,40001] sort(x), dimensions={1}, to_apply=less\n"
      "  ROOT z = f32[2,40001] sort(y), dimensions={0}, to_apply=less }");
  const std::string told =
      *make_tpu_backend(kSmall)->compile(module)->explanation();
  // Two lines of 40001 numbers and three registers of each, of 4 bytes, and 40
  // bytes a row. Runs of 2^12 rows take 196608 bytes, of 2^13 more than all.
  EXPECT_NE(
      told.find("split of %y sort: a part takes 1944624 bytes, the scratch "
                "memory has 262144: 10 runs of 4096 rows at most are "
                "merged\n"),
      std::string::npos)
      << told;
  EXPECT_EQ(told.find("split of %z"), std::string::npos);
}

}  // namespace
}  // namespace hlo::tpu
