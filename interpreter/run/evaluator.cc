#include "interpreter/run/evaluator.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "interpreter/arithmetic_state.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/rules/float_types.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/network.h"
#include "interpreter/run/parallel_for.h"
#include "interpreter/run/shared_limits.h"
#include "interpreter/shortened.h"

namespace hlo {
namespace {

/// The values of a computation's instructions while they live: a program of
/// many instructions holds few at the same time.
class LiveValues {
 public:
  explicit LiveValues(const Computation& computation)
      : places_(computation.instructions.size()) {
    for (const auto& instruction : computation.instructions) {
      for (const Instruction* operand : instruction->operands) {
        ++places_[static_cast<size_t>(operand->position)].uses;
      }
    }
    // The root's result is one more use.
    ++places_[static_cast<size_t>(computation.root->position)].uses;
    values_.reserve(std::min(places_.size(), kFew));
  }

  size_t size() const { return places_.size(); }

  /// The value of the instruction at the position, which is freed after the
  /// last use.
  Literal take(size_t position) {
    Place& place = places_[position];
    if (--place.uses > 0) return values_[place.slot];
    place.uses = free_;
    free_ = static_cast<int32_t>(position);
    return std::exchange(values_[place.slot], Literal());
  }

  /// Keeps it where it is used.
  void put(size_t position, Literal value) {
    Place& place = places_[position];
    if (place.uses == 0) return;
    if (free_ == kNone) {
      place.slot = static_cast<uint32_t>(values_.size());
      values_.push_back(std::move(value));
      return;
    }
    const Place& dead = places_[static_cast<size_t>(free_)];
    place.slot = dead.slot;
    free_ = dead.uses;
    values_[place.slot] = std::move(value);
  }

 private:
  static constexpr size_t kFew = 8;
  static constexpr int32_t kNone = -1;

  struct Place {
    int32_t uses = 0;   // still to come; of what is dead, the next dead one
    uint32_t slot = 0;  // of the value
  };

  std::vector<Place> places_;  // by position
  std::vector<Literal> values_;
  int32_t free_ = kNone;  // the position of a dead value, whose slot is free
};

void require_arguments(const Computation& computation,
                       const std::vector<Literal>& arguments) {
  const auto& parameters = computation.parameters;
  require_evaluable(parameters.size() == arguments.size(), "evaluate.arguments",
                    {"computation ", computation.name, " is given ",
                     Count{std::ssize(arguments), "argument"}, " and has ",
                     Count{std::ssize(parameters), "parameter"}},
                    "they must be as many");
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

constexpr size_t kMostNamed = 4;  // in a message
constexpr size_t kMostOfName = 40;

/// "1, 2 and 5 more".
std::string listed(std::span<const int64_t> ids) {
  std::string text;
  for (size_t i = 0; i < std::min(ids.size(), kMostNamed); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(ids[i]);
  }
  if (ids.size() <= kMostNamed) return text;
  return text + " and " + std::to_string(ids.size() - kMostNamed) + " more";
}

std::string named(std::span<const int64_t> ids) {
  return (ids.size() == 1 ? "device " : "devices ") + listed(ids);
}

/// "device 0 waits at r (all-reduce) for devices 1, 2".
std::string describe(const Evaluator& evaluator, int64_t id) {
  const Instruction& instruction = *evaluator.waiting();
  const std::vector<int64_t> others = evaluator.awaited()->awaited();
  return "device " + std::to_string(id) + " waits at " +
         shortened(instruction.name, kMostOfName) + " (" +
         std::string(instruction.op->name) + ") for " +
         (others.empty() ? std::string("the other end of its channel")
                         : named(others));
}

/// What is left to say behind those that were named.
std::string rest(size_t waiting, std::span<const int64_t> ended) {
  std::string text;
  if (waiting > kMostNamed) {
    text = "; and " + counted(static_cast<int64_t>(waiting - kMostNamed),
                              "more device waits", "more devices wait");
  }
  if (ended.empty()) return text;
  return text + "; " + named(ended) + (ended.size() == 1 ? " has" : " have") +
         " ended";
}

}  // namespace

/// One computation on its way: the next instruction and the live values.
struct Evaluator::Frame {
  const Computation* computation;
  std::vector<Literal> arguments;
  LiveValues values;
  std::vector<Literal> operands;  // of the instruction that is running
  ControlState control;           // of the same
  std::optional<Future> awaited;  // of the same
  std::map<const Instruction*, Future> deferred;  // by the starts
  size_t next = 0;  // position of that instruction

  Frame(const Computation& run, std::vector<Literal> given)
      : computation(&run), arguments(std::move(given)), values(run) {}

  bool ended() const { return next == values.size(); }

  const Instruction& instruction() const {
    return *computation->instructions[next];
  }

  Literal take(const Instruction& operand) {
    return values.take(static_cast<size_t>(operand.position));
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
    values.put(next, std::move(value));
    operands.clear();
    control = {};
    awaited.reset();
    ++next;
  }
};

Evaluator::Evaluator(const Valuation& valuation, EvaluatorOptions options)
    : valuation_(valuation),
      options_(std::move(options)),
      random_state_(std::make_shared<std::array<uint64_t, 2>>()) {
  if (options_.budget == nullptr) options_.budget = shared_limits().budget;
  if (options_.budget != nullptr) return;
  options_.budget = std::make_shared<Budget>(
      options_.max_work > 0 ? options_.max_work : Budget::by_inputs(0));
}

Evaluator::Evaluator(const Valuation& valuation, EvaluatorOptions options,
                     Network& network)
    : Evaluator(valuation, std::move(options)) {
  network_ = &network;
}

Evaluator::~Evaluator() = default;

Literal Evaluator::value(const Instruction& instruction,
                         std::span<Literal> operands) {
  return valuation_.value(instruction, operands, *this);
}

void Evaluator::parallel_for(
    int64_t n, int64_t grain,
    const std::function<void(int64_t, int64_t)>& body) const {
  hlo::parallel_for(options_.threads, n, grain, body);
}

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
      budget().spend(kWorkOfInstruction);
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
  std::erase_if(beside_, [](const std::shared_ptr<Evaluator>& other) {
    return other->has_ended();
  });
  return moved;
}

Future Evaluator::run_beside(const Computation& computation,
                             std::vector<Literal> arguments) {
  EvaluatorOptions options = options_;
  require_depth(++options.depth);
  auto other =
      std::make_shared<Evaluator>(valuation_, std::move(options), network());
  other->random_state_ = random_state_;
  other->start(computation, std::move(arguments));
  other->advance();
  beside_.push_back(other);
  return {
      .poll =
          [other] { return other->has_ended() ? &other->result() : nullptr; },
      .awaited =
          [other] {
            const Future* future = other->awaited();
            return future == nullptr ? std::vector<int64_t>()
                                     : future->awaited();
          }};
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
  const ReferenceArithmetic arithmetic;
  start(computation, std::move(arguments));
  while (advance()) {
  }
  if (!has_ended()) {
    const Evaluator* self = this;
    throw_deadlock({&self, 1});
  }
  return result_;
}

Literal Evaluator::call(const Computation& region,
                        std::vector<Literal> arguments) {
  if (regions_ == nullptr) {
    EvaluatorOptions options = options_;
    options.observer = {};
    options.observer_of = {};
    options.meeting_observer = {};
    regions_ = std::make_unique<Evaluator>(valuation_, std::move(options));
  }
  return regions_->run(region, std::move(arguments));
}

void Evaluator::defer(Future future) {
  Frame& frame = *frames_.back();
  frame.deferred.insert_or_assign(&frame.instruction(), std::move(future));
}

std::optional<Future> Evaluator::deferred(const Instruction& start) {
  auto node = frames_.back()->deferred.extract(&start);
  if (node.empty()) return std::nullopt;
  Future future = std::move(node.mapped());
  return future;
}

void Evaluator::begin_instruction() {
  Frame& frame = *frames_.back();
  const Instruction& instruction = frame.instruction();
  frame.gather_operands();
  if (regions_ != nullptr) *regions_->random_state_ = {};
  if (instruction.parameter_number >= 0) {
    end_instruction(frame.take_argument());
  } else if (instruction.op->control != nullptr) {
    visit_control();
  } else if (instruction.op->communicate != nullptr) {
    budget().spend(work_of(instruction));
    frame.awaited =
        instruction.op->communicate(instruction, frame.operands, *this);
    if (frame.awaited->is_ready()) resume();
  } else {
    end_instruction(value(instruction, frame.operands));
  }
}

void Evaluator::visit_control() {
  Frame& frame = *frames_.back();
  const Instruction& instruction = frame.instruction();
  if (frame.control.visits == 0 && options_.observer == nullptr) {
    if (auto value = valuation_.at_once(instruction, frame.operands, *this)) {
      end_instruction(std::move(*value));
      return;
    }
  }
  Progress progress = instruction.op->control(instruction, frame.operands,
                                              frame.control, *this);
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
  const Literal value = with_float_types(frame.awaited->value(), shape);
  require_evaluable(
      compatible(value.shape(), shape, /*ignore_dynamic=*/true),
      "collective.shards",
      {"the value is ", value.shape(), " where ", shape, " is expected"},
      "the groups that run must have the sizes that the shapes ask for");
  end_instruction(value.with_shape(shape));
}

void Evaluator::end_instruction(Literal value) {
  Frame& frame = *frames_.back();
  if (options_.observer != nullptr) {
    const ReferenceArithmetic arithmetic;
    const ForeignCode foreign("an observer", {});
    options_.observer(frame.instruction(), frame.operands, value);
  }
  budget().spend(0);  // what its regions took last
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

void require_depth(int depth) {
  constexpr int kDeepest = 32;
  require_evaluable(depth <= kDeepest, "evaluate.depth",
                    {"programs that run programs are nested ", depth, " deep"},
                    "they can be nested at most 32 deep");
}

void throw_deadlock(std::span<const Evaluator* const> devices) {
  std::string text;
  std::vector<int64_t> ended;
  size_t waiting = 0;
  Location location;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (devices[i]->has_ended()) {
      ended.push_back(static_cast<int64_t>(i));
      continue;
    }
    if (waiting == 0) location = devices[i]->waiting()->location;
    if (waiting++ >= kMostNamed) continue;
    text += (text.empty() ? "" : "; ") +
            describe(*devices[i], static_cast<int64_t>(i));
  }
  throw Error(Phase::kEvaluate, "evaluate.deadlock",
              text + rest(waiting, ended), location);
}

}  // namespace hlo
