#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"

namespace hlo::tpu {

/// How many registers side by side hold as many columns.
inline int64_t parts_of_columns(int64_t columns) {
  return (columns + kLanesOfSublane - 1) / kLanesOfSublane;
}

/// A block of numbers in registers, at most as many rows and columns as the
/// matrix unit has: of eight rows, a sublane each, a register holds 128
/// columns, one part of each row. What has no number is not valid.
class Block {
 public:
  /// No rows, of that many parts each.
  explicit Block(int64_t parts = 1) : parts_(parts) {}

  Block(Scratch& scratch, ElementType type, int64_t rows, int64_t parts);

  /// Appends a part of eight rows, part by part.
  void add(Register rows) { registers_.push_back(std::move(rows)); }

  int64_t parts() const { return parts_; }

  std::vector<Register>& registers() { return registers_; }

  const std::vector<Register>& registers() const { return registers_; }

  /// The register with that part of row m.
  Register& holding(int64_t m, int64_t part) {
    return registers_[static_cast<size_t>(m / kSublanes * parts_ + part)];
  }

  const Register& holding(int64_t m, int64_t part) const {
    return registers_[static_cast<size_t>(m / kSublanes * parts_ + part)];
  }

  template <typename T>
  T* row(int64_t m, int64_t part = 0) {
    return reinterpret_cast<T*>(holding(m, part).lane(first_lane(m)));
  }

  template <typename T>
  const T* row(int64_t m, int64_t part = 0) const {
    return reinterpret_cast<const T*>(holding(m, part).lane(first_lane(m)));
  }

  template <typename T>
  T at(int64_t m, int64_t column) const {
    return row<T>(m, column / kLanesOfSublane)[column % kLanesOfSublane];
  }

  bool is_valid(int64_t m, int64_t column) const {
    return holding(m, column / kLanesOfSublane)
        .valid()[static_cast<size_t>(first_lane(m) + column % kLanesOfSublane)];
  }

 private:
  static int64_t first_lane(int64_t m) {
    return m % kSublanes * kLanesOfSublane;
  }

  int64_t parts_;
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
  Accumulators(Scratch& scratch, Sums sums, int64_t rows, int64_t parts);

  Sums sums() const { return sums_; }

  Block& sum() { return parts_.front(); }

  Block& lost() { return parts_.back(); }

  /// Ends the sums: adds what they lost, where that is known.
  void settle();

 private:
  Sums sums_;
  std::vector<Block> parts_;
};

/// A systolic array of N by N cells, as the generation has it. A block of
/// weights, depth by columns, is loaded and stays; then rows of blocks stream
/// through. The sum of a row and a column so far enters at the top of the
/// column and meets the cells one after the other, so that terms are added with
/// the depth ascending, within a pass and from pass to pass:
///   sum = (...((sum + x[0] w[0]) + x[1] w[1]) + ...) + x[N-1] w[N-1].
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
  /// Adds products by add(x, w, sum, lost...), where parts of the sums are.
  template <typename T, typename Add, typename... Parts>
  void multiply(const Block& lhs, int64_t rows, const Add& add,
                Parts&... parts) const;
  template <typename T>
  void stream(const Block& lhs, int64_t rows, Accumulators& accumulators);
  bool is_exact_in_f32(const Block& lhs, int64_t rows) const;

  Machine& machine_;
  int64_t size_;
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
