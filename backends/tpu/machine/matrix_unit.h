#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"

namespace hlo::tpu {

/// The rows and the columns of the matrix unit.
inline constexpr int64_t kMatrixSize = kLanesOfSublane;

/// A block of at most 128 by 128 numbers in registers: register r holds rows
/// 8 r to 8 r + 7, a sublane each. What has no number is not valid.
class Block {
 public:
  Block() = default;
  Block(Scratch& scratch, ElementType type, int64_t rows);

  /// Appends eight rows.
  void add(Register rows) { registers_.push_back(std::move(rows)); }

  std::vector<Register>& registers() { return registers_; }

  const std::vector<Register>& registers() const { return registers_; }

  template <typename T>
  T* row(int64_t m) {
    return reinterpret_cast<T*>(of_row(m).lane(first_lane(m)));
  }

  template <typename T>
  const T* row(int64_t m) const {
    return reinterpret_cast<const T*>(of_row(m).lane(first_lane(m)));
  }

  bool is_valid(int64_t m, int64_t column) const {
    return of_row(m).valid()[static_cast<size_t>(first_lane(m) + column)];
  }

 private:
  static int64_t first_lane(int64_t m) {
    return m % kSublanes * kLanesOfSublane;
  }

  Register& of_row(int64_t m) {
    return registers_[static_cast<size_t>(m / kSublanes)];
  }

  const Register& of_row(int64_t m) const {
    return registers_[static_cast<size_t>(m / kSublanes)];
  }

  std::vector<Register> registers_;
};

/// How sums of products are kept.
enum class Sums : uint8_t {
  kF64,          // each product and each sum rounded to f64
  kCompensated,  // in f64, with a second one for what roundings lose
  kF32,          // products of numbers of 11 bits, exact, and f32 sums of them
  kIntegers,     // modulo 2^64
};

/// The type of the numbers that are multiplied, and of their sums.
ElementType number_type(Sums sums);
/// How many blocks, or registers, accumulators are made of: the sums, and what
/// they lost.
int64_t parts_of(Sums sums);

/// Accumulators, which stay in the scratch memory from pass to pass; they begin
/// as +0.
class Accumulators {
 public:
  Accumulators(Scratch& scratch, Sums sums, int64_t rows);

  Sums sums() const { return sums_; }

  Block& sum() { return parts_.front(); }

  Block& lost() { return parts_.back(); }

  /// Ends the sums: adds what they lost, where that is known.
  void settle();

 private:
  Sums sums_;
  std::vector<Block> parts_;
};

/// A systolic array of 128 by 128 cells. A block of weights, depth by columns,
/// is loaded and stays; then rows of blocks stream through. The sum of a row
/// and a column so far enters at the top of the column and meets the cells one
/// after the other, so that terms are added with the depth ascending, within a
/// pass and from pass to pass:
///   sum = (...((sum + x[0] w[0]) + x[1] w[1]) + ...) + x[127] w[127].
/// A number that is not valid in a row is no term.
class MatrixUnit {
 public:
  MatrixUnit(Machine& machine, Sums sums);

  /// With `finite` infinities and NaN are taken as zeros, in weights and rows.
  void load_weights(const Block& weights, int64_t depth, int64_t columns,
                    bool finite);
  /// Adds the products of the block's rows and the weights.
  void pass(const Block& lhs, int64_t rows, Accumulators& accumulators);

 private:
  template <typename T>
  void load(const Block& weights);
  template <typename T, typename Add>
  void multiply(const Block& lhs, int64_t rows, const Add& add) const;
  template <typename T>
  void stream(const Block& lhs, int64_t rows, Accumulators& accumulators);
  bool is_exact_in_f32(const Block& lhs, int64_t rows) const;

  Machine& machine_;
  Sums sums_;
  int64_t depth_ = 0;
  int64_t columns_ = 0;
  bool finite_ = false;
  bool is_tame_ = false;  // weights whose products f32 holds exactly
  /// The cells: a number each.
  std::vector<uint64_t> cells_;
};

/// What the vector unit does for all lanes of registers: adds lhs * rhs where
/// both are valid, as the matrix unit adds them. `lost` is there for
/// compensated sums.
void multiply_add(Machine& machine, Sums sums, const Register& lhs,
                  const Register& rhs, bool finite, Register& sum,
                  Register* lost);
/// Adds what compensated sums lost, where that is known.
void settle(Register& sum, const Register& lost);

}  // namespace hlo::tpu
