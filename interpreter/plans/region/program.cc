#include "interpreter/plans/region/program.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

using Slots = std::vector<uint32_t>;

constexpr size_t kAlignment = 64;

/// Operations that give a scalar back as it is.
bool is_identity(const Instruction& instruction) {
  static constexpr std::string_view kNames[] = {
      "bitcast", "broadcast", "copy", "opt-barrier", "reshape", "transpose"};
  return std::ranges::count(kNames, instruction.op->name) > 0 &&
         compatible(instruction.operands[0]->shape, instruction.shape);
}

/// The region that a call or a fusion runs, or null.
const Computation* callee(const Instruction& instruction) {
  const auto attribute = [&](std::string_view name) -> const Computation* {
    const AttributeValue* value = instruction.find(name);
    if (value == nullptr) return nullptr;
    const auto* computation = std::get_if<Computation*>(value);
    return computation == nullptr ? nullptr : *computation;
  };
  if (instruction.op->name == "fusion") return attribute("calls");
  const bool calls =
      instruction.op->name == "call" || instruction.op->name == "map";
  return calls ? attribute("to_apply") : nullptr;
}

/// Condition and body of a loop, the branches of a conditional by their index
/// (true is 0), or nothing.
std::vector<const Computation*> controlled(const Instruction& instruction) {
  std::vector<const Computation*> found;
  const auto add = [&](std::string_view attribute) {
    found.push_back(instruction.get<Computation*>(attribute));
  };
  if (instruction.op->name == "while") {
    add("condition");
    add("body");
  } else if (instruction.op->name == "conditional") {
    if (instruction.find("branch_computations") != nullptr) {
      const auto& branches =
          instruction.get<Computations>("branch_computations");
      found.assign(branches.begin(), branches.end());
    } else {
      add("true_computation");
      add("false_computation");
    }
  }
  return found;
}

/// Which instructions the root depends on, by position.
std::vector<bool> reachable(const Computation& region) {
  std::vector<bool> used(region.instructions.size(), false);
  used[static_cast<size_t>(region.root->position)] = true;
  for (size_t i = used.size(); i-- > 0;) {
    if (!used[i]) continue;
    for (const Instruction* operand : region.instructions[i]->operands) {
      used[static_cast<size_t>(operand->position)] = true;
    }
  }
  return used;
}

size_t register_bytes(ElementType type, int64_t capacity) {
  const auto bytes = static_cast<size_t>(capacity * storage_bytes(type));
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

void copy_elements(std::byte* to, const std::byte* from, size_t width,
                   int64_t n) {
  if (n == 1 && width == 4) {
    std::memmove(to, from, 4);
  } else if (n == 1 && width == 8) {
    std::memmove(to, from, 8);
  } else if (n == 1 && width == 1) {
    *to = *from;
  } else {
    std::memmove(to, from, width * static_cast<size_t>(n));
  }
}

}  // namespace

/// How much code a region becomes, all regions that it runs included: calls
/// may double at each level.
struct Program::Budget {
  int depth = 64;
  int regions = 4096;
  int steps = 4096;
};

/// Translates regions, those that they call in place.
class Program::Compiler {
 public:
  Compiler(Program& program, Budget& budget, std::vector<int64_t> dims = {})
      : program_(program), budget_(budget), dims_(std::move(dims)) {}

  bool compile(const Computation& region) {
    std::vector<Slots> arguments;
    for (const Instruction* parameter : region.parameters) {
      if (!is_argument(parameter->shape)) return false;
      Slots slots;
      for (const Shape* leaf : leaves(parameter->shape)) {
        slots.push_back(static_cast<uint32_t>(program_.inputs_.size()));
        program_.inputs_.push_back(leaf->element_type);
      }
      arguments.push_back(std::move(slots));
    }
    if (!is_argument(region.root->shape)) return false;
    for (const Shape* leaf : leaves(region.root->shape)) {
      program_.outputs_.push_back(leaf->element_type);
    }
    if (!add_region(region, arguments, program_.results_)) return false;
    keep_returned_inputs();
    return true;
  }

 private:
  // What the program is given and returns: a value for each element.
  bool is_argument(const Shape& shape) const {
    if (shape.is_tuple()) {
      return std::ranges::all_of(shape.tuple_shapes, [&](const Shape& element) {
        return is_argument(element);
      });
    }
    return shape.is_array() && shape.dims == dims_ && shape.dynamic.empty();
  }

  bool is_value(const Shape& shape) const {
    if (!shape.is_tuple()) return shape.is_scalar() || is_argument(shape);
    return std::ranges::all_of(shape.tuple_shapes, [&](const Shape& element) {
      return is_value(element);
    });
  }

  // Whether each element of the result is the operand's in its place, or the
  // operand a scalar.
  static bool is_repeated(const Instruction& instruction) {
    const std::string_view name = instruction.op->name;
    if (name == "copy" || name == "opt-barrier") return true;
    return name == "broadcast" && instruction.operand_shape(0).is_scalar();
  }

  uint32_t add_register(ElementType type) {
    program_.registers_.push_back(type);
    return static_cast<uint32_t>(program_.inputs_.size() +
                                 program_.registers_.size() - 1);
  }

  // Outputs may be the inputs' own arrays: inputs that are returned are saved
  // before any output is written.
  void keep_returned_inputs() {
    for (uint32_t& slot : program_.results_) {
      if (slot >= program_.inputs_.size()) continue;
      const uint32_t copy = add_register(program_.inputs_[slot]);
      program_.copies_.emplace_back(slot, copy);
      slot = copy;
    }
  }

  bool add_region(const Computation& region,
                  const std::vector<Slots>& arguments, Slots& result) {
    if (--budget_.depth < 0 || --budget_.regions < 0) return false;
    const std::vector<bool> used = reachable(region);
    std::vector<Slots> values(used.size());
    for (size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) continue;
      const Instruction& instruction = *region.instructions[i];
      if (!is_value(instruction.shape)) return false;
      if (instruction.parameter_number >= 0) {
        values[i] =
            arguments.at(static_cast<size_t>(instruction.parameter_number));
      } else if (!add_instruction(instruction, values, values[i])) {
        return false;
      }
    }
    ++budget_.depth;
    result = values[static_cast<size_t>(region.root->position)];
    return true;
  }

  bool add_instruction(const Instruction& instruction,
                       const std::vector<Slots>& values, Slots& result) {
    std::vector<Slots> operands;
    for (const Instruction* operand : instruction.operands) {
      operands.push_back(values[static_cast<size_t>(operand->position)]);
    }
    if (instruction.op->element != nullptr) {
      return add_step(instruction, operands, result);
    }
    if (dims_.empty() ? is_identity(instruction) : is_repeated(instruction)) {
      result = operands[0];
      return true;
    }
    if (const Computation* region = callee(instruction)) {
      return add_region(*region, operands, result);
    }
    const auto regions = controlled(instruction);
    if (!regions.empty() && dims_.empty()) {
      return add_control(instruction, regions, operands, result);
    }
    return add_value(instruction, operands, result);
  }

  bool add_value(const Instruction& instruction,
                 const std::vector<Slots>& operands, Slots& result) {
    const std::string_view name = instruction.op->name;
    if (name == "constant" && instruction.literal != nullptr) {
      if (!instruction.shape.is_scalar()) return false;
      result = {add_register(instruction.shape.element_type)};
      program_.constants_.push_back({result[0], instruction.literal.get()});
      return true;
    }
    if (name == "tuple") {
      for (const Slots& operand : operands) {
        result.insert(result.end(), operand.begin(), operand.end());
      }
      return true;
    }
    if (name == "get-tuple-element") {
      return take_element(instruction, operands[0], result);
    }
    return false;
  }

  static bool take_element(const Instruction& instruction, const Slots& tuple,
                           Slots& result) {
    const auto& shapes = instruction.operands[0]->shape.tuple_shapes;
    const auto index = static_cast<size_t>(instruction.get<int64_t>("index"));
    size_t first = 0;
    for (size_t i = 0; i < index; ++i) first += leaves(shapes[i]).size();
    const auto begin = tuple.begin() + static_cast<std::ptrdiff_t>(first);
    const size_t count = leaves(shapes.at(index)).size();
    result.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
    return true;
  }

  bool add_step(const Instruction& instruction,
                const std::vector<Slots>& operands, Slots& result) {
    if (--budget_.steps < 0 || operands.size() > kMaxOperands) return false;
    Step step;
    step.kernel = kernel_of(instruction);
    step.instruction = &instruction;
    for (size_t k = 0; k < operands.size(); ++k) {
      step.operands[k] = operands[k].at(0);
    }
    step.result = add_register(instruction.shape.element_type);
    result = {step.result};
    program_.steps_.push_back(step);
    return step.kernel != nullptr;
  }

  bool add_control(const Instruction& instruction,
                   const std::vector<const Computation*>& regions,
                   const std::vector<Slots>& operands, Slots& result) {
    if (--budget_.steps < 0) return false;
    Control control;
    control.is_loop = instruction.op->name == "while";
    for (const Computation* region : regions) {
      Compiler compiler(control.regions.emplace_back(), budget_);
      if (!compiler.compile(*region)) return false;
    }
    for (const Slots& operand : operands) {
      control.operands.insert(control.operands.end(), operand.begin(),
                              operand.end());
    }
    for (const Shape* leaf : leaves(instruction.shape)) {
      control.results.push_back(add_register(leaf->element_type));
    }
    result = control.results;
    program_.steps_.push_back(
        {.result = static_cast<uint32_t>(program_.controls_.size())});
    program_.controls_.push_back(std::move(control));
    return true;
  }

  Program& program_;
  Budget& budget_;
  std::vector<int64_t> dims_;
};

std::optional<Program> Program::compile(const Computation& region) {
  return compile_lanes(region, {});
}

std::optional<Program> Program::compile_lanes(
    const Computation& region, const std::vector<int64_t>& dims) {
  Program program;
  Budget budget;
  if (!Compiler(program, budget, dims).compile(region)) return std::nullopt;
  return program;
}

Program::Scratch::Scratch(const Program& program, int64_t capacity,
                          int64_t max_turns)
    : max_turns_(max_turns) {
  size_t total = kAlignment;
  for (const ElementType type : program.registers_) {
    total += register_bytes(type, capacity);
  }
  storage_ = std::make_unique<std::byte[]>(total);
  void* begin = storage_.get();
  std::align(kAlignment, total - kAlignment, begin, total);
  auto* next = static_cast<std::byte*>(begin);
  slots_.resize(program.inputs_.size());
  for (const ElementType type : program.registers_) {
    registers_.push_back(next);
    slots_.push_back(next);
    next += register_bytes(type, capacity);
  }
  for (const Constant& constant : program.constants_) {
    std::byte* values = registers_[constant.slot - program.inputs_.size()];
    const std::span<const std::byte> value = constant.value->bytes();
    for (int64_t i = 0; i < capacity; ++i) {
      std::memcpy(values, value.data(), value.size());
      values += value.size();
    }
  }
  for (size_t i = 0; i < program.controls_.size(); ++i) {
    lanes_.push_back(lanes_of(program, i, capacity));
  }
}

void Program::run(Scratch& scratch, int64_t n, const std::byte* const* inputs,
                  std::byte* const* outputs) const {
  static constexpr std::array<bool, kMaxOperands> kNoSplat{};
  const size_t first_register = inputs_.size();
  for (size_t k = 0; k < first_register; ++k) scratch.slots_[k] = inputs[k];
  const std::byte* const* slots = scratch.slots_.data();
  for (const Step& step : steps_) {
    if (step.kernel == nullptr) {
      const Control& control = controls_[step.result];
      Scratch::Lanes& lanes = scratch.lanes_[step.result];
      control.is_loop ? run_loop(control, scratch, lanes, n)
                      : run_branches(control, scratch, lanes, n);
      continue;
    }
    const std::array<const std::byte*, kMaxOperands> operands = {
        slots[step.operands[0]], slots[step.operands[1]],
        slots[step.operands[2]]};
    step.kernel({step.instruction, operands.data(), kNoSplat.data(),
                 scratch.registers_[step.result - first_register], n});
  }
  for (const auto& [from, to] : copies_) {
    copy_elements(scratch.registers_[to - first_register], slots[from],
                  static_cast<size_t>(storage_bytes(inputs_[from])), n);
  }
  for (size_t k = 0; k < results_.size(); ++k) {
    copy_elements(outputs[k], slots[results_[k]],
                  static_cast<size_t>(storage_bytes(outputs_[k])), n);
  }
}

}  // namespace hlo
