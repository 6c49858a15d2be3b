// spec/ops/ragged_dot.md
#include <algorithm>

#include "interpreter/plans/contraction/ragged.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"lhs_batch_dims", AttributeKind::kInts},
    {"lhs_contracting_dims", AttributeKind::kInts},
    {"rhs_batch_dims", AttributeKind::kInts},
    {"rhs_contracting_dims", AttributeKind::kInts},
    {"lhs_ragged_dims", AttributeKind::kInts, true},
    {"rhs_group_dims", AttributeKind::kInts},
    {"operand_precision", AttributeKind::kWords, false,
     "default high highest packed_nibble"},
};

bool contains(const Ints& values, int64_t value) {
  return std::ranges::find(values, value) != values.end();
}

void check_groups(const Shape& groups, const Shape& lhs, const Ints& outer) {
  require(is_integer(groups.element_type) && groups.rank() >= 1,
          "ragged-dot.C5", {"group_sizes are ", groups},
          "they must be integers of rank 1 or more");
  std::vector<int64_t> sizes;
  append_sizes(sizes, lhs, outer);
  sizes.push_back(groups.dims.back());
  require(groups.rank() == 1 || groups.dims == sizes, "ragged-dot.C6",
          {"group_sizes are ", groups,
           " and the dimensions outside the ragged one ", sizes},
          "group_sizes must have none of these or all, and then one for the "
          "groups");
}

/// rhs_group_dims of the mode in which a free dimension of lhs is ragged.
int64_t group_dimension(const Instruction& dot, const DotDimensions& dims) {
  const Ints group = dot.get_or<Ints>("rhs_group_dims", {});
  const Shape& rhs = dot.operand_shape(1);
  require(group.size() == 1 && are_dimensions(group, rhs.rank()) &&
              !contains(dims.rhs_batch, group[0]) &&
              !contains(dims.rhs_contracting, group[0]),
          "ragged-dot.C3", {"rhs_group_dims is ", group, " for rhs ", rhs},
          "where a free dimension of lhs is ragged, it must name one free "
          "dimension of rhs");
  require(rhs.dims[static_cast<size_t>(group[0])] ==
              dot.operand_shape(2).dims.back(),
          "ragged-dot.C4",
          {"dimension ", group[0], " of rhs ", rhs, " goes with group_sizes ",
           dot.operand_shape(2)},
          "rhs must have one matrix for each group");
  return group[0];
}

Shape infer(const Instruction& dot) {
  const Shape& lhs = dot.operand_shape(0);
  const Shape& rhs = dot.operand_shape(1);
  const Shape& groups = dot.operand_shape(2);
  const DotDimensions dims = dot_dimensions(dot);
  require(lhs.is_array() && rhs.is_array() &&
              are_dimensions_of(dims, lhs, rhs) && sizes_agree(dims, lhs, rhs),
          "ragged-dot.C1", {"the operands are ", lhs, " and ", rhs},
          "they must be arrays, of which batch and contracting dimensions are "
          "distinct and come in pairs of one size");
  const Ints& ragged = dot.get<Ints>("lhs_ragged_dims");
  require(ragged.size() == 1 && are_dimensions(ragged, lhs.rank()),
          "ragged-dot.C2", {"lhs_ragged_dims is ", ragged, " for lhs ", lhs},
          "it must name one dimension");
  const RaggedDimension where = ragged_dimension(dot, dims);
  check_groups(groups, lhs, where.outer);
  const Ints lhs_free =
      remaining(lhs.rank(), dims.lhs_batch, dims.lhs_contracting);
  Ints rhs_free = remaining(rhs.rank(), dims.rhs_batch, dims.rhs_contracting);
  Shape result = Shape::array(contraction_type(dot), {});
  if (where.mode == RaggedMode::kContracting) {
    result.dims.push_back(groups.dims.back());
  }
  if (where.mode == RaggedMode::kFree) {
    std::erase(rhs_free, group_dimension(dot, dims));
  } else {
    require(dot.get_or<Ints>("rhs_group_dims", {}).empty(), "ragged-dot.C3",
            {"rhs_group_dims is ", dot.get_or<Ints>("rhs_group_dims", {}),
             " and no free dimension of lhs is ragged"},
            "it must be empty");
  }
  append_sizes(result.dims, lhs, dims.lhs_batch);
  append_sizes(result.dims, lhs, lhs_free);
  append_sizes(result.dims, rhs, rhs_free);
  return result;
}

Literal eval(const Instruction& dot, Operands operands, Evaluator& evaluator) {
  if (dot.shape.element_count() == 0) return Literal(dot.shape);
  return apply(ragged_dot(dot, operands[2]), dot, operands.first(2), evaluator);
}

}  // namespace

extern constinit const Op op_ragged_dot{
    .name = "ragged-dot",
    .min_operands = 3,
    .max_operands = 3,
    .attributes = kAttributes,
    .infer = infer,
    .eval = eval,
    .accuracy = {Accuracy::Kind::kRaggedSum}};

}  // namespace hlo
