#include <limits>

#include "backends/tpu/blocks/block_rules.h"
#include "backends/tpu/blocks/block_systems.h"
#include "backends/tpu/blocks/wide_matrices.h"
#include "interpreter/builder/xla_builder.h"

namespace hlo::tpu {
namespace {

using builder::XlaOp;

/// Zeros of the type, of as many rows and columns, for as many matrices as
/// there are in `like`.
XlaOp zeros(XlaOp like, int64_t rows, int64_t columns) {
  Ints dims = like.shape().dims;
  dims[dims.size() - 2] = rows;
  dims.back() = columns;
  return builder::Broadcast(
      builder::Zero(&like.builder(), like.shape().element_type), dims);
}

/// The factor of lower triangles, by that of the first half of the rows:
///   l11 = factor(a11),  l21 l11^H = a21,  l22 = factor(a22 - l21 l21^H)
XlaOp factor(XlaOp a, const Halving& halving) {
  const int64_t n = a.shape().dims.back();
  if (n <= halving.most_rows) return builder::Cholesky(a, /*lower=*/true);
  const auto [first, second] = halves(n, halving);
  const XlaOp l11 = factor(block_of(a, first, first), halving);
  const XlaOp l21 =
      solved(l11, block_of(a, second, first),
             {.is_left = false,
              .is_lower = true,
              .transpose = builder::TriangularTranspose::kAdjoint},
             halving);
  const XlaOp square =
      matrices_multiplied(l21, conjugated(matrices_transposed(l21)));
  const XlaOp l22 =
      factor(rest_of(block_of(a, second, second), square, halving), halving);
  const int64_t rank = a.shape().rank();
  builder::XlaBuilder* const builder = &a.builder();
  const XlaOp above = builder::ConcatInDim(
      builder, {l11, zeros(a, first.size(), second.size())}, rank - 1);
  return builder::ConcatInDim(
      builder, {above, builder::ConcatInDim(builder, {l21, l22}, rank - 1)},
      rank - 2);
}

/// Not a number everywhere where anything on the diagonal is none: there is no
/// factor then.
XlaOp none_where_nan(XlaOp l) {
  builder::XlaBuilder& builder = l.builder();
  const Ints& dims = l.shape().dims;
  const int64_t rank = l.shape().rank();
  const auto index = [&](int64_t d) {
    return builder::Iota(&builder, Shape::array(ElementType::kS64, dims), d);
  };
  const XlaOp size = is_complex(l.shape().element_type) ? builder::Real(l) : l;
  const XlaOp is_lost = builder::And(
      builder::Ne(size, size), builder::Eq(index(rank - 2), index(rank - 1)));
  const XlaOp lost =
      builder::Reduce(is_lost, builder::ConstantR0<bool>(&builder, false),
                      builder::CreateScalarOrComputation(ElementType::kPred),
                      {rank - 2, rank - 1});
  Ints outer(dims.size() - 2);
  for (size_t d = 0; d < outer.size(); ++d) outer[d] = static_cast<int64_t>(d);
  XlaOp nan = builder::ConstantR0<double>(
      &builder, std::numeric_limits<double>::quiet_NaN());
  if (is_complex(l.shape().element_type)) {
    nan = builder::Complex(nan, builder::ConstantR0<double>(&builder, 0));
  }
  return builder::Select(builder::BroadcastInDim(lost, dims, outer),
                         builder::Broadcast(nan, dims), l);
}

}  // namespace

XlaOp cholesky_by_halves(const BlockTask& task) {
  const ElementType type = task.instruction.shape.element_type;
  const bool is_lower = task.instruction.get_or("lower", false);
  XlaOp a = widened(task.operands[0]);
  if (!is_lower) a = matrices_transposed(a);
  XlaOp l =
      none_where_nan(factor(a, {rows_of_blocks(type, task.room), task.fault}));
  if (!is_lower) l = matrices_transposed(l);
  return narrowed(l, type);
}

}  // namespace hlo::tpu
