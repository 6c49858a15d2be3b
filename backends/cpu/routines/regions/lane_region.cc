#include "backends/cpu/routines/regions/lane_region.h"

#include <cstring>
#include <unordered_map>

#include "backends/cpu/kernels/lanes/run_ops.h"
#include "backends/cpu/routines/regions/lane_code.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

constexpr size_t kMostOperations = 256;
constexpr size_t kVector = 16;  // of the widest vectors

/// What a region cannot be made of.
struct NoLanes {};

bool is_alias(std::string_view name) {
  return name == "copy" || name == "reshape" || name == "broadcast" ||
         name == "transpose";
}

class RegionWriter {
 public:
  LaneRegion written(const Computation& region) {
    if (region.instructions.size() > kMostOperations) throw NoLanes();
    region_.parameters = region.parameters.size();
    region_.registers = region.parameters.size();
    for (const auto& instruction : region.instructions) {
      if (instruction->shape.is_tuple()) {
        write_results(*instruction, *region.root);
      } else {
        registers_[instruction.get()] = register_of(*instruction);
      }
    }
    if (!region.root->shape.is_tuple()) {
      region_.results = {registers_.at(region.root)};
    }
    return std::move(region_);
  }

 private:
  void write_results(const Instruction& tuple, const Instruction& root) {
    if (&tuple != &root || tuple.op->name != "tuple") throw NoLanes();
    for (const Instruction* operand : tuple.operands) {
      region_.results.push_back(registers_.at(operand));
    }
  }

  uint16_t fresh() { return static_cast<uint16_t>(region_.registers++); }

  uint16_t register_of(const Instruction& instruction) {
    const Shape& shape = instruction.shape;
    if (lane_width(shape.element_type) == 0 || shape.rank() != 0) {
      throw NoLanes();
    }
    if (instruction.parameter_number >= 0) {
      return static_cast<uint16_t>(instruction.parameter_number);
    }
    if (instruction.op->name == "constant") return constant(instruction);
    if (instruction.operands.empty()) throw NoLanes();
    const Instruction* first = instruction.operands[0];
    if (is_alias(instruction.op->name) &&
        first->shape.element_type == shape.element_type) {
      return registers_.at(first);
    }
    return operation(instruction);
  }

  uint16_t constant(const Instruction& instruction) {
    if (instruction.literal == nullptr) throw NoLanes();
    const auto bytes = instruction.literal->bytes();
    uint32_t word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    region_.constants.emplace_back(fresh(), word);
    return region_.constants.back().first;
  }

  uint16_t operation(const Instruction& instruction) {
    if (instruction.operands.size() > 3) throw NoLanes();
    std::vector<ElementType> types;
    LaneOp op;
    for (size_t k = 0; k < instruction.operands.size(); ++k) {
      types.push_back(instruction.operand_shape(k).element_type);
      op.operands[k] = registers_.at(instruction.operands[k]);
    }
    const auto code = lane_code(instruction, types);
    if (!code || code->before) throw NoLanes();
    op.code = code->code;
    if (code->exchanged) std::swap(op.operands[0], op.operands[1]);
    op.out = fresh();
    region_.ops.push_back(op);
    return op.out;
  }

  LaneRegion region_;
  std::unordered_map<const Instruction*, uint16_t> registers_;
};

}  // namespace

size_t lane_width(ElementType type) {
  if (type == ElementType::kPred) return 1;
  return type == ElementType::kF32 || type == ElementType::kS32 ? 4 : 0;
}

std::optional<LaneRegion> lane_region(const Computation& region) {
  try {
    return RegionWriter().written(region);
  } catch (const NoLanes&) {
    return std::nullopt;
  }
}

LaneRun::LaneRun(const LaneRegion& region, size_t lanes)
    : region_(region),
      lanes_((lanes + kVector - 1) / kVector * kVector),
      memory_(aligned_bytes(region.registers * lanes_ * sizeof(uint32_t))) {
  std::memset(memory_.get(), 0, region.registers * lanes_ * sizeof(uint32_t));
  for (size_t r = 0; r < region.registers; ++r) {
    registers_.push_back({memory_.get() + r * lanes_ * sizeof(uint32_t)});
    places_.push_back(reinterpret_cast<uint32_t*>(registers_.back().first));
  }
  for (const auto& [own, word] : region.constants) {
    std::fill_n(places_[own], lanes_, word);
  }
}

void LaneRun::run(size_t n) const {
  run_ops(region_.ops, registers_.data(), n);
}

}  // namespace hlo::cpu
