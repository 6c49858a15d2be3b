#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpreter/contraction.h"

namespace hlo {

/// Reads the rows or the columns of one operand of a contraction as vectors of
/// numbers: doubles for float types, real and imaginary parts one after the
/// other for complex ones, storage bits (of any upper bits) for integers.
/// Elements that do not exist are zeros.
class VectorReader {
 public:
  VectorReader(const Literal& literal, const Contraction::Positions& positions,
               int64_t depth);

  /// Numbers in one vector: the depth, and twice as much for complex types.
  int64_t length() const { return depth_ * parts_; }

  void read(int64_t g, int64_t index, double* vector);
  void read(int64_t g, int64_t index, uint32_t* vector);
  void read(int64_t g, int64_t index, uint64_t* vector);

 private:
  void locate(int64_t g, int64_t index);
  void decode_narrow(double* vector);

  const std::byte* data_;
  const Contraction::Positions* locate_;
  ElementType component_;
  int64_t depth_;
  int64_t parts_;
  std::vector<int64_t> positions_;
  std::vector<std::byte> codes_;
};

/// The sum of the squares of `length` numbers that lie `stride` apart.
double sum_of_squares(const double* numbers, int64_t length, int64_t stride);

}  // namespace hlo
