#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "interpreter/model/index_loops.h"
#include "interpreter/plans/fold/fold.h"

namespace hlo {

/// A loop over cells, over result elements, or both: how many, and how far
/// apart they lie in the operand and in the result.
struct FoldLoop {
  int64_t extent;
  int64_t source;
  int64_t target;
};

/// The numbers i in [0, count) with i * step + start on an element of a
/// dimension of `size` elements that lie `dilation` apart: first, first +
/// stride, ...: `extent` of them.
struct Progression {
  int64_t first;
  int64_t extent;
  int64_t stride;
};

Progression elements_on(int64_t count, int64_t step, int64_t start,
                        int64_t size, int64_t dilation);

/// Puts the loops into an order that is good to run, the innermost last, and
/// makes neighbours one where they can be.
void arrange(std::vector<FoldLoop>& loops);

/// The part [begin, end) of the result elements along `axis`.
std::vector<FoldAxis> part_of(std::vector<FoldAxis> axes, size_t axis,
                              int64_t begin, int64_t end);
/// The first axis along which there are several result elements, or the last.
size_t split_axis(const std::vector<FoldAxis>& axes);

/// Elements worth a thread.
inline constexpr int64_t kFoldGrain = int64_t{1} << 15;

/// How many positions of the axis to do at once, so that a piece has about
/// `elements` elements, of which `total` are shared by result_size positions.
inline int64_t piece_size(const FoldAxis& axis, int64_t total,
                          int64_t elements) {
  const int64_t each = total / (axis.result_size > 0 ? axis.result_size : 1);
  return each == 0 ? elements : elements / each + 1;
}

/// Calls row(source, target, n, source_stride, target_stride) for runs of
/// pairs of an operand element and the result element that it goes into, until
/// every pair was met once, in no particular order.
template <typename Row>
class FoldWalk {
 public:
  FoldWalk(const std::vector<FoldAxis>& axes, Row row)
      : axes_(axes), row_(std::move(row)) {}

  void run() { visit(0, 0, 0); }

 private:
  void visit(size_t a, int64_t source, int64_t target) {
    if (a == axes_.size()) return run_loops(source, target);
    const FoldAxis& axis = axes_[a];
    if (axis.is_full()) return visit_full(a, source, target);
    const bool by_cell = axis.cells <= axis.result_size;
    const int64_t outer = by_cell ? axis.cells : axis.result_size;
    for (int64_t i = 0; i < outer; ++i) {
      visit_clipped(a, by_cell, i, source, target);
    }
  }

  void visit_full(size_t a, int64_t source, int64_t target) {
    const FoldAxis& axis = axes_[a];
    loops_.push_back({axis.result_size, axis.result_step * axis.operand_stride,
                      axis.result_stride});
    loops_.push_back({axis.cells, axis.cell_step * axis.operand_stride, 0});
    visit(a + 1, source + axis.offset * axis.operand_stride, target);
    loops_.resize(loops_.size() - 2);
  }

  /// Cell i of all result elements, or all cells of result element i.
  void visit_clipped(size_t a, bool by_cell, int64_t i, int64_t source,
                     int64_t target) {
    const FoldAxis& axis = axes_[a];
    const int64_t step = by_cell ? axis.result_step : axis.cell_step;
    const int64_t start =
        axis.offset + i * (by_cell ? axis.cell_step : axis.result_step);
    const Progression found =
        elements_on(by_cell ? axis.result_size : axis.cells, step, start,
                    axis.operand_size, axis.base_dilation);
    if (found.extent == 0) return;
    const int64_t first = (found.first * step + start) / axis.base_dilation;
    const int64_t apart = found.stride * step / axis.base_dilation;
    loops_.push_back({found.extent, apart * axis.operand_stride,
                      by_cell ? found.stride * axis.result_stride : 0});
    visit(a + 1, source + first * axis.operand_stride,
          target + (by_cell ? found.first : i) * axis.result_stride);
    loops_.pop_back();
  }

  void run_loops(int64_t source, int64_t target) {
    std::vector<FoldLoop> loops = loops_;
    arrange(loops);
    const FoldLoop inner = loops.back();
    loops.pop_back();
    StridedLoop<2> outer;
    for (const FoldLoop& loop : loops) {
      outer.add_axis(loop.extent, {loop.source, loop.target});
    }
    outer.for_each([&](const StridedLoop<2>::Offsets& at) {
      row_(source + at[0], target + at[1], inner.extent, inner.source,
           inner.target);
    });
  }

  const std::vector<FoldAxis>& axes_;
  Row row_;
  std::vector<FoldLoop> loops_;
};

}  // namespace hlo
