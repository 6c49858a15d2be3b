#include "interpreter/plans/contraction/dot_map.h"

#include <memory>

#include "interpreter/rules/dimensions/dot_side.h"

namespace hlo {
namespace {

/// The positions of one operand's elements (g, index, k): the last contracting
/// dimension makes the runs.
struct Side {
  Ints groups;
  Ints vectors;
  Ints starts;  // of the runs, from the first one on
  int64_t length = 1;
  int64_t stride = 1;

  Side(const Instruction& dot, size_t operand) {
    DotSide dims(dot, operand);
    const Shape& shape = dot.operand_shape(operand);
    groups = offsets_along(shape, dims.batch);
    vectors = offsets_along(shape, dims.free);
    if (!dims.contracting.empty()) {
      const auto last = static_cast<size_t>(dims.contracting.back());
      length = shape.dims[last];
      stride = row_major_strides(shape.dims)[last];
      dims.contracting.pop_back();
    }
    starts = offsets_along(shape, dims.contracting);
  }

  Runs runs(const std::shared_ptr<const Side>& self) const {
    return {.starts = [self](int64_t g, int64_t index,
                             int64_t* p) { (*self)(g, index, p); },
            .count = static_cast<int64_t>(starts.size()),
            .length = length,
            .stride = stride};
  }

  void operator()(int64_t g, int64_t index, int64_t* positions) const {
    const int64_t base =
        groups[static_cast<size_t>(g)] + vectors[static_cast<size_t>(index)];
    for (const int64_t start : starts) *positions++ = base + start;
  }
};

}  // namespace

Contraction dot_products(const Instruction& dot) {
  const auto lhs = std::make_shared<const Side>(dot, 0);
  const auto rhs = std::make_shared<const Side>(dot, 1);
  Contraction result;
  result.groups = static_cast<int64_t>(lhs->groups.size());
  result.rows = static_cast<int64_t>(lhs->vectors.size());
  result.columns = static_cast<int64_t>(rhs->vectors.size());
  result.depth = static_cast<int64_t>(lhs->starts.size()) * lhs->length;
  result.lhs = lhs->runs(lhs);
  result.rhs = rhs->runs(rhs);
  const int64_t rows = result.rows;
  const int64_t columns = result.columns;
  result.result_row = [rows, columns](int64_t g, int64_t m) {
    return (g * rows + m) * columns;
  };
  result.result_column = [](int64_t, int64_t n) { return n; };
  result.locate = [rows, columns](int64_t position, int64_t gmn[3]) {
    gmn[0] = position / columns / rows;
    gmn[1] = position / columns % rows;
    gmn[2] = position % columns;
  };
  return result;
}

}  // namespace hlo
