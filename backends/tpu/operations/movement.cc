#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/machine/whole_array.h"
#include "backends/tpu/operations/affine_source.h"
#include "backends/tpu/operations/lane_source.h"
#include "backends/tpu/operations/operations.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 64;  // of all operands

/// The operands as Op::source reads them: the few scalars that say where
/// elements come from with their values, in the scratch memory.
std::vector<Literal> scalar_operands(Machine& machine,
                                     const Instruction& instruction,
                                     const Values& operands,
                                     std::vector<ScratchRoom>& rooms) {
  std::vector<Literal> literals(operands.size());
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!instruction.op->moving.says_where(k)) continue;
    WholeArray whole = read_whole(machine, operands[k]->array);
    literals[k] = std::move(whole.elements);
    if (whole.room) rooms.push_back(*std::move(whole.room));
  }
  return literals;
}

/// Where the lanes of a register come from, by operand.
struct Origins {
  std::map<int64_t, LaneElements> of_operand;
  std::bitset<kLanes> zeros;
};

LaneElements no_lanes() {
  LaneElements lanes;
  lanes.fill(TileOrder::kPadding);
  return lanes;
}

class Movement {
 public:
  Movement(Machine& machine, const Instruction& instruction,
           const Values& operands)
      : machine_(machine),
        instruction_(instruction),
        literals_(scalar_operands(machine, instruction, operands, rooms_)) {
    const int64_t kept = kKeptRegisters / std::ssize(operands);
    for (const Value* operand : operands) {
      gathers_.emplace_back(machine, operand->array, kept);
      dims_.push_back(&operand->shape.dims);
      types_.push_back(operand->shape.element_type);
    }
    if (instruction.op->moving.is_affine) {
      affine_.emplace(instruction, literals_);
    }
  }

  void fill(const TiledArray& result, int64_t r) {
    const Origins origins = origins_of(result, r);
    Register lanes(machine_.scratch, result.shape.element_type);
    for (const auto& [operand, elements] : origins.of_operand) {
      merge(static_cast<size_t>(operand), elements, lanes);
    }
    for (int64_t k = 0; k < kLanes; ++k) {
      if (!origins.zeros[static_cast<size_t>(k)]) continue;
      std::memset(lanes.lane(k), 0, static_cast<size_t>(lanes.width()));
      lanes.valid().set(static_cast<size_t>(k));
    }
    store_register(machine_, lanes, result, r);
  }

 private:
  Origins origins_of(const TiledArray& result, int64_t r) const {
    Origins origins;
    const TileOrder& order = *result.order;
    if (affine_) {
      origins.of_operand[0] = affine_->sources_of(elements_of(order, r));
      return origins;
    }
    for (int64_t k = 0; k < kLanes && r * kLanes + k < order.lanes(); ++k) {
      const int64_t element = order.element_of(r * kLanes + k);
      if (element == TileOrder::kPadding) continue;
      const Origin origin = instruction_.op->source(
          instruction_, literals_, delinearize(element, result.shape.dims));
      if (origin.operand == Origin::kZero) {
        origins.zeros.set(static_cast<size_t>(k));
        continue;
      }
      auto& lanes = origins.of_operand.try_emplace(origin.operand, no_lanes())
                        .first->second;
      lanes[static_cast<size_t>(k)] =
          linearize(origin.index, *dims_[static_cast<size_t>(origin.operand)]);
    }
    return origins;
  }

  /// Elements of another type are converted on the way.
  void merge(size_t operand, const LaneElements& elements, Register& into) {
    if (types_[operand] == into.type()) {
      gathers_[operand].gather(elements, into);
      return;
    }
    Register gathered(machine_.scratch, types_[operand]);
    std::memset(gathered.bytes(), 0,
                static_cast<size_t>(gathered.width() * kLanes));
    gathers_[operand].gather(elements, gathered);
    Register converted(machine_.scratch, into.type());
    convert_elements(gathered.type(), gathered.bytes(), kLanes, into.type(),
                     converted.bytes());
    machine_.counters.vector_operations += 1;
    for (int64_t k = 0; k < kLanes; ++k) {
      if (!gathered.valid()[static_cast<size_t>(k)]) continue;
      std::memcpy(into.lane(k), converted.lane(k),
                  static_cast<size_t>(into.width()));
      into.valid().set(static_cast<size_t>(k));
    }
  }

  Machine& machine_;
  const Instruction& instruction_;
  std::vector<ScratchRoom> rooms_;  // of the literals
  std::vector<Literal> literals_;
  std::vector<LaneGather> gathers_;
  std::vector<const std::vector<int64_t>*> dims_;
  std::vector<ElementType> types_;
  std::optional<AffineSource> affine_;
};

/// Each register as it is, whatever its lanes shall be.
TiledArray in_one_piece(Machine& machine, const TiledArray& from,
                        const TiledArray& result) {
  for (int64_t r = 0; r < result.registers(); ++r) {
    store_register(machine, load_register(machine, from, r), result, r);
  }
  return result;
}

}  // namespace

TiledArray movement(Machine& machine, const Instruction& instruction,
                    const Values& operands, const Shape& shape) {
  TiledArray result = new_array(machine.memory, shape);
  if (result.order->elements() == 0) return result;
  const TiledArray& first = operands[0]->array;
  if (machine.has(Fault::kMovedInOnePiece) && operands.size() == 1 &&
      first.registers() == result.registers() &&
      first.order->elements() == result.order->elements()) {
    return in_one_piece(machine, first, result);
  }
  Movement movement(machine, instruction, operands);
  for (int64_t r = 0; r < result.registers(); ++r) movement.fill(result, r);
  return result;
}

TiledArray relayout(Machine& machine, const TiledArray& array,
                    const Shape& shape) {
  TiledArray result = new_array(machine.memory, shape);
  result.sizes = array.sizes;
  machine.counters.relayouts += 1;
  LaneGather gather(machine, array, kKeptRegisters);
  for (int64_t r = 0; r < result.registers(); ++r) {
    Register lanes(machine.scratch, shape.element_type);
    gather.gather(elements_of(*result.order, r), lanes);
    store_register(machine, lanes, result, r);
  }
  return result;
}

}  // namespace hlo::tpu
