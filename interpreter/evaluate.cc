#include "interpreter/evaluate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "interpreter/contraction.h"
#include "interpreter/counted.h"
#include "interpreter/devices.h"
#include "interpreter/elementwise.h"
#include "interpreter/error.h"
#include "interpreter/fold.h"
#include "interpreter/movement.h"
#include "interpreter/network.h"
#include "interpreter/scalar_loop.h"
#include "interpreter/sized.h"
#include "interpreter/updates.h"

namespace hlo {
namespace {

/// How often each instruction's value is used, by position; the root's result
/// is one more use.
std::vector<int32_t> count_uses(const Computation& computation) {
  std::vector<int32_t> uses(computation.instructions.size(), 0);
  for (const auto& instruction : computation.instructions) {
    for (const Instruction* operand : instruction->operands) {
      ++uses[static_cast<size_t>(operand->position)];
    }
  }
  ++uses[static_cast<size_t>(computation.root->position)];
  return uses;
}

void require_arguments(const Computation& computation,
                       const std::vector<Literal>& arguments) {
  const auto& parameters = computation.parameters;
  require_evaluable(parameters.size() == arguments.size(), "evaluate.arguments",
                    "computation " + computation.name + " takes " +
                        counted(std::ssize(parameters), "argument") +
                        ", but is given " + std::to_string(arguments.size()));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Shape& wanted = parameters[i]->shape;
    const Shape& given = arguments[i].shape();
    if (compatible(wanted, given, /*ignore_dynamic=*/true)) continue;
    throw Error(Phase::kEvaluate, "evaluate.arguments",
                "parameter " + std::to_string(i) + " (" + parameters[i]->name +
                    ") has shape " + to_string(wanted, false) +
                    ", but the argument has " + to_string(given, false));
  }
}

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

bool same_types(const Shape& a, const Shape& b) {
  return a.element_type == b.element_type &&
         std::ranges::equal(a.tuple_shapes, b.tuple_shapes, same_types);
}

/// The value with its floats rounded to the types that the text gives.
Literal rounded(const Literal& value, const Shape& shape) {
  if (same_types(shape, value.shape())) return value;
  if (value.shape().is_array()) {
    return with_float_type(value, shape.element_type);
  }
  std::vector<Literal> elements;
  for (size_t i = 0; i < value.elements().size(); ++i) {
    elements.push_back(rounded(value.elements()[i], shape.tuple_shapes.at(i)));
  }
  return Literal::tuple(std::move(elements));
}

/// The fold in the types of its reducer, then rounded to those that the text
/// gives.
Literal fold_and_round(const Instruction& instruction, Operands operands,
                       Evaluator& evaluator) {
  const Fold fold = instruction.op->fold(instruction);
  const Shape& shape = instruction.shape;
  const Shape& computed = fold.reducer->root->shape;
  if (same_types(shape, computed)) {
    return apply(fold, instruction, operands, evaluator);
  }
  Instruction typed = instruction;
  typed.shape = instruction.op->infer(instruction);
  return rounded(apply(fold, typed, operands, evaluator), shape);
}

/// The value of an operation without control; operands that it may use up.
Literal value_of(const Instruction& instruction, std::span<Literal> operands,
                 Evaluator& evaluator, bool may_consume) {
  if (may_consume && instruction.op->movement != nullptr &&
      !runs_at_sizes(instruction, operands)) {
    const Movement movement = instruction.op->movement(instruction, operands);
    return apply_consuming(movement, instruction.shape, operands, evaluator);
  }
  return evaluate_instruction(instruction, operands, evaluator);
}

}  // namespace

/// One computation on its way: the next instruction and the live values.
struct Evaluator::Frame {
  const Computation* computation;
  std::vector<Literal> arguments;
  std::vector<int32_t> uses;      // still to come, by position
  std::vector<Literal> values;    // by position; freed after the last use
  std::vector<Literal> operands;  // of the instruction that is running
  ControlState control;           // of the same
  std::optional<Future> awaited;  // of the same
  std::map<const Instruction*, Future> deferred;  // by the starts
  size_t next = 0;  // position of that instruction

  Frame(const Computation& run, std::vector<Literal> given)
      : computation(&run),
        arguments(std::move(given)),
        uses(count_uses(run)),
        values(run.instructions.size()) {}

  bool ended() const { return next == values.size(); }

  const Instruction& instruction() const {
    return *computation->instructions[next];
  }

  Literal take(const Instruction& operand) {
    const auto position = static_cast<size_t>(operand.position);
    if (--uses[position] > 0) return values[position];
    return std::exchange(values[position], Literal());
  }

  void gather_operands() {
    operands.clear();
    for (const Instruction* operand : instruction().operands) {
      operands.push_back(take(*operand));
    }
  }

  Literal take_argument() {
    const Instruction& parameter = instruction();
    Literal value =
        std::move(arguments[static_cast<size_t>(parameter.parameter_number)]);
    return value.shape() == parameter.shape ? value
                                            : value.with_shape(parameter.shape);
  }

  void finish_instruction(Literal value) {
    if (uses[next] > 0) values[next] = std::move(value);
    operands.clear();
    control = {};
    awaited.reset();
    ++next;
  }
};

Evaluator::Evaluator(EvaluatorOptions options)
    : options_(std::move(options)),
      random_state_(std::make_shared<std::array<uint64_t, 2>>()) {}

Evaluator::Evaluator(EvaluatorOptions options, Network& network)
    : Evaluator(std::move(options)) {
  network_ = &network;
}

Evaluator::~Evaluator() = default;

Network& Evaluator::network() {
  if (network_ == nullptr) {
    own_network_ = std::make_unique<Network>(Grid{});
    network_ = own_network_.get();
  }
  return *network_;
}

void Evaluator::start(const Computation& computation,
                      std::vector<Literal> arguments) {
  require_arguments(computation, arguments);
  frames_.clear();
  beside_.clear();
  steps_ = 0;
  frames_.push_back(std::make_unique<Frame>(computation, std::move(arguments)));
}

bool Evaluator::step() {
  if (frames_.empty()) return false;
  if (awaited() != nullptr) return true;
  const Instruction& instruction = frames_.back()->instruction();
  try {
    if (frames_.back()->awaited) {
      resume();
    } else {
      require_evaluable(++steps_ <= options_.max_steps, "evaluate.steps",
                        "the program ends within the budget of instructions");
      begin_instruction();
    }
    leave_ended_frames();
  } catch (const Error& error) {
    if (error.location().line != 0) throw;
    throw Error(error.phase(), error.rule(),
                error.message() + " (instruction " + instruction.name + ")",
                instruction.location);
  }
  return !frames_.empty();
}

const Literal& Evaluator::result() const { return result_; }

bool Evaluator::advance() {
  bool moved = false;
  while (!frames_.empty() && awaited() == nullptr) {
    step();
    moved = true;
  }
  return advance_beside() || moved;
}

bool Evaluator::advance_beside() {
  bool moved = false;
  for (const auto& other : beside_) moved = other->advance() || moved;
  std::erase_if(beside_, [&](const std::shared_ptr<Evaluator>& other) {
    if (other->has_ended()) spend(other->steps());
    return other->has_ended();
  });
  return moved;
}

Future Evaluator::run_beside(const Computation& computation,
                             std::vector<Literal> arguments) {
  EvaluatorOptions options = options_;
  require_depth(++options.depth);
  options.max_steps -= std::min(steps_, options.max_steps);
  auto other = std::make_shared<Evaluator>(std::move(options), network());
  other->random_state_ = random_state_;
  other->start(computation, std::move(arguments));
  other->advance();
  beside_.push_back(other);
  return {std::move(other)};
}

const Future* Evaluator::awaited() const {
  if (frames_.empty()) return nullptr;
  const std::optional<Future>& future = frames_.back()->awaited;
  return future && !future->is_ready() ? &*future : nullptr;
}

const Instruction* Evaluator::waiting() const {
  return awaited() == nullptr ? nullptr : &frames_.back()->instruction();
}

Literal Evaluator::run(const Computation& computation,
                       std::vector<Literal> arguments) {
  start(computation, std::move(arguments));
  while (advance()) {
  }
  if (!has_ended()) {
    const Evaluator* self = this;
    throw_deadlock({&self, 1});
  }
  return result_;
}

void Evaluator::defer(Future future) {
  Frame& frame = *frames_.back();
  frame.deferred.insert_or_assign(&frame.instruction(), std::move(future));
}

std::optional<Future> Evaluator::deferred(const Instruction& start) {
  auto node = frames_.back()->deferred.extract(&start);
  if (node.empty()) return std::nullopt;
  return std::move(node.mapped());
}

void Evaluator::begin_instruction() {
  Frame& frame = *frames_.back();
  const Instruction& instruction = frame.instruction();
  frame.gather_operands();
  if (instruction.parameter_number >= 0) {
    end_instruction(frame.take_argument());
  } else if (instruction.op->control != nullptr) {
    visit_control();
  } else if (instruction.op->communicate != nullptr) {
    require_bounds(instruction, frame.operands);
    frame.awaited =
        instruction.op->communicate(instruction, frame.operands, *this);
    if (frame.awaited->is_ready()) resume();
  } else {
    end_instruction(value_of(instruction, frame.operands, *this,
                             options_.observer == nullptr));
  }
}

void Evaluator::visit_control() {
  Frame& frame = *frames_.back();
  const Instruction& instruction = frame.instruction();
  const bool begins_loop =
      frame.control.visits == 0 && instruction.op->name == "while";
  if (begins_loop && options_.observer == nullptr) {
    if (auto value = run_scalar_loop(instruction, frame.operands[0], *this)) {
      end_instruction(std::move(*value));
      return;
    }
  }
  Progress progress =
      instruction.op->control(instruction, frame.operands, frame.control);
  if (auto* value = std::get_if<Literal>(&progress)) {
    end_instruction(std::move(*value));
    return;
  }
  auto& invoke = std::get<Invoke>(progress);
  ++frame.control.visits;
  frames_.push_back(std::make_unique<Frame>(*invoke.computation,
                                            std::move(invoke.arguments)));
}

/// What the instruction waited for has come.
void Evaluator::resume() {
  Frame& frame = *frames_.back();
  const Shape& shape = frame.instruction().shape;
  const Literal value = rounded(frame.awaited->value(), shape);
  require_evaluable(
      compatible(value.shape(), shape, /*ignore_dynamic=*/true),
      "collective.shards",
      "the groups that run have the sizes that the shapes ask for: the value "
      "is " +
          to_string(value.shape(), false));
  end_instruction(value.with_shape(shape));
}

void Evaluator::end_instruction(Literal value) {
  Frame& frame = *frames_.back();
  if (options_.observer != nullptr) {
    options_.observer(frame.instruction(), frame.operands, value);
  }
  frame.finish_instruction(std::move(value));
}

void Evaluator::leave_ended_frames() {
  while (!frames_.empty() && frames_.back()->ended()) {
    Frame& frame = *frames_.back();
    Literal value = frame.take(*frame.computation->root);
    frames_.pop_back();
    if (frames_.empty()) {
      result_ = std::move(value);
      return;
    }
    frames_.back()->control.returned = std::move(value);
    visit_control();
  }
}

Literal evaluate_instruction(const Instruction& instruction, Operands operands,
                             Evaluator& evaluator) {
  const Op& op = *instruction.op;
  if (op.kernel != nullptr) {
    Literal result = apply_elementwise(instruction, operands, evaluator);
    inherit_sizes(result, operands);
    return result;
  }
  if (runs_at_sizes(instruction, operands)) {
    return evaluate_at_sizes(instruction, operands, evaluator);
  }
  if (op.movement != nullptr) {
    return apply(op.movement(instruction, operands), instruction.shape,
                 operands, evaluator);
  }
  if (op.fold != nullptr) {
    return fold_and_round(instruction, operands, evaluator);
  }
  if (op.contraction != nullptr) {
    return apply(op.contraction(instruction), instruction, operands, evaluator);
  }
  if (op.updating != nullptr) {
    return apply(op.updating(instruction, operands, evaluator), operands,
                 evaluator);
  }
  if (op.eval != nullptr) return op.eval(instruction, operands, evaluator);
  throw_undefined(instruction);
}

Literal evaluate(const Module& module, std::vector<Literal> arguments,
                 const EvaluatorOptions& options) {
  std::vector<std::vector<Literal>> lists;
  lists.push_back(std::move(arguments));
  return evaluate_devices(module, std::move(lists), options).results.front();
}

}  // namespace hlo
