#include "interpreter/plans/elementwise/elementwise.h"

#include <algorithm>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/lane_source.h"
#include "backends/tpu/operations/operations.h"
#include "interpreter/definition/numbers/element_conversion.h"

namespace hlo::tpu {
namespace {

/// The operation's rule on one lane after the other, where no loop takes the
/// types.
void apply_to_lanes(const Instruction& instruction,
                    const std::vector<Register>& operands,
                    const std::vector<LaneSource>& sources, Register& result) {
  std::vector<Scalar> scalars(operands.size());
  for (int64_t k = 0; k < kLanes; ++k) {
    if (!result.valid()[static_cast<size_t>(k)]) continue;
    for (size_t i = 0; i < operands.size(); ++i) {
      const ElementType type = operands[i].type();
      const int64_t lane = sources[i].is_splat() ? 0 : k;
      scalars[i] = {type, hlo::load(type, operands[i].lane(lane))};
    }
    // A chosen element may be of another type than the result.
    const Scalar element = definition::convert(
        instruction.op->element(instruction, scalars), result.type());
    hlo::store(result.type(), element.bits, result.lane(k));
  }
}

/// Runs the operation's loop over the valid lanes of registers.
class VectorOperation {
 public:
  VectorOperation(const Machine& machine, const Instruction& instruction)
      : instruction_(instruction),
        kernel_(kernel_of(instruction)),
        left_out_(machine.has(Fault::kVectorMaskTooShort) ? 1 : 0) {}

  void apply(const std::vector<Register>& operands,
             const std::vector<LaneSource>& sources, Register& result) const {
    if (kernel_ == nullptr) {
      apply_to_lanes(instruction_, operands, sources, result);
      return;
    }
    const std::bitset<kLanes>& valid = result.valid();
    for (int64_t k = 0; k < kLanes; ++k) {
      if (!valid[static_cast<size_t>(k)]) continue;
      const int64_t first = k;
      while (k + 1 < kLanes && valid[static_cast<size_t>(k) + 1]) ++k;
      apply_to_run(operands, sources, result, first, k + 1 - first - left_out_);
    }
  }

 private:
  /// Lanes of padding may hold anything, whose function may take long.
  void apply_to_run(const std::vector<Register>& operands,
                    const std::vector<LaneSource>& sources, Register& result,
                    int64_t first, int64_t count) const {
    constexpr size_t kMost = 8;
    const std::byte* lanes[kMost] = {};
    bool is_splat[kMost] = {};
    for (size_t i = 0; i < operands.size(); ++i) {
      is_splat[i] = sources[i].is_splat();
      lanes[i] = operands[i].lane(is_splat[i] ? 0 : first);
    }
    kernel_({&instruction_, lanes, is_splat, result.lane(first), count});
  }

  const Instruction& instruction_;
  Kernel kernel_;
  int64_t left_out_;  // of the lanes of each run
};

/// A lane is valid where those of all operands are.
void set_valid(const std::vector<Register>& operands,
               const std::vector<LaneSource>& sources, Register& result) {
  result.valid().set();
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!sources[i].is_splat()) result.valid() &= operands[i].valid();
  }
}

/// How many registers are computed.
int64_t registers_of(const Machine& machine, const TiledArray& result) {
  const int64_t registers = result.registers();
  if (machine.has(Fault::kRegisterBeyond)) return registers + 1;
  if (machine.has(Fault::kLastRegisterLeftOut)) {
    return result.order->lanes() / kLanes;
  }
  return registers;
}

}  // namespace

TiledArray elementwise(Machine& machine, const Instruction& instruction,
                       const Values& operands, const Shape& shape) {
  TiledArray result = new_array(machine.memory, shape);
  std::vector<LaneSource> sources;
  for (const Value* operand : operands) {
    sources.emplace_back(machine, operand->array, result);
  }
  const VectorOperation operation(machine, instruction);
  const int64_t registers = registers_of(machine, result);
  for (int64_t r = 0; r < registers; ++r) {
    std::vector<Register> arguments;
    for (const LaneSource& source : sources) arguments.push_back(source.at(r));
    Register lanes(machine.scratch, shape.element_type);
    set_valid(arguments, sources, lanes);
    operation.apply(arguments, sources, lanes);
    machine.counters.vector_operations += 1;
    store_register(machine, lanes, result, r);
  }
  return result;
}

}  // namespace hlo::tpu
