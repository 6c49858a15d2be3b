#include "backends/gpu/run/program_memory.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "backends/gpu/program/value.h"
#include "backends/gpu/run/element_chains.h"
#include "backends/gpu/run/staged_program.h"
#include "backends/run_in_order.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/op.h"

namespace hlo::gpu {
namespace {

/// Whether its computations run on arrays, one instruction after the other.
bool runs_computations(const Instruction& instruction) {
  const Form form = instruction.op->form;
  return form == Form::kCall || form == Form::kBranches || repeats(form);
}

/// Whether its value has memory that is no operand's.
bool has_own_memory(const Instruction& instruction) {
  switch (instruction.op->form) {
    case Form::kPlain:
    case Form::kConstant:
    case Form::kMap:
      return true;
    case Form::kMovement:
      return instruction.op->name != "reshape" &&
             instruction.op->name != "bitcast";
    default:
      return false;
  }
}

/// The most bytes that are taken at the same time, and by which instruction.
struct Peak {
  uint64_t bytes = 0;
  const Instruction* at = nullptr;

  void take(uint64_t other, const Instruction& instruction) {
    if (at != nullptr && other <= bytes) return;
    bytes = other;
    at = &instruction;
  }
};

class Peaks {
 public:
  explicit Peaks(const Memory& memory) : memory_(memory) {}

  Peak of(const Module& module) {
    const bool staged = needs_stages(module);
    uint64_t arguments = 0;
    for (const Instruction* parameter : module.entry->parameters) {
      arguments += bytes_of(parameter->shape);
    }
    for (const Computation* own : with_called({module.entry})) {
      peaks_[own] = staged ? of_steps(*own) : of_run(*own);
    }
    Peak peak = peaks_.at(module.entry);
    if (!staged) {
      peak.bytes += arguments;
      return peak;
    }
    for (const auto& [computation, other] : peaks_) {
      if (other.at != nullptr) peak.take(other.bytes, *other.at);
    }
    return peak;
  }

 private:
  uint64_t bytes_of(const Shape& shape) const;
  Peak of_run(const Computation& computation) const;
  Peak of_steps(const Computation& computation) const;

  const Memory& memory_;
  std::unordered_map<const Computation*, Peak> peaks_;
};

/// What the arrays of the shape take; each counts at most a little more than
/// all memory.
uint64_t Peaks::bytes_of(const Shape& shape) const {
  uint64_t bytes = 0;
  for (const Shape* leaf : leaves(shape)) {
    if (!leaf->is_array()) continue;
    const auto count = static_cast<uint64_t>(leaf->element_count());
    const auto width = static_cast<uint64_t>(storage_bytes(leaf->element_type));
    const uint64_t rounded =
        std::max((count * width + kAlignment - 1) / kAlignment, uint64_t{1}) *
        kAlignment;
    bytes += count > memory_.limit() / width ? memory_.limit() + 1 : rounded;
  }
  return bytes;
}

/// The peak of instructions that run one after the other, whose values stay
/// until they are read for the last time.
Peak Peaks::of_run(const Computation& computation) const {
  std::vector<int64_t> last = last_uses(computation);
  const ElementChains chains(computation,
                             memory_.kernels().may_generate(INT64_MAX));
  for (const auto& instruction : computation.instructions) {
    for (const Instruction* operand : instruction->operands) {
      int64_t& end = last[static_cast<size_t>(operand->position)];
      end = std::max(end, chains.end_of(*instruction));
    }
  }
  std::vector<uint64_t> ends(computation.instructions.size() + 1, 0);
  uint64_t live = 0;
  Peak peak;
  for (const auto& instruction : computation.instructions) {
    const auto at = static_cast<size_t>(instruction->position);
    uint64_t below = 0;
    if (has_own_memory(*instruction) && chains.takes_memory(*instruction)) {
      const uint64_t bytes = bytes_of(instruction->shape);
      const int64_t end = std::max(last[at], instruction->position);
      live += bytes;
      ends[std::min(static_cast<size_t>(end), ends.size() - 1)] += bytes;
    } else if (runs_computations(*instruction)) {
      for (const Computation* own : called_by(*instruction)) {
        below = std::max(below, peaks_.at(own).bytes);
      }
    }
    peak.take(live + below, *instruction);
    live -= ends[at];
  }
  return peak;
}

/// The peak of instructions between which values lie in the memory of the host.
Peak Peaks::of_steps(const Computation& computation) const {
  Peak peak;
  for (const auto& instruction : computation.instructions) {
    if (has_own_memory(*instruction)) {
      peak.take(bytes_of(instruction->shape), *instruction);
    }
  }
  return peak;
}

}  // namespace

void require_room(const Memory& memory, const Module& module) {
  const Peak peak = Peaks(memory).of(module);
  if (peak.bytes <= memory.limit()) return;
  throw Unsupported("does not run programs whose arrays, as at " +
                    peak.at->name + ", take " + memory.too_many(peak.bytes));
}

}  // namespace hlo::gpu
