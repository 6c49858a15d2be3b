#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interpreter/plans/contraction/contraction.h"

namespace hlo {

/// Reads the rows or the columns of one operand of a contraction as vectors of
/// numbers: doubles for float types, real and imaginary parts one after the
/// other for complex ones, storage bits (of any upper bits) for integers.
/// Elements that do not exist are zeros.
class VectorReader {
 public:
  VectorReader(const Literal& literal, const Runs& runs);

  /// Numbers in one vector: the depth, and twice as much for complex types.
  int64_t length() const { return runs_->count * runs_->length * parts_; }

  void read(int64_t g, int64_t index, double* vector);
  void read(int64_t g, int64_t index, uint32_t* vector);
  void read(int64_t g, int64_t index, uint64_t* vector);

  /// The vector as floats, for formats that float holds (all but f64): in the
  /// operand itself where it lies there so, else in `buffer`.
  const float* floats(int64_t g, int64_t index, std::vector<float>& buffer);

  /// Reads `count` vectors from `index` on interleaved, number k of vector v
  /// to tile[k * lanes + v], where they lie side by side in the operand; else
  /// returns false. Not for narrow formats and complex types.
  bool read_tile(int64_t g, int64_t index, int64_t count, int64_t lanes,
                 double* tile);

 private:
  template <typename S, typename T>
  void gather(T* vector) const;
  template <typename S>
  void spread(int64_t count, int64_t lanes, double* tile) const;
  template <typename T>
  void read_codes(int64_t g, int64_t index, T* vector);
  void decode_narrow(double* vector);
  bool adjacent(int64_t g, int64_t index, int64_t count);

  const std::byte* data_;
  const Runs* runs_;
  ElementType component_;
  int64_t parts_;
  std::vector<int64_t> starts_;
  std::vector<int64_t> other_starts_;
  std::vector<std::byte> codes_;
  std::vector<double> numbers_;
};

}  // namespace hlo
