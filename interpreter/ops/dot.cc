// spec/ops/dot.md
#include <algorithm>
#include <string_view>

#include "interpreter/error.h"
#include "interpreter/rules/attributes/precision_words.h"
#include "interpreter/rules/dimensions/dot_side.h"
#include "interpreter/rules/dimensions/indices.h"
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
    {"operand_precision", AttributeKind::kWords, false, kPrecisionWords},
    {"algorithm", AttributeKind::kWord, false, kAlgorithmWords},
};

void check_dimensions(const Shape& shape, const DotSide& dims,
                      std::string_view range, std::string_view unique) {
  Ints named = dims.batch;
  named.insert(named.end(), dims.contracting.begin(), dims.contracting.end());
  std::ranges::sort(named);
  for (const int64_t d : named) {
    require(d >= 0 && d < shape.rank(), range,
            {"dimension ", d, " is named of ", shape},
            "dimension numbers must be dimensions of their operand");
  }
  require(std::ranges::adjacent_find(named) == named.end(), unique,
          {"dimensions ", named, " are named of one operand"},
          "no dimension may be named twice");
}

bool same_size(const Shape& lhs, int64_t l, const Shape& rhs, int64_t r) {
  const int64_t a = lhs.dims[static_cast<size_t>(l)];
  const int64_t b = rhs.dims[static_cast<size_t>(r)];
  return a == b || a == kUnbounded || b == kUnbounded;
}

void check_sizes(const Instruction& dot, const DotSide& lhs,
                 const DotSide& rhs) {
  const Shape& a = dot.operand_shape(0);
  const Shape& b = dot.operand_shape(1);
  require(lhs.contracting.size() == rhs.contracting.size(), "dot.C5",
          {"lhs_contracting_dims is ", lhs.contracting,
           " and rhs_contracting_dims ", rhs.contracting},
          "they must be as many");
  require(lhs.batch.size() == rhs.batch.size(), "dot.C6",
          {"lhs_batch_dims is ", lhs.batch, " and rhs_batch_dims ", rhs.batch},
          "they must be as many");
  for (size_t i = 0; i < lhs.contracting.size(); ++i) {
    require(same_size(a, lhs.contracting[i], b, rhs.contracting[i]), "dot.C7",
            {"dimension ", lhs.contracting[i], " of ", a,
             " is paired with dimension ", rhs.contracting[i], " of ", b},
            "contracting dimensions that are paired must have the same size");
  }
  for (size_t i = 0; i < lhs.batch.size(); ++i) {
    require(same_size(a, lhs.batch[i], b, rhs.batch[i]), "dot.C8",
            {"dimension ", lhs.batch[i], " of ", a,
             " is paired with dimension ", rhs.batch[i], " of ", b},
            "batch dimensions that are paired must have the same size");
  }
}

void append(Shape& result, const Shape& operand, const Ints& dims) {
  for (const int64_t d : dims) append_dimension(result, operand, d);
}

Shape infer(const Instruction& dot) {
  const Shape& a = dot.operand_shape(0);
  const Shape& b = dot.operand_shape(1);
  require(a.is_array() && b.is_array(), "dot.C1",
          {"the operands are ", a, " and ", b}, "both must be arrays");
  const DotSide lhs(dot, 0);
  const DotSide rhs(dot, 1);
  check_dimensions(a, lhs, "dot.C2", "dot.C3");
  check_dimensions(b, rhs, "dot.C2", "dot.C3");
  check_sizes(dot, lhs, rhs);
  Shape result = Shape::array(contraction_type(dot), {});
  require(is_complex(result.element_type) ||
              (!is_complex(a.element_type) && !is_complex(b.element_type)),
          "dot.C4",
          {"the operands are ", a, " and ", b, " and the result ", result},
          "the result of complex operands must be complex");
  append(result, a, lhs.batch);
  append(result, a, lhs.free);
  append(result, b, rhs.free);
  return result;
}

/// lhs[b, m, k] * rhs[b, n, k] for all k.
void terms(const Instruction& dot, Operands, const Index& result,
           const VisitTerm& visit) {
  const DotSide lhs(dot, 0);
  const DotSide rhs(dot, 1);
  const DotIndex at(lhs, result);
  for_each_index(depth_of(dot), [&](const Index& k) {
    visit({lhs.at(at.b, at.m, k), rhs.at(at.b, at.n, k)});
  });
}

int64_t work(const Instruction& dot) {
  return work_of_sums(dot, saturating_product(depth_of(dot)));
}

}  // namespace

extern constinit const Op op_dot{.name = "dot",
                                 .min_operands = 2,
                                 .max_operands = 2,
                                 .attributes = kAttributes,
                                 .infer = infer,
                                 .terms = terms,
                                 .work = work,
                                 .accuracy = {.kind = Accuracy::Kind::kSum},
                                 .fit = fit_contraction};

}  // namespace hlo
