#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// One axis of a block of elements that move together: how many there are and
/// how far apart they lie, in elements of the operand and of the result.
struct Axis {
  int64_t extent = 0;
  int64_t source_stride = 0;
  int64_t result_stride = 0;
};

/// A box of elements of one operand and its place in the result: element
/// (i_0, .., i_k) goes from source_offset + sum(i_a * source_stride_a) to
/// result_offset + sum(i_a * result_stride_a), both row-major positions.
struct Block {
  int64_t operand = 0;
  int64_t source_offset = 0;
  int64_t result_offset = 0;
  std::vector<Axis> axes;
};

/// Offsets at which a block's axes are used again: gather's slices.
struct BlockOffsets {
  int64_t source_offset = 0;
  int64_t result_offset = 0;
};

/// Where each element of the result comes from. First the whole result is
/// filled (with zeros, a scalar operand, or a whole operand of the result's
/// shape), then the blocks are laid over it in order.
struct Movement {
  static constexpr int64_t kZeros = -1;

  /// Operand that fills the result: a scalar is repeated, an array copied;
  /// kZeros where the blocks cover the result or zeros are meant. Blocks read
  /// other operands, and overlap only where they do not cover the result.
  int64_t fill_operand = kZeros;
  std::vector<Block> blocks = {};
  /// Not empty: blocks has one block, laid at each of these offsets instead of
  /// its own.
  std::vector<BlockOffsets> repeats = {};
};

/// The result of the movement: an array of `shape` from `operands`. Operands of
/// another float type are rounded to that of `shape` first.
Literal apply(const Movement& movement, const Shape& shape, Operands operands,
              int threads = 1);
/// The moved array from operands that are not needed afterwards: where the
/// result is an operand with blocks laid over it, that operand's storage is
/// used again.
Literal apply_consuming(const Movement& movement, const Shape& shape,
                        std::span<Literal> operands, int threads = 1);

/// The axes of an array of `dims`, row-major, whose element along dimension d
/// moves by source_strides[d] and result_strides[d].
std::vector<Axis> make_axes(const std::vector<int64_t>& dims,
                            const std::vector<int64_t>& source_strides,
                            const std::vector<int64_t>& result_strides);

/// A result of `dims` whose element at index i is the one of operand 0 at
/// offset plus the sum of i[d] times source_strides[d].
Movement move_strided(const std::vector<int64_t>& dims, int64_t offset,
                      const std::vector<int64_t>& source_strides);

/// The whole of operand `operand`, in row-major order: reshape, copy.
Movement move_whole(int64_t operand, int64_t element_count);

}  // namespace hlo
