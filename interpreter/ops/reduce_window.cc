// spec/ops/reduce_window.md
#include <optional>

#include "interpreter/rules/dimensions/indices.h"
#include "interpreter/rules/dimensions/window.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"window", AttributeKind::kWindow},
    {"to_apply", AttributeKind::kComputation, true},
};

constexpr ReducerRules kRules = {.operands = "reduce-window.C1",
                                 .inputs = "reduce-window.C2",
                                 .inits = "reduce-window.C3",
                                 .parameters = "reduce-window.C9",
                                 .result = "reduce-window.C10",
                                 .types = "reduce-window.C11"};

constexpr WindowRules kWindowRules = {.rank = "reduce-window.C4",
                                      .size = "reduce-window.C5",
                                      .stride = "reduce-window.C6",
                                      .dilation = "reduce-window.C7",
                                      .extent = "reduce-window.C8"};

/// The text leaves the window of scalars out.
Window window_of(const Instruction& reduce) {
  return reduce.get_or("window", Window{});
}

Shape infer(const Instruction& reduce) {
  const auto& reducer = *reduce.get<Computation*>("to_apply");
  check_reduction(reduce, reducer, kRules);
  return reduction_shape(
      reducer,
      infer_window(reduce.operand_shape(0), window_of(reduce), kWindowRules));
}

/// Element k of a window that lies at `result`, along one dimension; nothing in
/// the padding and in the gaps of a dilation.
std::optional<int64_t> position(const WindowDimension& window, int64_t size,
                                int64_t result, int64_t k) {
  const int64_t dilated =
      result * window.stride + k * window.window_dilation - window.low;
  const bool exists = dilated >= 0 && dilated % window.base_dilation == 0 &&
                      dilated / window.base_dilation < size;
  return exists ? std::optional(dilated / window.base_dilation) : std::nullopt;
}

void cells(const Instruction& reduce, const Index& result,
           const VisitCell& visit) {
  const Window window = window_of(reduce);
  const Ints& dims = reduce.operand_shape(0).dims;
  Ints sizes;
  for (const WindowDimension& d : window.dims) sizes.push_back(d.size);
  Index cell;
  for_each_index(sizes, [&](const Index& k) {
    cell.clear();
    for (size_t d = 0; d < dims.size(); ++d) {
      const auto at = position(window.dims[d], dims[d], result[d], k[d]);
      if (at) cell.push_back(*at);
    }
    if (cell.size() == dims.size()) visit(cell);
  });
}

int64_t work(const Instruction& reduce) {
  Ints factors = {result_elements(reduce)};
  for (const WindowDimension& d : window_of(reduce).dims) {
    factors.push_back(d.size);
  }
  return saturating_product(factors);
}

}  // namespace

extern constinit const Op op_reduce_window{
    .name = "reduce-window",
    .min_operands = 2,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .cells = cells,
    .work = work,
    .accuracy = {.kind = Accuracy::Kind::kInherit},
    .fit = fit_inputs};

}  // namespace hlo
