#include "interpreter/plans/fold/fold.h"

#include "interpreter/model/index_loops.h"

namespace hlo {

std::vector<FoldAxis> window_axes(const Shape& operand, const Shape& result,
                                  const Window& window) {
  const auto strides = row_major_strides(operand.dims);
  const auto result_strides = row_major_strides(result.dims);
  std::vector<FoldAxis> axes;
  for (size_t d = 0; d < window.dims.size(); ++d) {
    const WindowDimension& dimension = window.dims[d];
    // Steps that are never taken may be too large to multiply.
    axes.push_back(
        {.operand_size = operand.dims[d],
         .operand_stride = strides[d],
         .result_size = result.dims[d],
         .result_stride = result_strides[d],
         .cells = dimension.size,
         .result_step = result.dims[d] > 1 ? dimension.stride : 0,
         .cell_step = dimension.size > 1 ? dimension.window_dilation : 0,
         .offset = -dimension.low,
         .base_dilation = dimension.base_dilation});
  }
  return axes;
}

Ints cell_counts(const Fold& fold) {
  Ints counts;
  for (const FoldAxis& axis : fold.axes) counts.push_back(axis.cells);
  return counts;
}

void for_each_cell(const Fold& fold, int64_t position,
                   const std::function<void(int64_t)>& visit) {
  Index places;
  for (const FoldAxis& axis : fold.axes) {
    places.push_back(axis.result_size == 1
                         ? 0
                         : position / axis.result_stride % axis.result_size);
  }
  for_each_index(cell_counts(fold), [&](const Index& cell) {
    int64_t source = 0;
    for (size_t a = 0; a < cell.size(); ++a) {
      const int64_t p = fold.axes[a].position(places[a], cell[a]);
      if (p < 0) return;
      source += p * fold.axes[a].operand_stride;
    }
    visit(source);
  });
}

}  // namespace hlo
