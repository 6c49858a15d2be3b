#include "backends/tpu/blocks/wide_matrices.h"

#include <utility>

#include "interpreter/builder/xla_builder.h"

namespace hlo::tpu {

using builder::XlaOp;

ElementType wide_type(ElementType type) {
  return is_complex(type) ? ElementType::kC128 : ElementType::kF64;
}

XlaOp widened(XlaOp x) {
  return builder::ConvertElementType(x, wide_type(x.shape().element_type));
}

XlaOp narrowed(XlaOp x, ElementType type) {
  return builder::ConvertElementType(x, type);
}

XlaOp conjugated(XlaOp x) {
  return is_complex(x.shape().element_type) ? builder::Conj(x) : x;
}

XlaOp block_of(XlaOp x, BlockRange rows, BlockRange columns) {
  Ints first(x.shape().dims.size(), 0);
  Ints end = x.shape().dims;
  first[first.size() - 2] = rows.first;
  first.back() = columns.first;
  end[end.size() - 2] = rows.end;
  end.back() = columns.end;
  return builder::Slice(x, first, end);
}

XlaOp matrices_transposed(XlaOp x) {
  Ints order(x.shape().dims.size());
  for (size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int64_t>(d);
  std::swap(order.back(), order[order.size() - 2]);
  return builder::Transpose(x, order);
}

XlaOp matrices_multiplied(XlaOp lhs, XlaOp rhs) {
  const int64_t rank = lhs.shape().rank();
  builder::DotDimensionNumbers numbers;
  for (int64_t d = 0; d < rank - 2; ++d) {
    numbers.lhs_batch_dimensions.push_back(d);
    numbers.rhs_batch_dimensions.push_back(d);
  }
  numbers.add_lhs_contracting_dimensions(rank - 1);
  numbers.add_rhs_contracting_dimensions(rank - 2);
  return builder::DotGeneral(lhs, rhs, numbers);
}

int64_t rows_of_blocks(ElementType type, int64_t room) {
  // The reference solves exactly, which takes the rows to the third.
  constexpr int64_t kMostRows = 16;
  const int64_t bytes = int64_t{2} * storage_bytes(wide_type(type));
  int64_t rows = kMostRows;
  while (rows > 1 && rows * rows * bytes > room) rows /= 2;
  return rows;
}

}  // namespace hlo::tpu
