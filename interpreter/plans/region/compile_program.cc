#include "interpreter/plans/region/compile_program.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

using Slots = std::vector<uint32_t>;

/// Condition and body of a loop, the branches of a conditional by their index
/// (true is 0), or nothing.
Computations controlled(const Instruction& instruction) {
  switch (instruction.op->form) {
    case Form::kLoop:
      return {instruction.get<Computation*>("condition"),
              instruction.get<Computation*>("body")};
    case Form::kBranches:
      return branches_of(instruction);
    default:
      return {};
  }
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

/// How much code a region becomes, all regions that it runs included: calls
/// may double at each level.
struct CodeLimit {
  int depth = 64;
  int regions = 4096;
  int steps = 4096;
  int64_t instructions = 0;  // that were looked at
};

}  // namespace

/// Translates regions, those that they call in place.
class ProgramCompiler {
 public:
  ProgramCompiler(Program& program, CodeLimit& limit,
                  std::vector<int64_t> dims = {})
      : program_(program), limit_(limit), dims_(std::move(dims)) {}

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
  bool is_repeated(const Instruction& instruction) const {
    const Form form = instruction.op->form;
    if (form != Form::kIdentity && form != Form::kMovement) return false;
    const Shape& operand = instruction.operand_shape(0);
    // A copy may convert its operand.
    if (dims_.empty() || form == Form::kIdentity) {
      return compatible(operand, instruction.shape);
    }
    return operand.is_scalar() &&
           operand.element_type == instruction.shape.element_type;
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
    if (--limit_.depth < 0 || --limit_.regions < 0) return false;
    program_.instructions_ += std::ssize(region.instructions);
    limit_.instructions += std::ssize(region.instructions);
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
    ++limit_.depth;
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
    if (is_repeated(instruction)) {
      result = operands[0];
      return true;
    }
    const Form form = instruction.op->form;
    if (form == Form::kCall || form == Form::kMap) {
      return add_callee(instruction, operands, result);
    }
    const auto regions = controlled(instruction);
    if (!regions.empty() && dims_.empty()) {
      return add_control(instruction, regions, operands, result);
    }
    return add_value(instruction, operands, result);
  }

  // The instructions of a region that is applied to elements are no steps.
  bool add_callee(const Instruction& caller, const std::vector<Slots>& operands,
                  Slots& result) {
    const int64_t before = program_.instructions_;
    if (!add_region(callee_of(caller), operands, result)) return false;
    if (caller.op->form == Form::kMap) program_.instructions_ = before;
    return true;
  }

  bool add_value(const Instruction& instruction,
                 const std::vector<Slots>& operands, Slots& result) {
    const Form form = instruction.op->form;
    if (form == Form::kConstant && instruction.literal != nullptr) {
      if (!instruction.shape.is_scalar()) return false;
      result = {add_register(instruction.shape.element_type)};
      program_.constants_.push_back({result[0], instruction.literal.get()});
      return true;
    }
    if (form == Form::kTuple) {
      for (const Slots& operand : operands) {
        result.insert(result.end(), operand.begin(), operand.end());
      }
      return true;
    }
    if (form == Form::kElement) {
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
    if (--limit_.steps < 0 || operands.size() > Program::kMaxOperands)
      return false;
    Program::Step step;
    step.kernel = kernel_of(instruction);
    step.instruction = &instruction;
    program_.work_ += work_of_element(instruction);
    for (size_t k = 0; k < operands.size(); ++k) {
      step.operands[k] = operands[k].at(0);
    }
    step.result = add_register(instruction.shape.element_type);
    result = {step.result};
    program_.steps_.push_back(step);
    return step.kernel != nullptr;
  }

  bool add_control(const Instruction& instruction, const Computations& regions,
                   const std::vector<Slots>& operands, Slots& result) {
    if (--limit_.steps < 0) return false;
    Program::Control control;
    control.is_loop = instruction.op->form == Form::kLoop;
    for (const Computation* region : regions) {
      ProgramCompiler compiler(control.regions.emplace_back(), limit_);
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
  CodeLimit& limit_;
  std::vector<int64_t> dims_;
};

std::optional<Program> compile_program(const Computation& region,
                                       const Ints& dims) {
  Budget endless(Budget::kEndless);
  return compile_program(region, dims, endless);
}

std::optional<Program> compile_program(const Computation& region,
                                       const Ints& dims, Budget& budget) {
  Program program;
  CodeLimit limit;
  const bool is_whole = ProgramCompiler(program, limit, dims).compile(region);
  budget.spend(limit.instructions * kWorkOfInstruction);
  return is_whole ? std::optional(std::move(program)) : std::nullopt;
}

}  // namespace hlo
