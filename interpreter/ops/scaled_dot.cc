// spec/ops/scaled_dot.md
#include <algorithm>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"lhs_batch_dims", AttributeKind::kInts},
    {"lhs_contracting_dims", AttributeKind::kInts},
    {"rhs_batch_dims", AttributeKind::kInts},
    {"rhs_contracting_dims", AttributeKind::kInts},
    {"operand_precision", AttributeKind::kWords, false,
     "default high highest packed_nibble"},
};

void check_scale(const Shape& operand, const Shape& scale) {
  if (scale.is_scalar()) return;
  require(scale.rank() == operand.rank(), "scaled-dot.C4",
          {"a scale is ", scale, " for the operand ", operand},
          "it must be a scalar or have as many dimensions");
  for (size_t d = 0; d < scale.dims.size(); ++d) {
    require(scale.dims[d] > 0 ? operand.dims[d] % scale.dims[d] == 0
                              : operand.dims[d] == 0,
            "scaled-dot.C5",
            {"dimension ", d, " of the operand is ", operand.dims[d],
             " and of the scale ", scale.dims[d]},
            "the first must be a multiple of the second");
  }
}

Shape infer(const Instruction& dot) {
  const Shape& lhs = dot.operand_shape(0);
  const Shape& rhs = dot.operand_shape(1);
  const DotDimensions dims = dot_dimensions(dot);
  require(std::ranges::all_of(operand_shapes(dot), &Shape::is_array) &&
              are_dimensions_of(dims, lhs, rhs),
          "scaled-dot.C1", {"the operands are ", OperandShapes{dot}},
          "they must be arrays, of which batch and contracting dimensions are "
          "distinct and come in pairs");
  require(sizes_agree(dims, lhs, rhs), "scaled-dot.C2",
          {"the operands are ", lhs, " and ", rhs},
          "paired dimensions must have one size");
  require(
      !dot.operand_shape(2).is_scalar() || !dot.operand_shape(3).is_scalar(),
      "scaled-dot.C3",
      {"both scales are scalars: ", dot.operand_shape(2), " and ",
       dot.operand_shape(3)},
      "at least one must not be");
  check_scale(lhs, dot.operand_shape(2));
  check_scale(rhs, dot.operand_shape(3));
  Shape result = Shape::array(contraction_type(dot), {});
  append_sizes(result.dims, lhs, dims.lhs_batch);
  append_sizes(result.dims, lhs,
               remaining(lhs.rank(), dims.lhs_batch, dims.lhs_contracting));
  append_sizes(result.dims, rhs,
               remaining(rhs.rank(), dims.rhs_batch, dims.rhs_contracting));
  return result;
}

/// That of the block in which the element at an index of operand k lies;
/// nothing where the scale means 1.
std::vector<Origin> scale_of(const Instruction& dot, size_t k, Index index) {
  const Ints& dims = dot.operand_shape(k).dims;
  const Shape& scale = dot.operand_shape(k + 2);
  if (scale.is_scalar()) return {};
  for (size_t d = 0; d < dims.size(); ++d) index[d] /= dims[d] / scale.dims[d];
  return {{static_cast<int64_t>(k) + 2, std::move(index)}};
}

bool may_be_scaled(const Literal& literal) {
  return is_float(literal.type()) && literal.type() != ElementType::kF64;
}

/// lhs[i] * lhs_scale[i / block] * rhs[j] * rhs_scale[j / block] for the terms
/// lhs[i] * rhs[j] of a dot.
void terms(const Instruction& dot, Operands operands, const Index& result,
           const VisitTerm& visit) {
  require_evaluable(std::ranges::all_of(operands, may_be_scaled) &&
                        is_float(dot.shape.element_type),
                    "scaled-dot.types",
                    {"the operands are ", OperandShapes{dot},
                     " and the result is ", dot.shape},
                    "operands and scales must be of float types but f64, and "
                    "the result of a float type");
  find_op("dot")->terms(dot, operands, result, [&](const Term& product) {
    Term term = product;
    term.scales = scale_of(dot, 0, term.lhs);
    for (Origin& scale : scale_of(dot, 1, term.rhs)) {
      term.scales.push_back(std::move(scale));
    }
    visit(term);
  });
}

/// A scale in as many elements as its operand, whose blocks no longer are of
/// one size.
Literal repeated(const Literal& scale, const Ints& dims) {
  const Ints& blocks = scale.shape().dims;
  Literal result(Shape::array(scale.type(), dims));
  for (int64_t i = 0; i < result.element_count(); ++i) {
    Index index = delinearize(i, dims);
    for (size_t d = 0; d < dims.size(); ++d) index[d] /= dims[d] / blocks[d];
    result.set(i, scale.at(index));
  }
  return result;
}

/// An operand has no more elements than its scale has for them.
void limit_to_scale(const Fitting& on, size_t i) {
  const Ints& dims = on.instruction.operand_shape(i).dims;
  const Ints& blocks = on.instruction.operand_shape(2 + i).dims;
  for (size_t d = 0; d < blocks.size(); ++d) {
    if (blocks[d] == 0) continue;
    const int64_t scaled = on.sizes[2 + i][d] * (dims[d] / blocks[d]);
    on.sizes[i][d] = std::min(on.sizes[i][d], scaled);
  }
}

void fit(const Fitting& on) {
  limit_to_scale(on, 0);
  limit_to_scale(on, 1);
  fit_contraction(on);
  for (size_t i = 0; i < 2; ++i) {
    if (on.sizes[2 + i].empty()) continue;
    const Ints& dims = on.instruction.operand_shape(i).dims;
    if (on.instruction.operand_shape(2 + i).dims != dims) {
      on.operands[2 + i] = repeated(on.operands[2 + i], dims);
    }
    on.sizes[2 + i] = on.sizes[i];
  }
}

int64_t work(const Instruction& dot) {
  constexpr int64_t kTimesAsLong = 24;
  return saturating_product({find_op("dot")->work(dot), kTimesAsLong});
}

}  // namespace

extern constinit const Op op_scaled_dot{
    .name = "scaled-dot",
    .min_operands = 4,
    .max_operands = 4,
    .attributes = kAttributes,
    .infer = infer,
    .terms = terms,
    .work = work,
    .accuracy = {Accuracy::Kind::kScaledSum},
    .fit = fit};

}  // namespace hlo
