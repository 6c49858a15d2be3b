#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "backends/gpu/program/map_launch.h"
#include "backends/gpu/program/tape.h"
#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// Element-wise instructions of a computation that one launch runs together: an
/// *inner* one, which nobody but an instruction of the same sizes reads, waits
/// for that one, and broadcasts wait for all that read them. What they give is
/// what they would give one by one.
class ElementChains {
 public:
  ElementChains() = default;
  explicit ElementChains(const Computation& computation);

  /// Whether the instruction waits for its reader.
  bool is_inner(const Instruction& instruction) const;
  /// Whether it has inner operands.
  bool has_inner_operands(const Instruction& instruction) const;
  /// Keeps what an inner instruction reads.
  void keep(const Instruction& inner, const Values& operands);
  /// The value of an instruction with inner operands. Throws Unsupported.
  Value value(Memory& memory, const Instruction& instruction,
              const Values& operands);

 private:
  void collect(const Instruction& instruction, const Values& operands,
               Map& map) const;
  int64_t write(const Instruction& instruction, TapeWriter& writer,
                int64_t& next_input) const;

  /// The registers that a launch of it takes, of each that is inner.
  std::unordered_map<const Instruction*, int64_t> inner_;
  std::unordered_map<const Instruction*, std::vector<Value>> kept_;
};

}  // namespace hlo::gpu
