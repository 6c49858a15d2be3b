// spec/ops/reduce.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/dimensions/indices.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, true},
    {"to_apply", AttributeKind::kComputation, true},
};

constexpr ReducerRules kRules = {.operands = "reduce.C1",
                                 .inputs = "reduce.C2",
                                 .inits = "reduce.C3",
                                 .parameters = "reduce.C6",
                                 .result = "reduce.C7",
                                 .types = "reduce.C8"};

bool is_reduced(const Instruction& reduce, int64_t d) {
  return std::ranges::count(reduce.get<Ints>("dimensions"), d) > 0;
}

Shape infer(const Instruction& reduce) {
  const auto& reducer = *reduce.get<Computation*>("to_apply");
  check_reduction(reduce, reducer, kRules);
  const Shape& input = reduce.operand_shape(0);
  for (const int64_t d : reduce.get<Ints>("dimensions")) {
    require(d >= 0 && d < input.rank(), "reduce.C4",
            {"dimension ", d, " is reduced of ", input},
            "it must be one of the inputs' dimensions");
    require(std::ranges::count(reduce.get<Ints>("dimensions"), d) == 1,
            "reduce.C5", {"dimensions is ", reduce.get<Ints>("dimensions")},
            "no dimension may be reduced twice");
  }
  Shape kept = Shape::array(input.element_type, {});
  for (int64_t d = 0; d < input.rank(); ++d) {
    if (!is_reduced(reduce, d)) append_dimension(kept, input, d);
  }
  return reduction_shape(reducer, kept);
}

/// All elements whose index is the result's along the kept dimensions.
void cells(const Instruction& reduce, const Index& result,
           const VisitCell& visit) {
  const Ints& dims = reduce.operand_shape(0).dims;
  Index first(dims.size(), 0);
  Ints sizes(dims.size(), 1);
  size_t kept = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    const bool reduced = is_reduced(reduce, static_cast<int64_t>(d));
    (reduced ? sizes[d] : first[d]) = reduced ? dims[d] : result[kept++];
  }
  Index cell(dims.size());
  for_each_index(sizes, [&](const Index& k) {
    for (size_t d = 0; d < dims.size(); ++d) cell[d] = first[d] + k[d];
    visit(cell);
  });
}

}  // namespace

extern constinit const Op op_reduce{
    .name = "reduce",
    .min_operands = 2,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .cells = cells,
    .accuracy = {.kind = Accuracy::Kind::kInherit},
    .fit = fit_inputs};

}  // namespace hlo
