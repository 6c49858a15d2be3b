#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/windows.h"
#include "interpreter/model/module.h"

namespace hlo::cpu {

/// The left side of the product of matrices that a convolution is: a row for
/// each batch and place of the result, with the elements that the taps of the
/// window meet there, those of a group's features one after the other; 0 where
/// a tap is outside of the input. And where the results go.
struct PatchRows {
  /// The convolution is a plain one (contraction_form.h).
  explicit PatchRows(const Instruction& convolution);

  /// The input with its features innermost, maybe in the memory of the copy.
  const std::byte* arranged(const std::byte* input, AlignedBytes& copy) const;
  /// Writes elements k ... k + depth - 1 of rows first ... first + count - 1,
  /// `step` elements apart. `from` is where the group's features of the first
  /// element of the arranged input lie.
  void read(const std::byte* from, int64_t first, int64_t count, int64_t k,
            int64_t depth, int64_t step, std::byte* to) const;

  int64_t rows() const { return input.dims[0] * windows.places(); }

  int64_t depth() const { return windows.taps() * inputs; }

  /// Whether products of matrices with so few columns are not worth while.
  bool has_narrow_groups() const { return groups > 1 && outputs < 8; }

  View input;  // as the operand has it
  Windows windows;
  int64_t width;       // bytes of an element
  int64_t batch_step;  // elements
  int64_t groups;
  int64_t inputs;   // features of a group
  int64_t outputs;  // features of a group of the result
  View result;      // of rows of results: as the instruction has it

 private:
  void read_row(const std::byte* batch, const int64_t* taps, int64_t k,
                int64_t count, std::byte* to) const;
};

}  // namespace hlo::cpu
