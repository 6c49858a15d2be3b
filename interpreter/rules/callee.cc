#include "interpreter/rules/callee.h"

#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

/// The name of a thread; computations without one run in "main".
std::string_view thread_of(const Computation& computation) {
  return computation.execution_thread.empty()
             ? std::string_view("main")
             : std::string_view(computation.execution_thread);
}

}  // namespace

const Computation& callee_of(const Instruction& caller) {
  const auto spec = std::ranges::find(
      caller.op->attributes, AttributeKind::kComputation, &AttributeSpec::kind);
  return *caller.get<Computation*>(spec->name);
}

void require_takes(const Computation& callee, const std::vector<Shape>& shapes,
                   std::string_view rule) {
  bool fits = callee.parameters.size() == shapes.size();
  for (size_t i = 0; fits && i < shapes.size(); ++i) {
    fits = compatible(callee.parameters[i]->shape, shapes[i],
                      /*ignore_dynamic=*/true);
  }
  require(fits, rule,
          {"the computation takes ", ParameterShapes{callee},
           " and the arguments are ", shapes},
          "they must be equal");
}

Shape called_shape(const Instruction& caller, std::string_view attribute,
                   std::string_view rule) {
  const auto* callee = caller.get<Computation*>(attribute);
  require_takes(*callee, operand_shapes(caller), rule);
  return callee->root->shape;
}

void require_same_thread(const Instruction& caller, const Computation& callee,
                         std::string_view rule) {
  if (caller.parent == nullptr) return;
  const std::string_view thread = thread_of(*caller.parent);
  require(thread == thread_of(callee), rule,
          {"%", callee.name, " runs on thread ", thread_of(callee),
           " and its caller on ", thread},
          "they must run on one");
}

Progress run_once(const Instruction& caller, std::string_view attribute,
                  Operands operands, const ControlState& state) {
  if (state.visits > 0) return state.returned;
  return Invoke{caller.get<Computation*>(attribute),
                {operands.begin(), operands.end()}};
}

}  // namespace hlo
