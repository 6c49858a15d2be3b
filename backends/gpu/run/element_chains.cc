#include "backends/gpu/run/element_chains.h"

#include <algorithm>
#include <utility>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/folds/generated_reduce.h"
#include "backends/gpu/program/kernel_codes.h"
#include "backends/gpu/program/map_launch.h"
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

bool is_fold(const Instruction& instruction) {
  return instruction.op->name == "reduce" &&
         !instruction.shape.has_dynamic_dimensions();
}

/// Whether the instruction is no initial value of the fold, but an input.
bool is_input(const Instruction& fold, const Instruction& instruction) {
  const auto inits = fold.operands.begin() + std::ssize(fold.operands) / 2;
  return std::find(inits, fold.operands.end(), &instruction) ==
         fold.operands.end();
}

/// The instructions that read each one, once for each operand.
ElementChains::Readers readers_in(const Computation& computation) {
  ElementChains::Readers all;
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

ElementChains::ElementChains(const Computation& computation, bool with_folds)
    : with_folds_(with_folds) {
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
    const bool all_take =
        std::ranges::all_of(read->second, [&](const Instruction* reader) {
          return takes_elements(*reader, own);
        });
    if (!all_take) continue;
    inner_[&own] = registers;
    if (is_fold(*read->second.front())) feeds_fold_.insert(&own);
  }
  find_ends(computation, readers);
}

bool ElementChains::takes_elements(const Instruction& reader,
                                   const Instruction& own) const {
  if (is_link(reader)) return reader.shape.dims == own.shape.dims;
  return with_folds_ && is_fold(reader) && is_input(reader, own);
}

void ElementChains::find_ends(const Computation& computation,
                              const Readers& readers) {
  for (size_t at = computation.instructions.size(); at-- > 0;) {
    const Instruction& own = *computation.instructions[at];
    if (!is_inner(own)) continue;
    int64_t end = 0;
    for (const Instruction* reader : readers.at(&own)) {
      end = std::max(end, end_of(*reader));
    }
    ends_[&own] = end;
  }
}

int64_t ElementChains::end_of(const Instruction& instruction) const {
  const auto found = ends_.find(&instruction);
  return found == ends_.end() ? instruction.position : found->second;
}

bool ElementChains::takes_memory(const Instruction& instruction) const {
  return !is_inner(instruction) || feeds_fold_.contains(&instruction);
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

void ElementChains::forget(const Instruction& last) {
  std::erase_if(kept_, [&](const auto& own) {
    return end_of(*own.first) <= last.position;
  });
}

void ElementChains::collect(const Instruction& instruction, const Value& value,
                            std::vector<View>& inputs) const {
  if (!is_inner(instruction)) {
    inputs.push_back(view_of(value));
    return;
  }
  const std::vector<Value>& operands = kept_.at(&instruction);
  if (is_broadcast(instruction)) {
    inputs.push_back(view_of_broadcast(instruction, operands[0]));
    return;
  }
  for (size_t k = 0; k < operands.size(); ++k) {
    collect(*instruction.operands[k], operands[k], inputs);
  }
}

int64_t ElementChains::write(const Instruction& instruction, TapeWriter& writer,
                             int64_t& next_input) const {
  if (!is_inner(instruction)) return next_input++;
  if (is_broadcast(instruction)) {
    return writer.convert(next_input++,
                          instruction.operand_shape(0).element_type,
                          instruction.shape.element_type);
  }
  return writer.add(instruction,
                    write_operands(instruction, instruction.operands.size(),
                                   writer, next_input));
}

std::vector<int64_t> ElementChains::write_operands(
    const Instruction& instruction, size_t count, TapeWriter& writer,
    int64_t& next_input) const {
  std::vector<int64_t> registers;
  for (size_t k = 0; k < count; ++k) {
    registers.push_back(write(*instruction.operands[k], writer, next_input));
  }
  return registers;
}

Value ElementChains::value(Memory& memory, const Instruction& instruction,
                           const Values& operands) {
  Value result = is_fold(instruction) ? folded(memory, instruction, operands)
                                      : computed(memory, instruction, operands);
  forget(instruction);
  return result;
}

/// The value of an instruction that runs element by element.
Value ElementChains::computed(Memory& memory, const Instruction& instruction,
                              const Values& operands) const {
  Map map;
  map.sizes = instruction.shape.dims;
  for (size_t k = 0; k < operands.size(); ++k) {
    collect(*instruction.operands[k], *operands[k], map.inputs);
  }
  TapeWriter writer(std::ssize(map.inputs));
  int64_t next_input = 0;
  const int64_t reg = writer.add(
      instruction,
      write_operands(instruction, operands.size(), writer, next_input));
  map.tape = writer.tape();
  Value result = new_array(memory, instruction.shape);
  map.results.push_back({view_of(result), reg});
  launch(memory, std::move(map));
  return result;
}

Value ElementChains::folded(Memory& memory, const Instruction& fold,
                            const Values& operands) const {
  const size_t count = operands.size() / 2;
  Terms terms;
  for (size_t k = 0; k < count; ++k) {
    collect(*fold.operands[k], *operands[k], terms.inputs);
  }
  TapeWriter writer(std::ssize(terms.inputs));
  int64_t next_input = 0;
  terms.registers = write_operands(fold, count, writer, next_input);
  terms.tape = writer.tape();
  if (memory.is_fast()) terms.tape.take_fast_functions();
  const Values inits(operands.begin() + std::ssize(operands) / 2,
                     operands.end());
  if (auto result = generated_reduce(memory, fold, terms, inits)) {
    return *result;
  }
  return folded_apart(memory, fold, operands);
}

/// The value of a fold behind those of its inputs.
Value ElementChains::folded_apart(Memory& memory, const Instruction& fold,
                                  const Values& operands) const {
  std::vector<Value> made(operands.size());
  Values own = operands;
  for (size_t k = 0; k < operands.size() / 2; ++k) {
    const Instruction& input = *fold.operands[k];
    if (!is_inner(input)) continue;
    made[k] = made_of(memory, input);
    own[k] = &made[k];
  }
  return fold_functions().at(fold.op->name)(memory, fold, own);
}

/// The value of an inner instruction, of what was kept.
Value ElementChains::made_of(Memory& memory, const Instruction& inner) const {
  Values operands;
  for (const Value& value : kept_.at(&inner)) operands.push_back(&value);
  if (!is_broadcast(inner)) return computed(memory, inner, operands);
  Value result = new_array(memory, inner.shape);
  TapeWriter writer(1);
  const int64_t reg = writer.convert(0, operands[0]->shape.element_type,
                                     inner.shape.element_type);
  launch(memory, {inner.shape.dims,
                  {view_of_broadcast(inner, *operands[0])},
                  {{view_of(result), reg}},
                  writer.tape()});
  return result;
}

}  // namespace hlo::gpu
