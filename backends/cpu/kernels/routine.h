#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace hlo::cpu {

/// Writes the leaves of a result from those of all operands; each is dense,
/// row-major memory of the instruction's shapes.
using RunRoutine =
    std::function<void(std::span<const std::byte* const> operands,
                       std::span<std::byte* const> results)>;

struct Routine {
  RunRoutine run;
  /// Whether the first result may lie where the first operand does.
  bool overwrites = false;
  /// Whether arrays of bf16 and f16 are handed to it, and written by it, as
  /// such of f32.
  bool in_f32 = false;
  /// The operand that it does not read, which may be null; -1: it reads all.
  int64_t unread = -1;
};

}  // namespace hlo::cpu
