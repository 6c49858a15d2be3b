#include "interpreter/evaluate.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "interpreter/arithmetic_state.h"
#include "interpreter/definition/define.h"
#include "interpreter/error.h"
#include "interpreter/plans/contraction/contract.h"
#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/plans/fold/fold_operands.h"
#include "interpreter/plans/movement/affine_movement.h"
#include "interpreter/plans/updates/apply_updates.h"
#include "interpreter/rules/float_types.h"
#include "interpreter/rules/plan.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/shared_limits.h"
#include "interpreter/sized.h"

namespace hlo {
namespace {

[[noreturn]] void throw_undefined(const Instruction& instruction) {
  if (instruction.op->communicate != nullptr) {
    throw Error(Phase::kEvaluate, "evaluate.undefined",
                "operation " + std::string(instruction.op->name) +
                    " has a value only where devices run its program",
                instruction.location);
  }
  throw Error(Phase::kEvaluate, "evaluate.undefined",
              "operation " + std::string(instruction.op->name) +
                  " (of instruction " + instruction.name +
                  ") cannot be evaluated yet",
              instruction.location);
}

/// The fold in the types of its reducer, then rounded to those that the text
/// gives.
std::optional<Literal> fold_and_round(const Fold& fold,
                                      const Instruction& instruction,
                                      Operands operands, Evaluator& evaluator) {
  const Shape& shape = instruction.shape;
  const Shape& computed = fold.reducer->root->shape;
  if (same_types(shape, computed)) {
    return apply(fold, instruction, operands, evaluator);
  }
  Instruction typed = instruction;
  typed.shape = instruction.op->infer(instruction);
  const auto result = apply(fold, typed, operands, evaluator);
  return result ? std::optional(with_float_types(*result, shape)) : result;
}

constexpr Plan kAffineMovement{.movement = affine_movement};

/// The plan of the operation's own file, or the one that follows from its
/// definition; none where plans of its family may not be used.
Plan allowed_plan(const Op& op, const Evaluator& evaluator) {
  PlanOf found = find_plan(op);
  if (found.plan == nullptr && op.moving.is_affine) {
    found = {&kAffineMovement, PlanFamily::kMovement};
  }
  const bool is_allowed = evaluator.options().plans.contains(found.family);
  return is_allowed && found.plan != nullptr ? *found.plan : Plan{};
}

/// The value by a plan; nothing where none takes the instruction.
std::optional<Literal> by_plan(const Instruction& instruction,
                               Operands operands, Evaluator& evaluator) {
  const Plan plan = allowed_plan(*instruction.op, evaluator);
  if (plan.movement != nullptr) {
    return apply(plan.movement(instruction, operands), instruction.shape,
                 operands, evaluator.threads());
  }
  if (plan.fold != nullptr) {
    return fold_and_round(plan.fold(instruction), instruction, operands,
                          evaluator);
  }
  if (plan.contraction != nullptr) {
    const auto sums = plan.contraction(instruction);
    if (sums) return apply(*sums, instruction, operands, evaluator.threads());
  }
  if (plan.updating != nullptr) {
    return apply(plan.updating(instruction, operands, evaluator), operands,
                 evaluator);
  }
  if (plan.value != nullptr) {
    return plan.value(instruction, operands, evaluator);
  }
  return std::nullopt;
}

/// An element-wise operation by the loop for its types, or by its definition.
Literal by_element(const Instruction& instruction, Operands operands,
                   Evaluator& evaluator) {
  const bool may_loop =
      evaluator.options().plans.contains(PlanFamily::kElementwise);
  const Kernel kernel = may_loop ? kernel_of(instruction) : nullptr;
  Literal result =
      kernel == nullptr
          ? definition::define(instruction, operands, evaluator)
          : run_kernel(kernel, instruction, operands, evaluator.threads());
  inherit_sizes(result, operands);
  return result;
}

Literal value_of(const Instruction& instruction, Operands operands,
                 Evaluator& evaluator) {
  const Op& op = *instruction.op;
  evaluator.budget().spend(work_of(instruction));
  if (op.element != nullptr) {
    return by_element(instruction, operands, evaluator);
  }
  if (runs_at_sizes(instruction, operands)) {
    return evaluate_at_sizes(instruction, operands, evaluator);
  }
  if (auto value = by_plan(instruction, operands, evaluator)) {
    return *std::move(value);
  }
  if (op.is_defined() && op.control == nullptr && op.communicate == nullptr) {
    return definition::define(instruction, operands, evaluator);
  }
  throw_undefined(instruction);
}

/// Operands that nobody else needs are used up by movements.
Literal consuming_value_of(const Instruction& instruction,
                           std::span<Literal> operands, Evaluator& evaluator) {
  const Plan plan = allowed_plan(*instruction.op, evaluator);
  if (plan.movement == nullptr || evaluator.options().observer != nullptr ||
      runs_at_sizes(instruction, operands)) {
    return value_of(instruction, operands, evaluator);
  }
  evaluator.budget().spend(work_of(instruction));
  return apply_consuming(plan.movement(instruction, operands),
                         instruction.shape, operands, evaluator.threads());
}

/// The value of an operation that runs computations at once, by a plan.
std::optional<Literal> control_at_once(const Instruction& instruction,
                                       Operands operands,
                                       Evaluator& evaluator) {
  const Plan plan = allowed_plan(*instruction.op, evaluator);
  if (plan.value == nullptr) return std::nullopt;
  return plan.value(instruction, operands, evaluator);
}

bool is_local(const Instruction& instruction) {
  return instruction.op->communicate == nullptr;
}

/// Whether every device computes the same from the same arguments.
bool is_local(const Module& module) {
  return std::ranges::all_of(
      module.computations, [](const std::unique_ptr<Computation>& computation) {
        return std::ranges::all_of(
            computation->instructions,
            [](const auto& instruction) { return is_local(*instruction); });
      });
}

int64_t elements_of(const std::vector<std::vector<Literal>>& arguments) {
  int64_t sum = 0;
  for (const std::vector<Literal>& list : arguments) {
    for (const Literal& argument : list) {
      for (const Literal* leaf : leaves(argument)) sum += leaf->element_count();
    }
  }
  return sum;
}

}  // namespace

const Valuation kReference{.value = consuming_value_of,
                           .at_once = control_at_once};

Literal evaluate_instruction(const Instruction& instruction, Operands operands,
                             Evaluator& evaluator) {
  const ReferenceArithmetic arithmetic;
  return value_of(instruction, operands, evaluator);
}

GridResult evaluate_devices(const Module& module,
                            std::vector<std::vector<Literal>> arguments,
                            const EvaluatorOptions& options) {
  const ReferenceArithmetic arithmetic;
  const Grid grid = grid_of(module);
  require_count(grid);
  const auto count = static_cast<size_t>(grid.count());
  require_evaluable(
      arguments.size() == 1 || arguments.size() == count, "evaluate.arguments",
      {"there are ", Count{std::ssize(arguments), "list"}, " of arguments for ",
       Count{static_cast<int64_t>(count), "device"}},
      "there must be one, or one for each device");
  const bool once = arguments.size() == 1 && is_local(module);
  EvaluatorOptions shared = options;
  if (shared.budget == nullptr) shared.budget = shared_limits().budget;
  if (shared.budget == nullptr) {
    shared.budget = std::make_shared<Budget>(
        options.max_work > 0 ? options.max_work
                             : Budget::by_inputs(elements_of(arguments)));
  }
  std::vector<DeviceProgram> programs;
  for (size_t i = 0; i < (once ? 1 : count); ++i) {
    std::vector<Literal>& own = arguments[arguments.size() == 1 ? 0 : i];
    const bool again = arguments.size() == 1 && !once && i + 1 < count;
    programs.push_back({module.entry, again ? own : std::move(own)});
  }
  GridResult result = run_grid(kReference, once ? Grid{} : grid,
                               std::move(programs), {}, shared);
  result.results.resize(count, result.results.front());
  return result;
}

Literal evaluate(const Module& module, std::vector<Literal> arguments,
                 const EvaluatorOptions& options) {
  std::vector<std::vector<Literal>> lists;
  lists.push_back(std::move(arguments));
  return evaluate_devices(module, std::move(lists), options).results.front();
}

}  // namespace hlo
