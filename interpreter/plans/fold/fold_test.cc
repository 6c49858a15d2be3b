#include "interpreter/plans/fold/fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "interpreter/evaluate.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/plans/fold/fold_walk.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/rules/plan.h"
#include "interpreter/testing/random_case.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

using testing::make_instruction;
using testing::Random;
using testing::region;
using testing::region_of;

/// A fold of random axes: the operand positions under each result element by
/// the definition of spec/ops/reduce-window.md.
struct WindowCase {
  Window window;
  Shape operand;

  WindowCase(Random& random, ElementType type) {
    operand = Shape::array(type, {});
    for (int64_t rank = random.between(0, 4); rank > 0; --rank) {
      operand.dims.push_back(random.one_in(20) ? 0 : random.between(1, 7));
      const bool plain = random.one_in(3);
      window.dims.push_back({.size = random.between(1, 4),
                             .stride = random.between(1, 3),
                             .low = plain ? 0 : random.between(-2, 4),
                             .high = plain ? 0 : random.between(-2, 4),
                             .base_dilation = plain ? 1 : random.between(1, 3),
                             .window_dilation = random.between(1, 3)});
    }
    if (random.one_in(4)) stretch(random);
  }

  /// One long dimension, so that rows are vectorised.
  void stretch(Random& random) {
    if (operand.dims.empty()) return;
    const auto d = static_cast<size_t>(
        random.between(0, static_cast<int64_t>(operand.dims.size()) - 1));
    operand.dims[d] = random.between(20, 300);
    if (random.one_in(2)) window.dims[d].size = random.between(10, 100);
  }

  Ints positions(const Index& result) const {
    Ints found;
    Ints cells;
    int64_t count = 1;
    for (const WindowDimension& w : window.dims) {
      cells.push_back(w.size);
      count *= w.size;
    }
    for (int64_t c = 0; c < count; ++c) {
      Index index = delinearize(c, cells);
      bool exists = true;
      for (size_t d = 0; d < index.size(); ++d) {
        const WindowDimension& w = window.dims[d];
        const int64_t at =
            result[d] * w.stride + index[d] * w.window_dilation - w.low;
        exists = exists && at >= 0 && at % w.base_dilation == 0;
        index[d] = at / w.base_dilation;
      }
      if (exists && operand.contains(index)) {
        found.push_back(linearize(index, operand.dims));
      }
    }
    return found;
  }
};

/// What a test folds by.
struct Rule {
  const char* op;
  Reducer reducer;
};

constexpr std::array<Rule, 7> kRules = {{{"add", Reducer::kAdd},
                                         {"multiply", Reducer::kMultiply},
                                         {"maximum", Reducer::kMaximum},
                                         {"minimum", Reducer::kMinimum},
                                         {"and", Reducer::kAnd},
                                         {"or", Reducer::kOr},
                                         {"xor", Reducer::kXor}}};

/// maximum or minimum by IEEE 754-2019: NaN wins, -0 is below +0.
double extreme(double a, double b, bool maximum) {
  if (a != a || b != b) return a + b;
  if (a == b) return std::signbit(a) == maximum ? b : a;
  return (a < b) == maximum ? b : a;
}

Scalar fold_floats(Reducer reducer, const Literal& operand, const Scalar& init,
                   const Ints& positions) {
  const auto& format = numeric::format(component_type(operand.type()));
  Scalar result{operand.type(), {}};
  for (size_t part = 0; part < (is_complex(operand.type()) ? 2 : 1); ++part) {
    numeric::ExactSum sum;
    double value = numeric::decode(init.bits[part], format);
    sum.add(value);
    for (const int64_t p : positions) {
      const double x = numeric::decode(operand.at(p).bits[part], format);
      sum.add(x);
      value = extreme(value, x, reducer == Reducer::kMaximum);
    }
    const bool is_nan_code = std::isnan(value) && format.has_nan();
    result.bits[part] = reducer == Reducer::kAdd ? sum.round(format).bits
                        : is_nan_code            ? format.quiet_nan()
                                      : numeric::encode(value, format);
  }
  return result;
}

uint64_t combine(Reducer reducer, ElementType type, uint64_t a, uint64_t b) {
  const bool pred = type == ElementType::kPred;
  const auto value = [&](uint64_t x) {
    const int unused = 64 - bits(type);
    return static_cast<int64_t>(x << unused) >> unused;
  };
  const bool less = is_signed(type) ? value(a) < value(b) : a < b;
  switch (reducer) {
    case Reducer::kAdd:
      return pred ? a | b : a + b;
    case Reducer::kMultiply:
      return a * b;
    case Reducer::kMaximum:
      return less ? b : a;
    case Reducer::kMinimum:
      return less ? a : b;
    case Reducer::kAnd:
      return a & b;
    case Reducer::kOr:
      return a | b;
    default:
      return a ^ b;
  }
}

Scalar fold_integers(Reducer reducer, const Literal& operand,
                     const Scalar& init, const Ints& positions) {
  Scalar result = init;
  const uint64_t mask = ~uint64_t{0} >> (64 - bits(operand.type()));
  for (const int64_t p : positions) {
    result.bits[0] = mask & combine(reducer, operand.type(), result.bits[0],
                                    operand.at(p).bits[0]);
  }
  return result;
}

bool applies(Reducer reducer, ElementType type) {
  if (!is_float(type) && !is_complex(type)) return true;
  if (reducer == Reducer::kAdd) return true;
  return is_float(type) &&
         (reducer == Reducer::kMaximum || reducer == Reducer::kMinimum);
}

/// Compares an instruction on random operands with the definition; `sizes` are
/// the dimensions of its result, 1 where one is folded away.
void expect_definition(const Instruction& instruction, Reducer reducer,
                       const WindowCase& fold, const Ints& sizes,
                       Random& random) {
  const ElementType type = fold.operand.element_type;
  const Literal operand = random.literal(fold.operand);
  const Literal init = random.literal(Shape::scalar(type));
  Evaluator evaluator(kReference,
                      {.threads = static_cast<int>(random.between(1, 2))});
  const Literal result =
      evaluate_instruction(instruction, std::array{operand, init}, evaluator);
  const auto fold_all =
      is_float(type) || is_complex(type) ? fold_floats : fold_integers;
  for (int64_t p = 0; p < result.element_count(); ++p) {
    const Ints positions = fold.positions(delinearize(p, sizes));
    ASSERT_EQ(result.at(p),
              fold_all(reducer, operand, init.scalar(), positions))
        << instruction.op->name << " of " << to_string(fold.operand)
        << ", element " << p;
  }
}

TEST(Fold, ReduceWindowIsTheDefinitionForKnownReducers) {
  Random random(11);
  for (int i = 0; i < 900; ++i) {
    const ElementType type =
        all_types()[static_cast<size_t>(random.between(0, 31))].type;
    const Rule& rule = kRules[static_cast<size_t>(random.between(0, 6))];
    if (!applies(rule.reducer, type)) continue;
    const Module module =
        region(type, "ROOT c = T " + std::string(rule.op) +
                         (i % 2 == 0 ? "(a, b)" : "(b, a)") + "\n");
    ASSERT_EQ(recognize(*region_of(module)), rule.reducer);
    const WindowCase fold(random, type);
    const auto owned = make_instruction(
        "reduce-window", {fold.operand, Shape::scalar(type)},
        {{"window", fold.window}, {"to_apply", region_of(module)}});
    SCOPED_TRACE("case " + std::to_string(i));
    expect_definition(owned->instruction, rule.reducer, fold,
                      owned->instruction.shape.dims, random);
  }
}

/// A window that does what reduce does, on an operand of the same elements.
WindowCase as_window(const Shape& operand, const Ints& dimensions,
                     Random& random) {
  WindowCase fold(random, operand.element_type);
  fold.operand = operand;
  fold.window.dims.assign(operand.dims.size(), {});
  for (const int64_t d : dimensions) {
    const auto i = static_cast<size_t>(d);
    fold.window.dims[i].size = std::max<int64_t>(1, operand.dims[i]);
  }
  return fold;
}

TEST(Fold, ReduceIsTheDefinitionForKnownReducers) {
  Random random(12);
  for (int i = 0; i < 900; ++i) {
    const ElementType type =
        all_types()[static_cast<size_t>(random.between(0, 31))].type;
    const Rule& rule = kRules[static_cast<size_t>(random.between(0, 6))];
    if (!applies(rule.reducer, type)) continue;
    const Module module =
        region(type, "ROOT c = T " + std::string(rule.op) + "(a, b)\n");
    Shape operand = Shape::array(type, {});
    Ints dimensions;
    for (int64_t d = 0; d < random.between(0, 4); ++d) {
      operand.dims.push_back(random.one_in(5) ? random.between(20, 60)
                                              : random.between(1, 5));
    }
    for (int64_t d = 0; d < operand.rank(); ++d) {
      if (random.one_in(2)) dimensions.push_back(d);
    }
    const WindowCase fold = as_window(operand, dimensions, random);
    const auto owned = make_instruction(
        "reduce", {operand, Shape::scalar(type)},
        {{"dimensions", dimensions}, {"to_apply", region_of(module)}});
    Ints sizes = operand.dims;
    for (const int64_t d : dimensions) sizes[static_cast<size_t>(d)] = 1;
    SCOPED_TRACE("case " + std::to_string(i));
    expect_definition(owned->instruction, rule.reducer, fold, sizes, random);
  }
}

/// Runs the region on scalars, one step of a fold.
Scalar step(const Computation& computation, const Scalar& a, const Scalar& b) {
  Evaluator evaluator(kReference);
  return evaluator.run(computation, {Literal::of(a), Literal::of(b)}).scalar();
}

TEST(Fold, OtherReducersAreAppliedInOrder) {
  Random random(13);
  constexpr std::array<const char*, 3> kBodies = {
      "c = T multiply(a, b)\nd = T subtract(b, c)\nROOT e = T add(d, a)\n",
      "ROOT c = T subtract(a, b)\n",
      "c = T negate(a)\nROOT d = T multiply(c, b)\n"};
  for (int i = 0; i < 200; ++i) {
    const ElementType type = std::array{
        ElementType::kF32, ElementType::kS8, ElementType::kBF16,
        ElementType::kC64, ElementType::kF64}[static_cast<size_t>(i % 5)];
    const Module module =
        region(type, kBodies[static_cast<size_t>(random.between(0, 2))]);
    ASSERT_EQ(recognize(*region_of(module)), Reducer::kOther);
    const WindowCase fold(random, type);
    const auto owned = make_instruction(
        "reduce-window", {fold.operand, Shape::scalar(type)},
        {{"window", fold.window}, {"to_apply", region_of(module)}});
    if (owned->instruction.shape.element_count() > 500) continue;
    const Literal operands[] = {random.literal(fold.operand),
                                random.literal(Shape::scalar(type))};
    Evaluator evaluator(kReference, {.threads = i % 2 + 1});
    const Literal result =
        evaluate_instruction(owned->instruction, operands, evaluator);
    for (int64_t p = 0; p < result.element_count(); ++p) {
      Scalar expected = operands[1].scalar();
      for (const int64_t position :
           fold.positions(delinearize(p, result.shape().dims))) {
        expected = step(*region_of(module), expected, operands[0].at(position));
      }
      ASSERT_EQ(result.at(p), expected) << "case " << i << " element " << p;
    }
  }
}

// The only element lies under cell 1; the next would be 2^63 - 1 places on.
TEST(Fold, OneElementOfAFarDilationHasNoStride) {
  constexpr int64_t kFar = std::numeric_limits<int64_t>::max();
  for (const int64_t step : {1, 2, 3}) {
    const Progression found = elements_on(3, step, -step, 1, kFar);
    EXPECT_EQ(found.first, 1);
    EXPECT_EQ(found.extent, 1);
    EXPECT_EQ(found.stride, 1);
  }
  const Progression several = elements_on(7, 2, 0, 5, 3);  // 0, 6, 12
  EXPECT_EQ(several.first, 0);
  EXPECT_EQ(several.extent, 3);
  EXPECT_EQ(several.stride, 3);
}

TEST(Fold, CellsAreVisitedInOrder) {
  Random random(14);
  for (int i = 0; i < 300; ++i) {
    const Module module = region(ElementType::kF32, "ROOT c = T add(a, b)\n");
    const WindowCase fold(random, ElementType::kF32);
    const auto owned = make_instruction(
        "reduce-window", {fold.operand, Shape::scalar(ElementType::kF32)},
        {{"window", fold.window}, {"to_apply", region_of(module)}});
    const Fold description =
        find_plan(*owned->instruction.op).plan->fold(owned->instruction);
    const Shape& shape = owned->instruction.shape;
    for (int64_t p = 0; p < shape.element_count(); ++p) {
      Ints visited;
      for_each_cell(description, p,
                    [&](int64_t position) { visited.push_back(position); });
      const Index index = delinearize(p, shape.dims);
      ASSERT_EQ(visited, fold.positions(index));
      Ints defined;
      owned->instruction.op->cells(
          owned->instruction, index, [&](const Index& cell) {
            defined.push_back(linearize(cell, fold.operand.dims));
          });
      ASSERT_EQ(defined, visited);
    }
  }
}

}  // namespace
}  // namespace hlo
