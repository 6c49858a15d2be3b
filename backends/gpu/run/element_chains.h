#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/gpu/program/map_views.h"
#include "backends/gpu/program/tape.h"
#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// Element-wise instructions of a computation that one launch runs together: an
/// *inner* one, which nobody but an instruction of the same sizes or a reduce
/// of them reads, waits for that one, and broadcasts wait for all that read
/// them. What they give is what they would give one by one.
class ElementChains {
 public:
  using Readers =
      std::unordered_map<const Instruction*, std::vector<const Instruction*>>;

  ElementChains() = default;
  /// `with_folds`: chains may end in a reduce.
  ElementChains(const Computation& computation, bool with_folds);

  /// Whether the instruction waits for its reader.
  bool is_inner(const Instruction& instruction) const;
  /// Whether it has inner operands.
  bool has_inner_operands(const Instruction& instruction) const;
  /// The position of the instruction with which it runs, or its last one.
  int64_t end_of(const Instruction& instruction) const;
  /// Whether its value may have memory of its own: one that feeds a fold has
  /// where both do not run in one launch.
  bool takes_memory(const Instruction& instruction) const;
  /// Keeps what an inner instruction reads, until its end.
  void keep(const Instruction& inner, const Values& operands);
  /// The value of an instruction with inner operands. Throws Unsupported.
  Value value(Memory& memory, const Instruction& instruction,
              const Values& operands);

 private:
  bool takes_elements(const Instruction& reader, const Instruction& own) const;
  void find_ends(const Computation& computation, const Readers& readers);
  void forget(const Instruction& last);
  void collect(const Instruction& instruction, const Value& value,
               std::vector<View>& inputs) const;
  int64_t write(const Instruction& instruction, TapeWriter& writer,
                int64_t& next_input) const;
  std::vector<int64_t> write_operands(const Instruction& instruction,
                                      size_t count, TapeWriter& writer,
                                      int64_t& next_input) const;
  Value computed(Memory& memory, const Instruction& instruction,
                 const Values& operands) const;
  Value folded(Memory& memory, const Instruction& fold,
               const Values& operands) const;
  Value folded_apart(Memory& memory, const Instruction& fold,
                     const Values& operands) const;
  Value made_of(Memory& memory, const Instruction& inner) const;

  bool with_folds_ = false;
  /// The registers that a launch of it takes, of each that is inner.
  std::unordered_map<const Instruction*, int64_t> inner_;
  std::unordered_map<const Instruction*, int64_t> ends_;
  std::unordered_set<const Instruction*> feeds_fold_;
  std::unordered_map<const Instruction*, std::vector<Value>> kept_;
};

}  // namespace hlo::gpu
