#include "interpreter/rules/callee.h"

#include <algorithm>
#include <unordered_set>

#include "interpreter/error.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

/// A computation, and of what it calls that which is still to be visited.
struct Visit {
  Computation* computation;
  Computations called;
  size_t next = 0;
};

}  // namespace

std::string_view thread_of(const Computation& computation) {
  return computation.execution_thread.empty()
             ? std::string_view("main")
             : std::string_view(computation.execution_thread);
}

const Computation& callee_of(const Instruction& caller) {
  const auto spec = std::ranges::find(
      caller.op->attributes, AttributeKind::kComputation, &AttributeSpec::kind);
  return *caller.get<Computation*>(spec->name);
}

Computations branches_of(const Instruction& conditional) {
  if (const AttributeValue* list = conditional.find("branch_computations")) {
    return std::get<Computations>(*list);
  }
  return {conditional.get<Computation*>("true_computation"),
          conditional.get<Computation*>("false_computation")};
}

Computations called_by(const Instruction& instruction) {
  Computations called;
  for (const auto& [name, value] : instruction.attributes) {
    if (const auto* one = std::get_if<Computation*>(&value)) {
      called.push_back(*one);
    } else if (const auto* several = std::get_if<Computations>(&value)) {
      called.insert(called.end(), several->begin(), several->end());
    }
  }
  return called;
}

Computations called_by(const Computation& computation) {
  Computations called;
  for (const auto& instruction : computation.instructions) {
    for (Computation* one : called_by(*instruction)) called.push_back(one);
  }
  return called;
}

Computations with_called(const Computations& computations) {
  Computations order;
  std::unordered_set<const Computation*> seen;
  std::vector<Visit> open = {{nullptr, computations}};
  while (!open.empty()) {
    Visit& visit = open.back();
    if (visit.next < visit.called.size()) {
      Computation* called = visit.called[visit.next++];
      if (seen.insert(called).second) {
        open.push_back({called, called_by(*called)});
      }
      continue;
    }
    if (visit.computation != nullptr) order.push_back(visit.computation);
    open.pop_back();
  }
  return order;
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
