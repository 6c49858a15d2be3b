#include "backends/cpu/devices/strand.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "backends/cpu/arrays/converted.h"
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/devices/parallel_programs.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kMaxTrips = 1'000'000;

/// The instructions that run computations as frames of the strand.
enum class Control : uint8_t { kNone, kCall, kWhile, kConditional };

Control control_of(const Instruction& instruction) {
  static const std::unordered_map<std::string_view, Control> by_name = {
      {"call", Control::kCall},
      {"fusion", Control::kCall},
      {"while", Control::kWhile},
      {"conditional", Control::kConditional}};
  const auto found = by_name.find(instruction.op->name);
  return found == by_name.end() ? Control::kNone : found->second;
}

/// The computation that a conditional runs, and the operand that it gets.
std::pair<const Computation*, size_t> chosen(const Instruction& instruction,
                                             const Array& selector) {
  const bool two_way = selector.shape.element_type == ElementType::kPred;
  const Computations branches = called_by(instruction);
  const auto last = std::ssize(branches) - 1;
  int64_t branch = two_way ? (selector.bytes.at(0) != std::byte{0} ? 0 : 1)
                           : integer(selector, 0);
  if (branch < 0 || branch > last) branch = last;
  const auto at = static_cast<size_t>(branch);
  return {branches[at], at + 1};
}

std::vector<Array> copies(Operands operands) {
  std::vector<Array> values;
  values.reserve(operands.size());
  for (const Array* operand : operands) values.push_back(*operand);
  return values;
}

}  // namespace

/// A computation that is being run, or an instruction that waits for one.
struct Strand::Frame {
  const Computation* computation = nullptr;
  std::vector<Array> arguments;
  std::vector<Array> values;   // by position
  std::vector<int64_t> users;  // that have not yet read each value
  size_t next = 0;
  int64_t trips = 0;           // of the loop at `next`
  bool has_decided = false;    // the loop's condition is what returns next
  std::optional<Array> state;  // of that loop
  std::optional<Pending> pending;

  const Instruction& instruction() const {
    return *computation->instructions[next];
  }

  const Array* place(const Instruction& operand) const {
    return operand.parameter_number >= 0
               ? &arguments[static_cast<size_t>(operand.parameter_number)]
               : &values[static_cast<size_t>(operand.position)];
  }
};

Strand::Strand(const Surroundings& around, Device device,
               std::shared_ptr<Counter> state)
    : around_(around), device_(device), state_(std::move(state)) {}

Strand::~Strand() = default;

void Strand::start(const Computation& computation,
                   std::vector<Array> arguments) {
  call(computation, std::move(arguments));
}

void Strand::call(const Computation& computation,
                  std::vector<Array> arguments) {
  auto frame = std::make_unique<Frame>();
  frame->computation = &computation;
  frame->arguments = std::move(arguments);
  frame->values.resize(computation.instructions.size());
  frame->users.resize(computation.instructions.size());
  for (const auto& instruction : computation.instructions) {
    for (const Instruction* operand : instruction->operands) {
      ++frame->users[static_cast<size_t>(operand->position)];
    }
  }
  ++frame->users[static_cast<size_t>(computation.root->position)];
  frames_.push_back(std::move(frame));
}

bool Strand::advance() {
  const UseRandomState state(*state_);
  bool moved = false;
  for (const auto& other : beside_) {
    if (other->advance()) moved = true;
  }
  std::erase_if(beside_, [](const auto& other) { return other->has_ended(); });
  while (!frames_.empty() && step()) moved = true;
  return moved;
}

const Instruction* Strand::waiting() const {
  return has_ended() ? nullptr : &frames_.back()->instruction();
}

bool Strand::step() {
  Frame& frame = *frames_.back();
  if (frame.pending) {
    const Array* value = (*frame.pending)();
    if (value == nullptr) return false;
    Array copy = *value;
    frame.pending.reset();
    put(frame, std::move(copy));
  } else if (frame.next == frame.values.size()) {
    finish();
  } else if (frame.instruction().parameter_number >= 0) {
    ++frame.next;
  } else {
    visit(frame, frame.instruction());
  }
  return true;
}

void Strand::visit(Frame& frame, const Instruction& instruction) {
  std::vector<const Array*> operands;
  for (const Instruction* operand : instruction.operands) {
    operands.push_back(frame.place(*operand));
  }
  switch (control_of(instruction)) {
    case Control::kCall:
      return call(callee_of(instruction), copies(operands));
    case Control::kWhile:
      return repeat(frame, instruction, operands);
    case Control::kConditional: {
      const auto [branch, operand] = chosen(instruction, *operands[0]);
      return call(*branch, {*operands.at(operand)});
    }
    case Control::kNone:
      break;
  }
  if (instruction.op->communicate != nullptr) {
    frame.pending = communicate(instruction, operands);
  } else if (is_run_parallel(instruction)) {
    put(frame, around_.run_programs(instruction, operands, around_));
  } else {
    put(frame, around_.calls.run_one(instruction, operands));
  }
}

/// The first visit of a loop; finish() makes the others.
void Strand::repeat(Frame& frame, const Instruction& loop, Operands operands) {
  frame.trips = 0;
  frame.has_decided = true;
  frame.state = *operands[0];
  call(*loop.get<Computation*>("condition"), {*frame.state});
}

void Strand::finish() {
  Array value = *frames_.back()->place(*frames_.back()->computation->root);
  frames_.pop_back();
  if (frames_.empty()) {
    result_ = std::move(value);
    return;
  }
  Frame& frame = *frames_.back();
  const Instruction& caller = frame.instruction();
  if (control_of(caller) != Control::kWhile) {
    return put(frame, std::move(value));
  }
  if (!frame.has_decided) {
    frame.has_decided = true;
    frame.state = std::move(value);
    call(*caller.get<Computation*>("condition"), {*frame.state});
  } else if (value.bytes.at(0) == std::byte{0}) {
    Array state = *std::move(frame.state);
    frame.state.reset();
    put(frame, std::move(state));
  } else {
    if (++frame.trips > kMaxTrips) {
      throw Unsupported("a loop of more than a million trips");
    }
    frame.has_decided = false;
    std::vector<Array> state;
    state.push_back(*std::move(frame.state));
    call(*caller.get<Computation*>("body"), std::move(state));
  }
}

void Strand::put(Frame& frame, Array value) {
  const Instruction& instruction = frame.instruction();
  const auto at = static_cast<size_t>(instruction.position);
  if (frame.users[at] > 0) {
    frame.values[at] = with_float_types(std::move(value), instruction.shape);
  }
  for (const Instruction* operand : instruction.operands) {
    const auto used = static_cast<size_t>(operand->position);
    if (--frame.users[used] == 0) frame.values[used] = Array();
  }
  ++frame.next;
}

Pending Strand::run_beside(const Computation& computation,
                           std::vector<Array> arguments) {
  Surroundings around = around_;
  ++around.depth;
  require_evaluable(
      around.depth <= kMostDepth, "evaluate.depth",
      {"computations run beside each other ", around.depth, " deep"},
      "they can be nested at most 32 deep");
  const auto other = std::make_shared<Strand>(around, device_, state_);
  other->start(computation, std::move(arguments));
  other->advance();
  beside_.push_back(other);
  return [other]() -> const Array* {
    return other->has_ended() ? &other->result() : nullptr;
  };
}

}  // namespace hlo::cpu
