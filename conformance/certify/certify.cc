#include "conformance/certify/certify.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "conformance/certify/certify_one.h"
#include "conformance/certify/devices/asynchronous_parts.h"
#include "conformance/certify/devices/exchange.h"
#include "conformance/expect/collective_call.h"
#include "conformance/expect/expect_drawn.h"
#include "interpreter/arithmetic_state.h"
#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {
namespace {

using Values = std::vector<const SetTree*>;

/// Whether an operation that gives its operand back does so in another type: a
/// copy may convert it, and there are parts of complex numbers.
bool changes_type(const Instruction& identity) {
  return identity.operand_shape(0).element_type != identity.shape.element_type;
}

/// The operation that gives numbers as those of another type.
const Op& conversion() {
  return **std::ranges::find(all_ops(), Arithmetic::kCopy,
                             [](const Op* op) { return op->facts.arithmetic; });
}

/// The value of an operation with control flow of its own, run as a whole.
Literal run_control(const Instruction& instruction,
                    const std::vector<Literal>& nominals,
                    Evaluator& evaluator) {
  if (auto value = kReference.at_once(instruction, nominals, evaluator)) {
    return *value;
  }
  ControlState state;
  for (;;) {
    Progress progress =
        instruction.op->control(instruction, nominals, state, evaluator);
    if (auto* value = std::get_if<Literal>(&progress)) return *value;
    auto& invoke = std::get<Invoke>(progress);
    ++state.visits;
    state.returned =
        evaluator.run(*invoke.computation, std::move(invoke.arguments));
  }
}

/// How many times as long a set of what an element may be takes as the element.
constexpr int64_t kWorkOfSets = 512;

std::shared_ptr<Budget> budget_for(
    const CertifyOptions& options,
    const std::vector<std::vector<SetTree>>& arguments) {
  if (auto shared = shared_limits().budget) return shared;
  int64_t elements = 0;
  for (const std::vector<SetTree>& list : arguments) {
    for (const SetTree& argument : list) {
      for (const SetTree* leaf : array_leaves_of(argument)) {
        elements += leaf->value.element_count();
      }
    }
  }
  return std::make_shared<Budget>(
      options.max_work > 0 ? options.max_work : Budget::by_inputs(elements));
}

/// Follows the program of one device.
class Certifier {
 public:
  Certifier(const CertifyOptions& options, std::shared_ptr<Budget> budget,
            Exchange& exchange, int64_t id, const Device& device)
      : profile_(options.profile),
        observer_(options.observer),
        exchange_(exchange),
        id_(id),
        evaluator_(kReference, {.threads = options.threads,
                                .budget = std::move(budget),
                                .device = device}) {}

  SetTree run(const Computation& computation, const Values& arguments) {
    require_evaluable(
        depth_ <= kDeepest, "evaluate.depth",
        {"%", computation.name, " runs in ", depth_, " others"},
        "bounds can follow computations that run in at most 64 others");
    ++depth_;
    SetTree result = run_all(computation, arguments);
    --depth_;
    return result;
  }

 private:
  static constexpr int64_t kDeepest = 64;

  SetTree run_all(const Computation& computation, const Values& arguments) {
    std::vector<SetTree> values(computation.instructions.size());
    std::vector<int64_t> uses(values.size(), 0);
    for (const auto& instruction : computation.instructions) {
      for (const Instruction* operand : instruction->operands) {
        ++uses[static_cast<size_t>(operand->position)];
      }
    }
    ++uses[static_cast<size_t>(computation.root->position)];
    for (const auto& instruction : computation.instructions) {
      const auto at = static_cast<size_t>(instruction->position);
      if (instruction->parameter_number >= 0) {
        values[at] =
            *arguments[static_cast<size_t>(instruction->parameter_number)];
        continue;
      }
      Values operands;
      for (const Instruction* operand : instruction->operands) {
        operands.push_back(&values[static_cast<size_t>(operand->position)]);
      }
      values[at] = apply(*instruction, operands);
      if (observer_) observer_(*instruction, values[at]);
      for (const Instruction* operand : instruction->operands) {
        const auto k = static_cast<size_t>(operand->position);
        if (--uses[k] == 0) values[k] = {};
      }
    }
    return std::move(values[static_cast<size_t>(computation.root->position)]);
  }

  SetTree apply(const Instruction& instruction, const Values& operands) {
    evaluator_.budget().spend(8 * kWorkOfInstruction);
    evaluator_.budget().spend(
        saturating_product({work_of(instruction), kWorkOfSets}));
    if (instruction.op->communicate != nullptr) {
      return communicated(instruction, operands);
    }
    switch (instruction.op->form) {
      case Form::kTuple:
        return joined(operands);
      case Form::kElement:
        return operands[0]
            ->elements[static_cast<size_t>(instruction.get<int64_t>("index"))];
      case Form::kIdentity:
        return changes_type(instruction) ? converted(instruction, operands)
                                         : *operands[0];
      case Form::kCall:
        return run(callee_of(instruction), operands);
      case Form::kLoop:
        return loop(instruction, *operands[0]);
      case Form::kBranches:
        return choose(instruction, operands);
      case Form::kMap:
        return mapped(instruction, operands);
      default:
        return instruction.op->accuracy.kind == Accuracy::Kind::kDrawn
                   ? drawn(instruction, operands)
                   : computed(instruction, operands);
    }
  }

  /// What an operation between devices may give: collectives, their starts and
  /// dones, copies that are begun and ended, and the device's own number.
  SetTree communicated(const Instruction& instruction, const Values& operands) {
    if (is_collective(instruction)) return met(instruction, operands);
    if (names_device(instruction)) {
      const Future own =
          instruction.op->communicate(instruction, {}, evaluator_);
      return SetTree::known(own.value());
    }
    if (starts_copy(instruction)) return started(instruction, *operands[0]);
    if (const Computation* wrapped = begun_by(instruction)) {
      return started(instruction, run(*wrapped, operands));
    }
    const Instruction* const start =
        instruction.operands.empty() ? nullptr : instruction.operands[0];
    if (const auto seat = begun_.find(start); seat != begun_.end()) {
      return seat->second.result(exchange_.turns());
    }
    if (const auto value = started_.find(start); value != started_.end()) {
      const SetTree result = value->second;
      const bool ends = compatible(nominal_of(result).shape(),
                                   instruction.shape, /*ignore_dynamic=*/true);
      return ends ? result : started(instruction, result);
    }
    throw Error(Phase::kEvaluate, "evaluate.undefined",
                "bounds cannot follow " + std::string(instruction.op->name) +
                    ", whose value comes from somewhere else",
                instruction.location);
  }

  /// A start leaves its seat to its done.
  SetTree met(const Instruction& collective, const Values& operands) {
    std::vector<SetTree> brought;
    for (const SetTree* operand : operands) brought.push_back(*operand);
    Exchange::Seat seat = exchange_.come(collective, std::move(brought), id_);
    if (!is_start(collective)) return seat.result(exchange_.turns());
    begun_.insert_or_assign(&collective, std::move(seat));
    return not_ended(collective);
  }

  /// Keeps what the start began until its done asks for it.
  SetTree started(const Instruction& start, SetTree value) {
    started_.insert_or_assign(&start, std::move(value));
    return not_ended(start);
  }

  /// The state that a start leaves to its done.
  static SetTree not_ended(const Instruction& start) {
    return SetTree::nothing(Literal(start.shape),
                            start.name + " has not ended");
  }

  /// A copy into another float type, or what says itself what its elements are.
  SetTree converted(const Instruction& copy, const Values& operands) {
    if (copy.op->element != nullptr) return computed(copy, operands);
    Instruction convert;
    convert.name = copy.name;
    convert.op = &conversion();
    convert.shape = copy.shape;
    convert.operands = copy.operands;
    convert.location = copy.location;
    return computed(convert, operands);
  }

  static SetTree joined(const Values& operands) {
    SetTree tuple;
    for (const SetTree* operand : operands) tuple.elements.push_back(*operand);
    return tuple;
  }

  /// The computation for each element.
  SetTree mapped(const Instruction& map, const Values& operands) {
    for (const SetTree* operand : operands) {
      const bool is_sized = !operand->value.dynamic_sizes().empty();
      if (is_sized || operand->is_unknown()) return computed(map, operands);
    }
    const Computation& computation = callee_of(map);
    SetTree result = SetTree::known(Literal(map.shape));
    for (int64_t i = 0; i < result.value.element_count(); ++i) {
      spend_shared(0);
      std::vector<SetTree> elements;
      for (const SetTree* operand : operands) {
        elements.push_back(element_of(*operand, i));
      }
      Values arguments;
      for (const SetTree& element : elements) arguments.push_back(&element);
      const SetTree value = run(computation, arguments);
      if (value.is_unknown() || is_complex(map.shape.element_type)) {
        return computed(map, operands);
      }
      result.value.set(i, value.value.scalar());
      result.sets.push_back(value.at(0));
    }
    return simplified(std::move(result));
  }

  /// Random numbers of a stated distribution; the nominal ones are arbitrary.
  static SetTree drawn(const Instruction& rng, const Values& operands) {
    const ElementType type = rng.shape.element_type;
    const Literal nominal =
        Literal::splat(rng.shape, operands[0]->value.scalar());
    const bool uniform =
        rng.get_or("distribution", Word{}).value == "rng_uniform";
    if (is_complex(type) || operands[0]->is_unknown() ||
        operands[1]->is_unknown()) {
      return SetTree::nothing(nominal, "nothing is known of " + rng.name);
    }
    const ValueSet from = operands[0]->at(0);
    const ValueSet to = operands[1]->at(0);
    const ValueSet set =
        uniform ? drawn_uniformly(from, to, type) : ValueSet::everything(type);
    SetTree result = SetTree::known(nominal);
    result.sets.assign(static_cast<size_t>(nominal.element_count()), set);
    return result;
  }

  SetTree loop(const Instruction& instruction, const SetTree& initial) {
    const auto* condition = instruction.get<Computation*>("condition");
    const auto* body = instruction.get<Computation*>("body");
    SetTree state = initial;
    for (int64_t round = 0;; ++round) {
      const SetTree goes_on = run(*condition, {&state});
      if (!goes_on.is_known()) {
        return undecided(*body, instruction, state, round);
      }
      if (goes_on.value.integer(0) == 0) return state;
      state = run(*body, {&state});
    }
  }

  /// The reference knows how it goes on; others may go another way.
  SetTree undecided(const Computation& body, const Instruction& instruction,
                    const SetTree& state, int64_t round) {
    require_alone(instruction);
    const auto* condition = instruction.get<Computation*>("condition");
    Literal nominal = nominal_of(state);
    while (evaluator_.run(*condition, {nominal}).integer(0) != 0) {
      nominal = evaluator_.run(body, {nominal});
    }
    return SetTree::nothing(std::move(nominal),
                            "whether the loop " + instruction.name +
                                " goes on after " + std::to_string(round) +
                                " rounds is not the same everywhere");
  }

  SetTree choose(const Instruction& instruction, const Values& operands) {
    const Computations branches = branches_of(instruction);
    const SetTree& selector = *operands[0];
    const bool predicated = selector.value.type() == ElementType::kPred;
    const auto last = std::ssize(branches) - 1;
    const auto branch = [&](int64_t value) {
      const int64_t k = predicated ? 1 - value : value;
      return k < 0 || k > last ? last : k;
    };
    const auto taken = [&](int64_t k) {
      return run(*branches[static_cast<size_t>(k)],
                 {operands[static_cast<size_t>(k) + 1]});
    };
    const int64_t nominal = branch(selector.value.integer(0));
    if (!selector.is_known()) require_alone(instruction);
    SetTree all = taken(nominal);
    if (selector.is_known()) return all;
    // Every branch that some backend may take.
    for (int64_t k = 0; k <= last; ++k) {
      if (k == nominal || !may_take(selector, k, last, predicated)) continue;
      all = united(all, taken(k));
    }
    return all;
  }

  static bool may_take(const SetTree& selector, int64_t branch, int64_t last,
                       bool predicated) {
    if (selector.is_unknown()) return true;
    const ValueSet set = selector.at(0);
    const Place value = predicated ? 1 - branch : branch;
    return std::ranges::any_of(set.ranges(), [&](const Places& range) {
      const bool outside = range.low < 0 || range.high > last;
      return (range.low <= value && value <= range.high) ||
             (branch == last && outside);
    });
  }

  SetTree computed(const Instruction& instruction, const Values& operands) {
    std::vector<Literal> nominals;
    for (const SetTree* operand : operands) {
      nominals.push_back(nominal_of(*operand));
    }
    const Literal nominal =
        instruction.op->control != nullptr
            ? run_control(instruction, nominals, evaluator_)
            : evaluate_instruction(instruction, nominals, evaluator_);
    for (const SetTree* operand : operands) {
      if (operand->is_unknown()) {
        return SetTree::nothing(nominal, operand->reason());
      }
    }
    return certify_one({.instruction = instruction,
                        .operands = operands,
                        .nominals = nominals,
                        .nominal = nominal,
                        .profile = profile_});
  }

  const Profile& profile_;
  const std::function<void(const Instruction&, const SetTree&)>& observer_;
  Exchange& exchange_;
  int64_t id_;  // of the device
  Evaluator evaluator_;
  std::map<const Instruction*, Exchange::Seat> begun_;  // by the starts
  std::map<const Instruction*, SetTree> started_;       // by the starts
  int64_t depth_ = 0;  // of the computations that are on their way
};

}  // namespace

std::vector<SetTree> certify_devices(
    const Module& module, const std::vector<std::vector<SetTree>>& arguments,
    const CertifyOptions& options) {
  const ReferenceArithmetic arithmetic;
  const Grid grid = grid_of(module);
  const std::shared_ptr<Budget> budget = budget_for(options, arguments);
  Exchange exchange(grid, options.profile);
  std::vector<SetTree> results(static_cast<size_t>(grid.count()));
  const auto follow = [&](int64_t device) {
    const auto at = static_cast<size_t>(device);
    Values pointers;
    for (const SetTree& argument :
         arguments.at(arguments.size() == 1 ? 0 : at)) {
      pointers.push_back(&argument);
    }
    results[at] =
        Certifier(options, budget, exchange, device, device_of(device, grid))
            .run(*module.entry, pointers);
  };
  if (grid.count() == 1) {
    follow(0);
  } else {
    exchange.turns().run(follow);
  }
  return results;
}

SetTree certify(const Module& module, const std::vector<SetTree>& arguments,
                const CertifyOptions& options) {
  return certify_devices(module, {arguments}, options).at(0);
}

SetTree certify(const Module& module, const std::vector<Literal>& arguments,
                const CertifyOptions& options) {
  std::vector<SetTree> values;
  values.reserve(arguments.size());
  for (const Literal& argument : arguments) {
    values.push_back(SetTree::known(argument));
  }
  return certify(module, values, options);
}

}  // namespace hlo::conformance
