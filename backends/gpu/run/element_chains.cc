#include "backends/gpu/run/element_chains.h"

#include <algorithm>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/program/kernel_codes.h"
#include "interpreter/rules/op.h"

namespace hlo::gpu {
namespace {

/// Registers that a launch may have; a reader has some of its own.
constexpr int64_t kMostRegisters = kRegisters - 8;

/// Registers that the instruction takes beside those of its operands, at most:
/// its result's, and where there are several types those of conversions.
int64_t own_registers(const Instruction& instruction) {
  int64_t count = 1;
  for (const Instruction* operand : instruction.operands) {
    const ElementType type = operand->shape.element_type;
    if (type != instruction.shape.element_type) {
      count = std::ssize(instruction.operands) + 2;
    }
  }
  return count;
}

bool is_broadcast(const Instruction& instruction) {
  return instruction.op->name == "broadcast" && instruction.shape.is_array() &&
         !instruction.shape.has_dynamic_dimensions();
}

/// Whether the instruction runs element by element on operands of its sizes.
bool is_link(const Instruction& instruction) {
  if (!runs_by_elements(instruction) || !instruction.shape.is_array() ||
      instruction.shape.has_dynamic_dimensions()) {
    return false;
  }
  return std::ranges::all_of(instruction.operands, [&](const Instruction* own) {
    return own->shape.is_array() && own->shape.dims == instruction.shape.dims;
  });
}

/// The instructions that read each one, once for each operand.
std::unordered_map<const Instruction*, std::vector<const Instruction*>>
readers_in(const Computation& computation) {
  std::unordered_map<const Instruction*, std::vector<const Instruction*>> all;
  for (const auto& instruction : computation.instructions) {
    for (const Instruction* operand : instruction->operands) {
      all[operand].push_back(instruction.get());
    }
  }
  return all;
}

/// Where the operand's elements lie for each index of the broadcast.
View view_of_broadcast(const Instruction& broadcast, const Value& operand) {
  const Ints own = row_major_strides(operand.shape.dims);
  const Ints dimensions = broadcast.get_or("dimensions", Ints{});
  Ints strides(broadcast.shape.dims.size(), 0);
  for (size_t k = 0; k < dimensions.size(); ++k) {
    strides[static_cast<size_t>(dimensions[k])] = own[k];
  }
  return view_of(operand, strides);
}

}  // namespace

ElementChains::ElementChains(const Computation& computation) {
  const auto readers = readers_in(computation);
  for (const auto& instruction : computation.instructions) {
    const Instruction& own = *instruction;
    int64_t registers = own_registers(own);
    for (const Instruction* operand : own.operands) {
      const auto found = inner_.find(operand);
      if (found != inner_.end() && registers + found->second > kMostRegisters) {
        inner_.erase(found);
      }
      registers += inner_.contains(operand) ? inner_.at(operand) : 1;
    }
    const auto read = readers.find(&own);
    const bool spreads = is_broadcast(own);
    if (&own == computation.root || read == readers.end() ||
        own.parameter_number >= 0 || !(spreads || is_link(own)) ||
        (!spreads && read->second.size() > 1)) {
      continue;
    }
    const bool all_links =
        std::ranges::all_of(read->second, [&](const Instruction* reader) {
          return is_link(*reader) && reader->shape.dims == own.shape.dims;
        });
    if (all_links) inner_[&own] = registers;
  }
}

bool ElementChains::is_inner(const Instruction& instruction) const {
  return inner_.contains(&instruction);
}

bool ElementChains::has_inner_operands(const Instruction& instruction) const {
  return std::ranges::any_of(
      instruction.operands,
      [this](const Instruction* operand) { return is_inner(*operand); });
}

void ElementChains::keep(const Instruction& inner, const Values& operands) {
  std::vector<Value>& kept = kept_[&inner];
  kept.clear();
  for (const Value* operand : operands) kept.push_back(*operand);
}

void ElementChains::collect(const Instruction& instruction,
                            const Values& operands, Map& map) const {
  if (is_broadcast(instruction)) {
    map.inputs.push_back(view_of_broadcast(instruction, *operands[0]));
    return;
  }
  for (size_t k = 0; k < operands.size(); ++k) {
    const Instruction& operand = *instruction.operands[k];
    if (!is_inner(operand)) {
      map.inputs.push_back(view_of(*operands[k]));
      continue;
    }
    Values own;
    for (const Value& value : kept_.at(&operand)) own.push_back(&value);
    collect(operand, own, map);
  }
}

int64_t ElementChains::write(const Instruction& instruction, TapeWriter& writer,
                             int64_t& next_input) const {
  if (is_broadcast(instruction)) {
    return writer.convert(next_input++,
                          instruction.operand_shape(0).element_type,
                          instruction.shape.element_type);
  }
  std::vector<int64_t> registers;
  for (const Instruction* operand : instruction.operands) {
    registers.push_back(is_inner(*operand) ? write(*operand, writer, next_input)
                                           : next_input++);
  }
  return writer.add(instruction, registers);
}

Value ElementChains::value(Memory& memory, const Instruction& instruction,
                           const Values& operands) {
  Map map;
  map.sizes = instruction.shape.dims;
  collect(instruction, operands, map);
  TapeWriter writer(std::ssize(map.inputs));
  int64_t next_input = 0;
  const int64_t reg = write(instruction, writer, next_input);
  map.tape = writer.tape();
  Value result = new_array(memory, instruction.shape);
  map.results.push_back({view_of(result), reg});
  launch(memory, std::move(map));
  return result;
}

}  // namespace hlo::gpu
