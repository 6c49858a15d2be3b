#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "backends/backend.h"
#include "conformance/shrink/candidates.h"
#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/forms.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using Shared = std::shared_ptr<const Program>;

/// The place of an instruction in a program.
struct Place {
  size_t computation;
  size_t instruction;
};

/// A loop that ran, and the state that it began with.
struct SeenLoop {
  Place place;
  Literal state;
};

/// What the reference saw of called computations first.
struct Run {
  std::vector<std::pair<Place, Literal>> values;
  std::vector<SeenLoop> loops;
};

constexpr int64_t kMostElements = 64;  // of a constant in the text

bool is_short_array(const Literal& value) {
  return value.shape().is_array() && value.element_count() <= kMostElements &&
         !value.shape().has_dynamic_dimensions();
}

Run run(const Module& module, const Program& program) {
  Run run;
  std::map<const Computation*, size_t> numbers;
  for (size_t c = 0; c < module.computations.size(); ++c) {
    numbers[module.computations[c].get()] = c;
  }
  std::map<const Instruction*, bool> known;
  EvaluatorOptions options;
  options.observer = [&](const Instruction& one, Operands operands,
                         const Literal& value) {
    if (!known.emplace(&one, true).second) return;
    const Place place = {numbers.at(one.parent),
                         static_cast<size_t>(one.position)};
    if (one.op->form == Form::kLoop) {
      run.loops.push_back({place, operands[0]});
    }
    if (one.parent != module.entry && one.op->form != Form::kConstant &&
        one.parameter_number < 0 && is_short_array(value)) {
      run.values.emplace_back(place, value);
    }
  };
  try {
    evaluate_devices(module, device_arguments(module, program.inputs), options);
  } catch (const Error&) {  // what ran before has been seen
  }
  return run;
}

void turn_into_constant(Instruction& instruction, const Literal& value) {
  instruction.op = &op_of(Form::kConstant);
  instruction.operands.clear();
  instruction.attributes.clear();
  instruction.async_sugar.clear();
  instruction.shape = value.shape();
  instruction.has_shape = true;
  instruction.literal = std::make_shared<Literal>(value);
}

/// Whoever uses that element of a tuple uses what stands for the whole.
void take_element(Computation& computation, Instruction& whole, size_t chosen) {
  for (const auto& one : computation.instructions) {
    if (one->op->form != Form::kElement || one->operands[0] != &whole ||
        static_cast<size_t>(one->get<int64_t>("index")) != chosen) {
      continue;
    }
    for (const auto& user : computation.instructions) {
      std::ranges::replace(user->operands, one.get(), &whole);
    }
    if (computation.root == one.get()) computation.root = &whole;
  }
}

/// Whoever takes an element of the tuple takes what stands for the whole, or
/// the constant that the element began as.
void take_from_one(Computation& computation, Instruction& whole, size_t chosen,
                   const Literal& state) {
  for (const auto& one : computation.instructions) {
    if (one->op->form != Form::kElement || one->operands[0] != &whole) continue;
    const auto index = static_cast<size_t>(one->get<int64_t>("index"));
    if (index == chosen) continue;
    const Literal& value = state.elements().at(index);
    if (is_short_array(value)) turn_into_constant(*one, value);
  }
  take_element(computation, whole, chosen);
}

/// The computation that a loop of one element runs.
void narrow(Computation& computation, size_t chosen, const Literal& state,
            bool is_body) {
  Instruction& parameter = *computation.parameters.at(0);
  Instruction* root = computation.root;
  if (is_body && root != &parameter) {
    // Where the root is no tuple, the verifier refuses what comes of it.
    computation.root = root->operands.at(chosen);
  }
  take_from_one(computation, parameter, chosen, state);
  parameter.shape = state.elements().at(chosen).shape();
}

/// Those leaves of tuples, which stand one after the other, that belong to one
/// element.
std::vector<Literal> part_of(const std::vector<Literal>& leaves,
                             const Literal& like, size_t chosen) {
  const std::span<const Literal> elements = like.elements();
  const auto each = array_leaves(like).size();
  const auto first = array_leaves(elements.first(chosen)).size();
  const auto count = array_leaves(elements.subspan(chosen, 1)).size();
  std::vector<Literal> found;
  for (size_t i = first; count > 0 && i + count <= leaves.size(); i += each) {
    found.insert(found.end(), leaves.begin() + static_cast<std::ptrdiff_t>(i),
                 leaves.begin() + static_cast<std::ptrdiff_t>(i + count));
  }
  return found;
}

/// The loop by itself carries one element of its state.
Program narrowed(const Program& program, const SeenLoop& seen, size_t chosen) {
  Edit edit(program);
  Instruction& loop = edit.at(seen.place.computation, seen.place.instruction);
  Computation& parent = *loop.parent;
  Instruction& before = *loop.operands.at(0);
  narrow(*loop.get<Computation*>("condition"), chosen, seen.state, false);
  narrow(*loop.get<Computation*>("body"), chosen, seen.state, true);
  take_from_one(parent, loop, chosen, seen.state);
  const Literal& value = seen.state.elements().at(chosen);
  if (before.parameter_number >= 0) {
    before.shape = value.shape();
    edit.leaves(before) = part_of(edit.leaves(before), seen.state, chosen);
  } else {
    turn_into_constant(before, value);
  }
  loop.shape = before.shape;
  edit.module().entry_layout.reset();
  return edit.finish();
}

/// A branch that gives a constant gives its operand instead, which is that
/// constant.
void hand_on(Edit& edit, Instruction& branches, size_t operand,
             const Computation& branch) {
  Instruction& input = *branches.operands.at(operand);
  Instruction& parameter = *branch.parameters.at(0);
  const Literal value = *branch.root->literal;
  edit.set_input(input, value);
  parameter.shape = value.shape();
  parameter.parent->root = &parameter;
  edit.module().entry_layout.reset();
}

/// Whether the operand is an input of the program and nothing else uses it.
bool is_own_input(const Instruction& user, size_t operand) {
  const Instruction& input = *user.operands.at(operand);
  int64_t uses = 0;
  for (const auto& one : user.parent->instructions) {
    uses += std::ranges::count(one->operands, &input);
  }
  return input.parameter_number >= 0 && uses == 1;
}

/// Whether it combines two arrays element by element, and is not a sum.
bool is_other_pair(const Instruction& one) {
  return one.op->element != nullptr && one.operands.size() == 2 &&
         one.op->reducer != Reducer::kAdd &&
         std::ranges::all_of(one.operands, [&](const Instruction* operand) {
           return compatible(operand->shape, one.shape, false);
         });
}

void turn_into_sum(Instruction& instruction) {
  instruction.op = *std::ranges::find(all_ops(), Reducer::kAdd, &Op::reducer);
  instruction.attributes.clear();
}

/// Whether it folds several arrays by one computation.
bool folds_several(const Instruction& one) {
  return one.op->cells != nullptr && one.shape.is_tuple() &&
         one.shape.tuple_shapes.size() > 1;
}

/// The computation folds array k of n alone, and has zeros for elements of the
/// others.
void fold_alone(Computation& computation, size_t n, size_t k) {
  computation.root = computation.root->operands.at(k);
  std::vector<Instruction*> kept;
  for (size_t i = 0; i < computation.parameters.size(); ++i) {
    Instruction& parameter = *computation.parameters[i];
    if (i % n == k) {
      parameter.parameter_number = std::ssize(kept);
      kept.push_back(&parameter);
    } else {
      parameter.parameter_number = -1;
      turn_into_constant(parameter, Literal(parameter.shape));
    }
  }
  computation.parameters = std::move(kept);
}

/// A fold of several arrays folds one of them.
Program folded_alone(const Program& program, const Place& place, size_t k) {
  Edit edit(program);
  Instruction& fold = edit.at(place.computation, place.instruction);
  const size_t n = fold.operands.size() / 2;
  fold_alone(*fold.get<Computation*>("to_apply"), n, k);
  fold.operands = {fold.operands.at(k), fold.operands.at(n + k)};
  fold.shape = Shape(fold.shape.tuple_shapes.at(k));
  take_element(*fold.parent, fold, k);
  edit.module().entry_layout.reset();
  return edit.finish();
}

void add_folds(const Module& module, const Shared& program,
               Candidates& candidates) {
  for (size_t c = 0; c < module.computations.size(); ++c) {
    for (const auto& one : module.computations[c]->instructions) {
      if (!folds_several(*one)) continue;
      const Place place = {c, static_cast<size_t>(one->position)};
      for (size_t k = 0; k < one->operands.size() / 2; ++k) {
        candidates.emplace_back(
            [program, place, k] { return folded_alone(*program, place, k); });
      }
    }
  }
}

void add_branches(const Module& module, const Shared& program,
                  Candidates& candidates) {
  const auto entry = static_cast<size_t>(
      std::ranges::find(module.computations, module.entry,
                        &std::unique_ptr<Computation>::get) -
      module.computations.begin());
  for (const auto& one : module.entry->instructions) {
    if (one->op->form != Form::kBranches) continue;
    const Computations branches = called_by(*one);
    const auto i = static_cast<size_t>(one->position);
    for (size_t k = 0; k < branches.size(); ++k) {
      if (branches[k]->root->op->form != Form::kConstant ||
          !is_own_input(*one, k + 1)) {
        continue;
      }
      candidates.emplace_back([program, entry, i, k] {
        Edit edit(*program);
        Instruction& at = edit.at(entry, i);
        hand_on(edit, at, k + 1, *called_by(at).at(k));
        return edit.finish();
      });
    }
  }
}

void add_sums(const Module& module, const Shared& program,
              Candidates& candidates) {
  for (size_t c = 0; c < module.computations.size(); ++c) {
    const Computation& computation = *module.computations[c];
    if (&computation == module.entry) continue;
    for (const auto& one : computation.instructions) {
      if (!is_other_pair(*one)) continue;
      candidates.emplace_back(
          [program, c, i = static_cast<size_t>(one->position)] {
            Edit edit(*program);
            turn_into_sum(edit.at(c, i));
            return edit.finish();
          });
    }
  }
}

}  // namespace

Candidates simpler_computations(const Failing& failing) {
  Candidates candidates;
  const auto program = std::make_shared<const Program>(failing.program);
  const Module module = verified_module(program->hlo);
  const auto seen = std::make_shared<const Run>(run(module, *program));
  for (const SeenLoop& loop : seen->loops) {
    const SeenLoop* const one = &loop;
    if (!loop.state.shape().is_tuple()) continue;
    for (size_t i = 0; i < loop.state.elements().size(); ++i) {
      candidates.emplace_back(
          [seen, program, one, i] { return narrowed(*program, *one, i); });
    }
  }
  add_branches(module, program, candidates);
  add_folds(module, program, candidates);
  add_sums(module, program, candidates);
  for (const auto& value : seen->values) {
    const auto* const one = &value;
    candidates.emplace_back([seen, program, one] {
      Edit edit(*program);
      turn_into_constant(
          edit.at(one->first.computation, one->first.instruction), one->second);
      return edit.finish();
    });
  }
  return candidates;
}

}  // namespace hlo::conformance
