#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// One axis along which a fold walks its cells: cell k of the axis lies at
/// position o * result_step + k * cell_step + offset of a dilated operand
/// dimension; cells outside, and in the gaps of the dilation, are skipped.
struct FoldAxis {
  int64_t operand_size = 1;    // of the operand's dimension
  int64_t operand_stride = 1;  // in elements
  int64_t result_size = 1;     // 1 where the dimension is reduced away
  int64_t result_stride = 0;
  int64_t cells = 1;
  int64_t result_step = 0;
  int64_t cell_step = 1;
  int64_t offset = 0;
  int64_t base_dilation = 1;

  /// The position in the operand's dimension, or -1 where there is no cell.
  int64_t position(int64_t o, int64_t k) const {
    const int64_t dilated = o * result_step + k * cell_step + offset;
    if (dilated < 0 || dilated % base_dilation != 0) return -1;
    const int64_t position = dilated / base_dilation;
    return position < operand_size ? position : -1;
  }

  /// Whether every cell of every result element exists.
  bool is_full() const {
    return base_dilation == 1 && offset >= 0 &&
           (result_size - 1) * result_step + (cells - 1) * cell_step + offset <
               operand_size;
  }
};

/// result[i] = fold of the operand elements in the cells of i, first the init
/// value, then the cells in row-major order: reduce and reduce-window. One
/// axis for each dimension of the operands, in order.
struct Fold {
  int64_t inputs = 1;  // operands [0, inputs) are folded, then as many inits
  std::vector<FoldAxis> axes;
  const Computation* reducer = nullptr;
};

/// The axes of a window that is laid over `operand` and has the places of
/// `result`.
std::vector<FoldAxis> window_axes(const Shape& operand, const Shape& result,
                                  const Window& window);

/// Calls visit with the position in the operand of each cell of the result
/// element at row-major position `position`, in order.
void for_each_cell(const Fold& fold, int64_t position,
                   const std::function<void(int64_t)>& visit);

/// How many cells there are along each axis.
Ints cell_counts(const Fold& fold);

}  // namespace hlo
