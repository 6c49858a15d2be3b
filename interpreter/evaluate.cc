#include "interpreter/evaluate.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "interpreter/contraction.h"
#include "interpreter/elementwise.h"
#include "interpreter/error.h"
#include "interpreter/fold.h"
#include "interpreter/movement.h"
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
                        std::to_string(parameters.size()) +
                        " arguments, but is given " +
                        std::to_string(arguments.size()));
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
  throw Error(Phase::kEvaluate, "evaluate.undefined",
              "operation " + std::string(instruction.op->name) +
                  " (of instruction " + instruction.name +
                  ") cannot be evaluated yet",
              instruction.location);
}

/// Element-wise results are as long as their operands are at run time.
void inherit_dynamic_sizes(Literal& result, Operands operands) {
  for (const Literal& operand : operands) {
    if (operand.dynamic_sizes().empty()) continue;
    if (!same_dims(operand.shape(), result.shape())) continue;
    result.set_dynamic_sizes(operand.dynamic_sizes());
    return;
  }
}

bool same_types(const Shape& a, const Shape& b) {
  return a.element_type == b.element_type &&
         std::ranges::equal(a.tuple_shapes, b.tuple_shapes, same_types);
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
  Literal result = apply(fold, typed, operands, evaluator);
  if (shape.is_array()) return with_float_type(result, shape.element_type);
  std::vector<Literal> rounded;
  for (size_t i = 0; i < result.elements().size(); ++i) {
    rounded.push_back(with_float_type(result.elements()[i],
                                      shape.tuple_shapes[i].element_type));
  }
  return Literal::tuple(std::move(rounded));
}

/// The value of an operation without control; operands that it may use up.
Literal value_of(const Instruction& instruction, std::span<Literal> operands,
                 Evaluator& evaluator, bool may_consume) {
  if (may_consume && instruction.op->movement != nullptr) {
    const Movement movement = instruction.op->movement(instruction, operands);
    return apply_consuming(movement, instruction.shape, operands, evaluator);
  }
  return evaluate_instruction(instruction, operands, evaluator);
}

/// The first exception that any of several threads met.
class FirstException {
 public:
  void capture() {
    const std::lock_guard lock(mutex_);
    if (exception_ == nullptr) exception_ = std::current_exception();
  }

  void rethrow() const {
    if (exception_ != nullptr) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
};

}  // namespace

/// One computation on its way: the next instruction and the live values.
struct Evaluator::Frame {
  const Computation* computation;
  std::vector<Literal> arguments;
  std::vector<int32_t> uses;      // still to come, by position
  std::vector<Literal> values;    // by position; freed after the last use
  std::vector<Literal> operands;  // of the instruction that is running
  ControlState control;           // of the same
  size_t next = 0;                // position of that instruction

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
    ++next;
  }
};

Evaluator::Evaluator(EvaluatorOptions options) : options_(std::move(options)) {}

Evaluator::~Evaluator() = default;

void Evaluator::start(const Computation& computation,
                      std::vector<Literal> arguments) {
  require_arguments(computation, arguments);
  frames_.clear();
  steps_ = 0;
  frames_.push_back(std::make_unique<Frame>(computation, std::move(arguments)));
}

bool Evaluator::step() {
  if (frames_.empty()) return false;
  require_evaluable(++steps_ <= options_.max_steps, "evaluate.steps",
                    "the program ends within the budget of instructions");
  const Instruction& instruction = frames_.back()->instruction();
  try {
    begin_instruction();
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

Literal Evaluator::run(const Computation& computation,
                       std::vector<Literal> arguments) {
  start(computation, std::move(arguments));
  while (step()) {
  }
  return result_;
}

void Evaluator::begin_instruction() {
  Frame& frame = *frames_.back();
  const Instruction& instruction = frame.instruction();
  frame.gather_operands();
  if (instruction.parameter_number >= 0) {
    end_instruction(frame.take_argument());
  } else if (instruction.op->control != nullptr) {
    visit_control();
  } else {
    end_instruction(value_of(instruction, frame.operands, *this,
                             options_.observer == nullptr));
  }
}

void Evaluator::visit_control() {
  Frame& frame = *frames_.back();
  const Instruction& instruction = frame.instruction();
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

void Evaluator::parallel_for(
    int64_t n, int64_t grain,
    const std::function<void(int64_t, int64_t)>& body) const {
  if (n <= 0) return;
  constexpr int64_t kPiecesPerThread = 4;  // evens out pieces of unequal cost
  const int64_t most = std::max<int64_t>(1, n / std::max<int64_t>(1, grain));
  const int64_t threads = std::min<int64_t>(options_.threads, most);
  if (threads <= 1) return body(0, n);
  const int64_t pieces = std::min(most, threads * kPiecesPerThread);
  std::atomic<int64_t> next_piece{0};
  FirstException failure;
  const auto work = [&] {
    try {
      for (int64_t p = next_piece++; p < pieces; p = next_piece++) {
        body(n / pieces * p + std::min(p, n % pieces),
             n / pieces * (p + 1) + std::min(p + 1, n % pieces));
      }
    } catch (...) {
      failure.capture();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int64_t t = 1; t < threads; ++t) helpers.emplace_back(work);
    work();
  }
  failure.rethrow();
}

Literal evaluate_instruction(const Instruction& instruction, Operands operands,
                             Evaluator& evaluator) {
  const Op& op = *instruction.op;
  if (op.kernel != nullptr) {
    Literal result = apply_elementwise(instruction, operands, evaluator);
    inherit_dynamic_sizes(result, operands);
    return result;
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
                 EvaluatorOptions options) {
  Evaluator evaluator(std::move(options));
  return evaluator.run(*module.entry, std::move(arguments));
}

}  // namespace hlo
