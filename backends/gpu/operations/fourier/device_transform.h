#pragma once

#include <cstdint>

#include "backends/gpu/kernels/fourier/transform_words.inc"
#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// A Fourier transform on the device: what it is, and the parts of its result
/// that are not decided yet.
struct Transform {
  Memory& memory;
  const Instruction& fft;
  const Value& operand;
  const Ints& lengths;
  bool is_inverse;
  int64_t order = 4;   // of roots: a multiple of 4 and of all lengths
  int64_t points = 1;  // the product of the lengths
  int64_t outer;       // how many transforms
  Value result;
  Value undecided;  // u8 for each element (TRANSFORM_OPEN)

  /// Throws Unsupported where there are more than 2^20 points.
  Transform(Memory& memory, const Instruction& fft, const Value& operand);

  int64_t sums() const { return outer * points; }

  /// The parameters of its kernels, but for what only some of them read.
  Ints words() const;
  /// The elements that are not decided.
  Ints open_elements() const;
};

/// Sets a word of those parameters.
inline void set_word(Ints& words, int place, int64_t word) {
  words[static_cast<size_t>(place)] = word;
}

/// An array of that many bytes, for numbers that are no elements.
Value new_bytes(Memory& memory, int64_t count);

/// Runs the steps of the splitting along all dimensions; behind them `from` has
/// the sums, `to` nothing. `tail` is what the kernel's parameters have behind
/// those of gpu_turn.
void run_steps(const Transform& transform, Kernel kernel, Value& from,
               Value& to, const Value& roots, const Ints& tail);

/// The prime factors of n, but 4 for two factors 2; the order of the steps.
Ints radices(int64_t n);

}  // namespace hlo::gpu
