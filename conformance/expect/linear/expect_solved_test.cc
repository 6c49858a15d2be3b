#include "conformance/expect/linear/expect_solved.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "conformance/judge/judge.h"
#include "interpreter/evaluate.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using Vector = std::vector<float>;

/// A lower triangular matrix, n rows of n numbers.
struct Matrix {
  size_t n;
  Vector values;

  float at(size_t i, size_t j) const { return values[i * n + j]; }
};

/// A sum of products in an order, fused or not.
struct Arithmetic {
  bool backwards;
  bool fused;

  float add(float sum, float a, float b) const {
    return fused ? std::fma(a, b, sum) : sum + a * b;
  }

  /// sum + sum over j in [begin, end) of factor(j).
  float add_all(
      float sum, size_t begin, size_t end,
      const std::function<std::pair<float, float>(size_t)>& factors) const {
    for (size_t k = begin; k < end; ++k) {
      const auto [a, b] = factors(backwards ? begin + end - 1 - k : k);
      sum = add(sum, a, b);
    }
    return sum;
  }
};

/// X = D^-1 of rows and columns [begin, end), column after column.
Matrix invert(const Matrix& t, size_t begin, size_t end, Arithmetic with) {
  Matrix x{end - begin, Vector((end - begin) * (end - begin), 0)};
  for (size_t c = 0; c < x.n; ++c) {
    for (size_t i = c; i < x.n; ++i) {
      const float sum = with.add_all(i == c ? 1.0F : 0.0F, c, i, [&](size_t j) {
        return std::pair(-t.at(begin + i, begin + j), x.at(j, c));
      });
      x.values[i * x.n + c] = sum / t.at(begin + i, begin + i);
    }
  }
  return x;
}

/// Blocks of `block` rows: what is known is taken off, then the inverse of the
/// diagonal block is applied. Blocks of one row that divide are substitution.
Vector solve(const Matrix& t, const Vector& b, size_t block, bool divides,
             Arithmetic with) {
  Vector x;
  for (size_t begin = 0; begin < t.n; begin += block) {
    const size_t end = std::min(begin + block, t.n);
    Vector rest;
    for (size_t i = begin; i < end; ++i) {
      rest.push_back(with.add_all(b[i], 0, begin, [&](size_t j) {
        return std::pair(-t.at(i, j), x[j]);
      }));
    }
    if (divides) {
      x.push_back(rest[0] / t.at(begin, begin));
      continue;
    }
    const Matrix inverse = invert(t, begin, end, with);
    for (size_t i = 0; i < inverse.n; ++i) {
      x.push_back(with.add_all(0, 0, inverse.n, [&](size_t j) {
        return std::pair(inverse.at(i, j), rest[j]);
      }));
    }
  }
  return x;
}

Literal literal(const Shape& shape, const Vector& values) {
  Literal result(shape);
  std::ranges::copy(values, result.mutable_data<float>().begin());
  return result;
}

struct System {
  explicit System(size_t n)
      : module(verified_module(text(std::to_string(n)))),
        solve(module.entry->root) {}

  static std::string text(const std::string& n) {
    return "HloModule m\nENTRY main {\n  a = f32[" + n + "," + n +
           "] parameter(0)\n  b = f32[" + n +
           ",1] parameter(1)\n  ROOT r = f32[" + n +
           ",1] triangular-solve(a, b), left_side=true, lower=true, "
           "transpose_a=NO_TRANSPOSE\n}";
  }

  Judgement judge_solution(const Matrix& t, const Vector& b,
                           const Vector& x) const {
    const std::array<Literal, 2> operands = {
        literal(solve->operand_shape(0), t.values),
        literal(solve->operand_shape(1), b)};
    const Literal observed = literal(solve->shape, x);
    Evaluator evaluator(kReference);
    const Literal reference = evaluate_instruction(*solve, operands, evaluator);
    const Expectation set =
        expect_solved(*solve, operands, reference, &observed, Profile());
    return judge(std::vector<Expectation>{set}, std::vector<Literal>{observed});
  }

  Module module;
  const Instruction* solve;
};

/// Numbers of [-scale, scale], on the diagonal of [1, 2].
Matrix random_matrix(size_t n, float scale, std::mt19937& random) {
  std::uniform_real_distribution<float> off(-scale, scale);
  std::uniform_real_distribution<float> on(1, 2);
  Matrix t{n, Vector(n * n, 0)};
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      t.values[i * n + j] = i == j ? on(random) : off(random);
    }
  }
  return t;
}

constexpr std::array<size_t, 6> kBlocks = {1, 2, 3, 5, 8, 64};

/// Calls visit(solution) for what 28 conforming backends return.
void for_each_backend(const Matrix& t, const Vector& b,
                      const std::function<void(const Vector&)>& visit) {
  for (const bool backwards : {false, true}) {
    for (const bool fused : {false, true}) {
      visit(solve(t, b, 1, true, {backwards, fused}));
      for (const size_t block : kBlocks) {
        visit(solve(t, b, block, false, {backwards, fused}));
      }
    }
  }
}

TEST(ExpectSolved, AdmitsSubstitutionInversesAndBlocks) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> side(-1, 1);
  int empty = 0;
  double headroom = 0;
  for (const size_t n : {size_t{1}, size_t{2}, size_t{5}, size_t{17}}) {
    const System system(n);
    for (const float scale : {0.01F, 0.3F, 1.0F, 3.0F}) {
      const Matrix t = random_matrix(n, scale, random);
      Vector b(n);
      std::ranges::generate(b, [&] { return side(random); });
      for_each_backend(t, b, [&](const Vector& x) {
        const Judgement judgement = system.judge_solution(t, b, x);
        EXPECT_EQ(judgement.verdict, Verdict::kConforms) << n << " " << scale;
        empty += judgement.closeness.empty_bounds > 0 ? 1 : 0;
        headroom = std::max(headroom, judgement.closeness.headroom.value_or(0));
      });
    }
  }
  RecordProperty("headroom", std::to_string(headroom));
  RecordProperty("empty", empty);
  EXPECT_GT(headroom, 0);
  EXPECT_LT(headroom, 1);
  EXPECT_LE(empty, 28);  // only the worst of the 16 systems has no bound
}

TEST(ExpectSolved, RefusesWhatAnotherSystemHasForASolution) {
  std::mt19937 random(6);
  const System system(8);
  const Matrix t = random_matrix(8, 0.2F, random);
  const Vector b(8, 1);
  const Arithmetic plain{false, false};
  const Vector x = solve(t, b, 1, true, plain);
  Matrix truncated = t;  // to 12 bits
  for (float& value : truncated.values) {
    value = std::ldexp(std::trunc(std::ldexp(value, 11)), -11);
  }
  Vector late = x;
  late[7] = 0;
  EXPECT_EQ(system.judge_solution(t, b, x).verdict, Verdict::kConforms);
  EXPECT_EQ(system.judge_solution(t, b, late).verdict, Verdict::kDiffers);
  EXPECT_EQ(
      system.judge_solution(t, b, solve(truncated, b, 1, true, plain)).verdict,
      Verdict::kDiffers);
  late[7] = std::nanf("");
  EXPECT_EQ(system.judge_solution(t, b, late).verdict, Verdict::kDiffers);
}

TEST(ExpectSolved, SaysNothingOfSingularSystems) {
  const System system(2);
  const Matrix t{2, {1, 0, 1, 0}};
  EXPECT_EQ(system.judge_solution(t, {1, 2}, {7, NAN}).verdict,
            Verdict::kConforms);
}

}  // namespace
}  // namespace hlo::conformance
