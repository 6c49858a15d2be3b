#include "interpreter/plans/contraction/contraction.h"

#include <gtest/gtest.h>

#include <array>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/exact/summation.h"
#include "interpreter/plans/contraction/contract.h"
#include "interpreter/testing/random_case.h"

namespace hlo {
namespace {

using numeric::ExactSum;
using testing::make_instruction;
using testing::Owned;
using testing::Random;

/// A sum of products of any type, term by term.
class Sum {
 public:
  explicit Sum(ElementType type) : type_(type) {
    for (ExactSum& part : parts_) part.add(0.0);
  }

  void add(const Scalar& a, const Scalar& b) {
    if (is_float(type_) || is_complex(type_)) return add_real(a, b);
    if (type_ == ElementType::kPred) {
      integer_ |= a.bits[0] & b.bits[0];
    } else {
      integer_ += a.bits[0] * b.bits[0];
    }
  }

  Scalar value() const {
    if (is_float(type_) || is_complex(type_)) {
      const auto& format = numeric::format(component_type(type_));
      return {type_,
              {parts_[0].round(format).bits,
               is_complex(type_) ? parts_[1].round(format).bits : 0}};
    }
    return {type_, {integer_ & (~uint64_t{0} >> (64 - bits(type_))), 0}};
  }

 private:
  void add_real(const Scalar& a, const Scalar& b) {
    const auto& format = numeric::format(component_type(type_));
    const auto part = [&](const Scalar& x, size_t p) {
      return numeric::decode(x.bits[p], format);
    };
    parts_[0].add_product(part(a, 0), part(b, 0));
    if (!is_complex(type_)) return;
    parts_[0].add_product(-part(a, 1), part(b, 1));
    parts_[1].add_product(part(a, 0), part(b, 1));
    parts_[1].add_product(part(a, 1), part(b, 0));
  }

  ElementType type_;
  std::array<ExactSum, 2> parts_;
  uint64_t integer_ = 0;
};

ElementType random_type(Random& random) {
  const auto types = all_types().first(size_t{32});
  return types[static_cast<size_t>(random.between(0, 31))].type;
}

/// Which dimension of an operand has which part in a dot.
struct DotCase {
  Ints batch_sizes, contracting_sizes;
  std::array<Ints, 2> free_sizes;
  std::array<Ints, 2> order;  // order[i]: where the i-th listed dimension lies
  std::array<Shape, 2> shapes;

  DotCase(Random& random, ElementType type) {
    const auto sizes = [&](int64_t most) {
      Ints result;
      for (int64_t n = random.between(0, most); n > 0; --n) {
        result.push_back(random.one_in(30) ? 0 : random.between(1, 6));
      }
      return result;
    };
    batch_sizes = sizes(2);
    contracting_sizes = sizes(2);
    if (random.one_in(8)) contracting_sizes = {random.between(40, 1200)};
    for (size_t s = 0; s < 2; ++s) {
      free_sizes[s] = sizes(2);
      Ints listed = batch_sizes;
      for (const Ints& more : {contracting_sizes, free_sizes[s]}) {
        listed.insert(listed.end(), more.begin(), more.end());
      }
      order[s] =
          testing::permutation(random, static_cast<int64_t>(listed.size()));
      // The free dimensions are in the order of the operand.
      std::sort(order[s].end() - static_cast<int64_t>(free_sizes[s].size()),
                order[s].end());
      shapes[s] = Shape::array(type, listed);
      for (size_t i = 0; i < listed.size(); ++i) {
        shapes[s].dims[static_cast<size_t>(order[s][i])] = listed[i];
      }
    }
  }

  Ints batch(size_t s) const {
    return {order[s].begin(),
            order[s].begin() + static_cast<int64_t>(batch_sizes.size())};
  }

  Ints contracting(size_t s) const {
    const auto begin =
        order[s].begin() + static_cast<int64_t>(batch_sizes.size());
    return {begin, begin + static_cast<int64_t>(contracting_sizes.size())};
  }

  std::unique_ptr<Owned> instruction() const {
    return make_instruction("dot", {shapes[0], shapes[1]},
                            {{"lhs_batch_dims", batch(0)},
                             {"lhs_contracting_dims", contracting(0)},
                             {"rhs_batch_dims", batch(1)},
                             {"rhs_contracting_dims", contracting(1)}});
  }

  /// The operand's element for these indices of batch, depth and free ones.
  Scalar element(const Literal& literal, size_t s, const Index& listed) const {
    Index index(listed.size());
    for (size_t i = 0; i < listed.size(); ++i) {
      index[static_cast<size_t>(order[s][i])] = listed[i];
    }
    return literal.at(index);
  }
};

Index joined(const Index& a, const Index& b, const Index& c) {
  Index result = a;
  result.insert(result.end(), b.begin(), b.end());
  result.insert(result.end(), c.begin(), c.end());
  return result;
}

int64_t count_of(const Ints& sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  return count;
}

/// dot by its definition, one index at a time.
Literal define_dot(const DotCase& dot, const Literal& lhs, const Literal& rhs,
                   const Shape& shape) {
  Literal result(shape);
  int64_t position = 0;
  for (int64_t g = 0; g < count_of(dot.batch_sizes); ++g) {
    for (int64_t m = 0; m < count_of(dot.free_sizes[0]); ++m) {
      for (int64_t n = 0; n < count_of(dot.free_sizes[1]); ++n) {
        const Index batch = delinearize(g, dot.batch_sizes);
        Sum sum(shape.element_type);
        for (int64_t k = 0; k < count_of(dot.contracting_sizes); ++k) {
          const Index depth = delinearize(k, dot.contracting_sizes);
          sum.add(dot.element(
                      lhs, 0,
                      joined(batch, depth, delinearize(m, dot.free_sizes[0]))),
                  dot.element(
                      rhs, 1,
                      joined(batch, depth, delinearize(n, dot.free_sizes[1]))));
        }
        result.set(position++, sum.value());
      }
    }
  }
  return result;
}

TEST(Contraction, DotIsTheDefinitionForRandomDimensionsAndTypes) {
  Random random(1);
  for (int i = 0; i < 600; ++i) {
    const DotCase dot(random, random_type(random));
    const auto owned = dot.instruction();
    const Literal operands[] = {random.literal(dot.shapes[0]),
                                random.literal(dot.shapes[1])};
    Evaluator evaluator(kReference, {.threads = i % 2 + 1});
    const Shape& shape = owned->instruction.shape;
    ASSERT_TRUE(
        identical(evaluate_instruction(owned->instruction, operands, evaluator),
                  define_dot(dot, operands[0], operands[1], shape)))
        << "case " << i << " " << to_string(dot.shapes[0]) << " "
        << to_string(dot.shapes[1]);
  }
}

TEST(Contraction, ExactElementIsTheSumOfThatElement) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const ElementType type =
        random.one_in(2) ? ElementType::kC64 : ElementType::kBF16;
    const DotCase dot(random, type);
    const auto owned = dot.instruction();
    const Literal operands[] = {random.literal(dot.shapes[0]),
                                random.literal(dot.shapes[1])};
    const Literal expected =
        define_dot(dot, operands[0], operands[1], owned->instruction.shape);
    const Contraction sums =
        owned->instruction.op->contraction(owned->instruction);
    const auto& format = numeric::format(component_type(type));
    for (int64_t p = 0; p < expected.element_count(); ++p) {
      for (size_t part = 0; part < (is_complex(type) ? 2 : 1); ++part) {
        ASSERT_EQ(
            exact_element(sums, owned->instruction, operands, p, part == 1)
                .round(format)
                .bits,
            expected.at(p).bits[part]);
      }
    }
  }
}

// Both ends of a wide interval have the code of NaN in a format without
// negative numbers and infinities.
TEST(Contraction, AWideIntervalIsNotTakenForNaN) {
  const Shape shape = Shape::array(ElementType::kF8E8M0FNU, {2});
  const auto owned = make_instruction(
      "dot", {shape, shape},
      {{"lhs_contracting_dims", Ints{0}}, {"rhs_contracting_dims", Ints{0}}});
  Literal operands[] = {Literal(shape), Literal(shape)};
  const auto set = [&](size_t operand, int64_t i, double value) {
    const auto& format = numeric::format(shape.element_type);
    operands[operand].set(
        i, {shape.element_type, {numeric::encode(value, format), 0}});
  };
  set(0, 0, 0x1p119);
  set(0, 1, 0x1p-122);
  set(1, 0, 0x1p-82);
  set(1, 1, 0x1p123);
  Evaluator evaluator(kReference);
  const Literal result =
      evaluate_instruction(owned->instruction, operands, evaluator);
  EXPECT_EQ(result.integer(0), 127 + 37);
}

/// A convolution of any rank, labels, window and groups.
struct ConvolutionCase {
  DimLabels labels;
  Window window;
  int64_t feature_groups = 1;
  int64_t batch_groups = 1;
  std::array<Shape, 2> shapes;

  ConvolutionCase(Random& random, ElementType type) {
    const int64_t spatial = random.between(0, 3);
    for (ConvolutionSide* side :
         {&labels.input, &labels.kernel, &labels.output}) {
      Ints order = testing::permutation(random, spatial + 2);
      side->batch_or_input = order[0];
      side->feature = order[1];
      side->spatial.assign(order.begin() + 2, order.end());
    }
    (random.one_in(2) ? feature_groups : batch_groups) =
        random.one_in(2) ? 1 : random.between(1, 3);
    const int64_t input = random.between(1, 3);
    const Ints ones(static_cast<size_t>(spatial) + 2, 1);
    shapes = {Shape::array(type, ones), Shape::array(type, ones)};
    size(0, labels.input.batch_or_input) = batch_groups * random.between(0, 2);
    size(0, labels.input.feature) = input * feature_groups;
    size(1, labels.kernel.batch_or_input) = input;
    size(1, labels.kernel.feature) =
        feature_groups * batch_groups * random.between(1, 5);
    for (size_t d = 0; d < static_cast<size_t>(spatial); ++d) {
      window.dims.push_back({.size = random.between(1, 3),
                             .stride = random.between(1, 3),
                             .low = random.between(-2, 3),
                             .high = random.between(-2, 3),
                             .base_dilation = random.between(1, 3),
                             .window_dilation = random.between(1, 3),
                             .reversal = random.one_in(2)});
      size(0, labels.input.spatial[d]) = random.between(1, 6);
      size(1, labels.kernel.spatial[d]) = window.dims[d].size;
    }
  }

  int64_t& size(size_t s, int64_t d) {
    return shapes[s].dims[static_cast<size_t>(d)];
  }

  std::unique_ptr<Owned> instruction() const {
    return make_instruction("convolution", {shapes[0], shapes[1]},
                            {{"window", window},
                             {"dim_labels", labels},
                             {"feature_group_count", feature_groups},
                             {"batch_group_count", batch_groups}});
  }
};

/// The index of an array by the parts that its labels name.
Index labelled(const ConvolutionSide& side, int64_t first, int64_t feature,
               const Index& spatial) {
  Index index(spatial.size() + 2);
  index[static_cast<size_t>(side.batch_or_input)] = first;
  index[static_cast<size_t>(side.feature)] = feature;
  for (size_t d = 0; d < spatial.size(); ++d) {
    index[static_cast<size_t>(side.spatial[d])] = spatial[d];
  }
  return index;
}

/// One element of a convolution by the formula of spec/ops/convolution.md.
Scalar define_element(const ConvolutionCase& conv, const Literal& lhs,
                      const Literal& rhs, const Index& result,
                      const Shape& shape) {
  const auto& [input, kernel, output] = conv.labels;
  const auto pick = [](const Index& from, int64_t d) {
    return from[static_cast<size_t>(d)];
  };
  const int64_t outputs = pick(rhs.shape().dims, kernel.feature);
  const int64_t inputs = pick(rhs.shape().dims, kernel.batch_or_input);
  const int64_t oz = pick(result, output.feature);
  const int64_t group = oz / (outputs / conv.feature_groups);
  const int64_t batch =
      pick(result, output.batch_or_input) +
      oz / (outputs / conv.batch_groups) *
          (pick(lhs.shape().dims, input.batch_or_input) / conv.batch_groups);
  Ints cells;
  for (const WindowDimension& w : conv.window.dims) cells.push_back(w.size);
  Sum sum(shape.element_type);
  for (int64_t c = 0; c < count_of(cells); ++c) {
    const Index cell = delinearize(c, cells);
    Index from(cell.size()), tap(cell.size());
    bool exists = true;
    for (size_t d = 0; d < cell.size(); ++d) {
      const WindowDimension& w = conv.window.dims[d];
      const int64_t i = pick(result, output.spatial[d]) * w.stride - w.low +
                        cell[d] * w.window_dilation;
      exists = exists && i >= 0 && i % w.base_dilation == 0 &&
               i / w.base_dilation < pick(lhs.shape().dims, input.spatial[d]);
      from[d] = i / w.base_dilation;
      tap[d] = w.reversal ? w.size - 1 - cell[d] : cell[d];
    }
    if (!exists) continue;
    for (int64_t iz = 0; iz < inputs; ++iz) {
      sum.add(lhs.at(labelled(input, batch, group * inputs + iz, from)),
              rhs.at(labelled(kernel, iz, oz, tap)));
    }
  }
  return sum.value();
}

TEST(Contraction, ConvolutionIsTheDefinitionForRandomWindowsAndTypes) {
  Random random(3);
  for (int i = 0; i < 600; ++i) {
    const ConvolutionCase conv(random, random_type(random));
    const auto owned = conv.instruction();
    const Shape& shape = owned->instruction.shape;
    const Literal operands[] = {random.literal(conv.shapes[0]),
                                random.literal(conv.shapes[1])};
    Evaluator evaluator(kReference, {.threads = i % 2 + 1});
    const Literal result =
        evaluate_instruction(owned->instruction, operands, evaluator);
    for (int64_t p = 0; p < result.element_count(); ++p) {
      const Index index = delinearize(p, shape.dims);
      ASSERT_EQ(result.at(p),
                define_element(conv, operands[0], operands[1], index, shape))
          << "case " << i << " element " << p << " of " << to_string(shape);
    }
  }
}

TEST(Contraction, LocateInvertsResult) {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const ConvolutionCase conv(random, ElementType::kF32);
    const auto owned = conv.instruction();
    const Contraction sums =
        owned->instruction.op->contraction(owned->instruction);
    for (int64_t p = 0; p < owned->instruction.shape.element_count(); ++p) {
      int64_t gmn[3];
      sums.locate(p, gmn);
      ASSERT_EQ(
          sums.result_row(gmn[0], gmn[1]) + sums.result_column(gmn[0], gmn[2]),
          p);
    }
  }
}

}  // namespace
}  // namespace hlo
