// spec/ops/ragged_dot.md
#include <algorithm>
#include <optional>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/rules/dimensions/dot_side.h"
#include "interpreter/rules/dimensions/indices.h"
#include "interpreter/rules/dimensions/ragged_dimension.h"
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
  const RaggedDimension where = ragged_dimension(dot);
  check_groups(groups, lhs, where.outer);
  const Ints lhs_free =
      remaining(lhs.rank(), dims.lhs_batch, dims.lhs_contracting);
  Ints rhs_free = remaining(rhs.rank(), dims.rhs_batch, dims.rhs_contracting);
  Shape result = Shape::array(contraction_type(dot), {});
  require(is_complex(result.element_type) ||
              (!is_complex(lhs.element_type) && !is_complex(rhs.element_type)),
          "ragged-dot.C7",
          {"the operands are ", lhs, " and ", rhs, " and the result is of ",
           result.element_type},
          "the result of complex operands must be complex");
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

/// The group of index i of the ragged dimension, the first that covers it;
/// nothing where none does. `outer` says which of the lists of sizes holds.
std::optional<int64_t> group_of(int64_t i, const Literal& sizes,
                                const Index& outer) {
  __extension__ using Wide = __int128;
  Index at = outer;
  at.push_back(0);
  Wide end = 0;
  for (int64_t& g = at.back(); g < sizes.shape().dims.back(); ++g) {
    const Wide begin = end;
    end += sizes.integer(linearize(at, sizes.shape().dims));
    if (begin <= i && i < end) return g;
  }
  return std::nullopt;
}

/// The group of an element of lhs.
std::optional<int64_t> group_of(const Index& lhs, const RaggedDimension& ragged,
                                const Literal& sizes) {
  const bool has_one_list = sizes.shape().rank() == 1;
  return group_of(lhs[static_cast<size_t>(ragged.dimension)], sizes,
                  has_one_list ? Index{} : chosen(lhs, ragged.outer));
}

/// Free ragged dimensions have lhs[b, m, k] * rhs[b, r(m), k, n] for all k,
/// others lhs[b, m, k] * rhs[b, k, n] for those k with the group of the result,
/// or with any.
void terms(const Instruction& dot, Operands operands, const Index& result,
           const VisitTerm& visit) {
  const RaggedDimension ragged = ragged_dimension(dot);
  const bool has_groups = ragged.mode == RaggedMode::kContracting;
  const Ints group_dims = dot.get_or<Ints>("rhs_group_dims", {});
  const DotSide lhs(dot, 0);
  DotSide rhs(dot, 1);
  for (const int64_t d : group_dims) std::erase(rhs.free, d);
  const DotIndex at(lhs, {result.begin() + (has_groups ? 1 : 0), result.end()});
  for_each_index(depth_of(dot), [&](const Index& k) {
    Term term{lhs.at(at.b, at.m, k), rhs.at(at.b, at.n, k)};
    const auto group = group_of(term.lhs, ragged, operands[2]);
    if (!group || (has_groups && *group != result[0])) return;
    place(term.rhs, group_dims, {*group});
    visit(term);
  });
}

void fit(const Fitting& on) {
  const RaggedDimension ragged = ragged_dimension(on.instruction);
  const int64_t last = std::ssize(on.sizes[2]) - 1;
  if (ragged.mode == RaggedMode::kFree) {
    on.pair(1, on.instruction.get<Ints>("rhs_group_dims")[0], 2, last);
  }
  fit_contraction(on);
  for (int64_t i = 0; i < last; ++i) {
    on.pair(0, ragged.outer[static_cast<size_t>(i)], 2, i);
  }
  fit_contraction(on);  // what the group sizes lack lhs lacks now
}

int64_t work(const Instruction& dot) {
  return work_of_sums(dot, saturating_product(depth_of(dot)));
}

}  // namespace

extern constinit const Op op_ragged_dot{
    .name = "ragged-dot",
    .min_operands = 3,
    .max_operands = 3,
    .attributes = kAttributes,
    .infer = infer,
    .terms = terms,
    .work = work,
    .accuracy = {Accuracy::Kind::kRaggedSum},
    .fit = fit};

}  // namespace hlo
