#include "backends/tpu/run/execution.h"

#include <algorithm>
#include <string>
#include <utility>

#include "backends/run_in_order.h"
#include "backends/tpu/counts/instruction_counts.h"
#include "backends/tpu/devices/brought.h"
#include "backends/tpu/machine/scalar_read.h"
#include "backends/tpu/memory/trap.h"
#include "backends/tpu/operations/fills/fill.h"
#include "backends/tpu/run/instruction_value.h"
#include "backends/tpu/run/laid_out.h"
#include "backends/tpu/run/scan_slices.h"
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/devices/parallel_programs.h"
#include "interpreter/rules/work.h"

namespace hlo::tpu {
namespace {

constexpr int kMostLevels = 100;
/// Units of work that a machine takes for an instruction beside its registers,
/// as measured: five times those of the evaluator.
constexpr int64_t kWorkOfTiledInstruction = 5 * kWorkOfInstruction;

/// The trap with the instruction that it sprang in; that of the innermost
/// computation.
Trap named(const Trap& trap, const Instruction& instruction) {
  const std::string what = trap.what();
  if (what.starts_with('%')) return trap;
  return {trap.rule(), "%" + instruction.name + " (" +
                           std::string(instruction.op->name) + ") " + what};
}

void poison_padding(const Value& value) {
  if (value.shape.is_array()) value.array.memory->poison();
  for (const Value& element : value.elements) poison_padding(element);
}

std::vector<Value> copies(const Values& operands) {
  std::vector<Value> values;
  values.reserve(operands.size());
  for (const Value* operand : operands) values.push_back(*operand);
  return values;
}

void add_arrays(const Value& value, const std::string& name,
                std::vector<NamedArray>& arrays) {
  if (value.shape.is_array()) arrays.push_back({&value.array, name});
  for (size_t k = 0; k < value.elements.size(); ++k) {
    add_arrays(value.elements[k], name + "{" + std::to_string(k) + "}", arrays);
  }
}

}  // namespace

/// A computation that is being run, or an instruction that waits for one.
struct Execution::Frame {
  const Computation* computation = nullptr;
  std::vector<Value> arguments = {};
  std::vector<Value> values = {};       // by position
  std::vector<int64_t> last_uses = {};  // of each value, by position
  size_t next = 0;
  int64_t run = 0;           // of the instruction at `next`, for who watches
  bool has_decided = false;  // the loop's condition is what returns next
  std::optional<Value> state = {};  // of the loop at `next`
  std::unique_ptr<Scan> scan = {};  // at `next`
  std::optional<Pending> pending = {};
  std::map<const LayoutCopy*, Value> copies = {};  // that are still to be read

  const Instruction& instruction() const {
    return *computation->instructions[next];
  }

  /// The arrays that its operands are, and copies of them.
  std::vector<NamedArray> arrays_read() const;

  const Value* place(const Instruction& operand) const {
    return operand.parameter_number >= 0
               ? &arguments[static_cast<size_t>(operand.parameter_number)]
               : &values[static_cast<size_t>(operand.position)];
  }
};

std::vector<NamedArray> Execution::Frame::arrays_read() const {
  std::vector<NamedArray> arrays;
  for (const Instruction* operand : instruction().operands) {
    add_arrays(*place(*operand), "%" + operand->name, arrays);
  }
  for (const auto& [copy, value] : copies) {
    add_arrays(value, "a copy of %" + copy->value->name, arrays);
  }
  return arrays;
}

Execution::Execution(const GridSurroundings& around, const Device& device)
    : around_(around),
      device_(device),
      machine_(*around.machines[static_cast<size_t>(
          flattened_id(device, around.network.grid()))]) {}

Execution::~Execution() = default;

void Execution::start(const Computation& computation,
                      std::vector<Value> arguments) {
  call(computation, std::move(arguments));
}

/// The value as the plan lays the instruction's out.
Value Execution::planned(const Instruction& instruction, Value value) {
  return laid_out(machine_, std::move(value),
                  around_.plan.leaves_of(instruction));
}

void Execution::call(const Computation& computation,
                     std::vector<Value> arguments) {
  // What only hands values on costs something, too: no loop is for nothing.
  machine_.evaluator.budget().spend(kWorkOfTiledInstruction *
                                    std::ssize(computation.instructions));
  auto frame = std::make_unique<Frame>();
  frame->computation = &computation;
  for (size_t k = 0; k < arguments.size(); ++k) {
    const Instruction& parameter = *computation.parameters[k];
    std::vector<NamedArray> given;
    if (around_.watch != nullptr)
      add_arrays(arguments[k], "the argument", given);
    const int64_t run = watch_begin(parameter);
    frame->arguments.push_back(planned(parameter, arguments[k]));
    give_counts(machine_, &parameter);
    watch_end(parameter, run, frame->arguments.back(), given);
  }
  frame->values.resize(computation.instructions.size());
  frame->last_uses = last_uses(computation);
  frames_.push_back(std::move(frame));
}

bool Execution::advance() {
  bool moved = false;
  for (const auto& other : beside_) {
    if (other->advance()) moved = true;
  }
  std::erase_if(beside_, [](const auto& other) { return other->has_ended(); });
  while (!frames_.empty() && step()) moved = true;
  return moved;
}

const Instruction* Execution::waiting() const {
  return has_ended() ? nullptr : &frames_.back()->instruction();
}

bool Execution::step() {
  Frame& frame = *frames_.back();
  if (frame.next == frame.values.size()) {
    finish();
    return true;
  }
  if (frame.instruction().parameter_number >= 0) {
    ++frame.next;
    return true;
  }
  const Instruction& instruction = frame.instruction();
  try {
    const bool moved =
        frame.pending ? resume(frame) : visit(frame, instruction);
    give_counts(machine_, &instruction);
    return moved;
  } catch (const Trap& trap) {
    throw named(trap, instruction);
  }
}

/// Goes on where what the instruction waits for is there.
bool Execution::resume(Frame& frame) {
  const Value* value = (*frame.pending)();
  if (value == nullptr) return false;
  watch_resume(frame);
  Value own =
      retyped(machine_, brought(machine_, *value), frame.instruction().shape);
  frame.pending.reset();
  put(frame, std::move(own));
  return true;
}

bool Execution::visit(Frame& frame, const Instruction& instruction) {
  frame.run = watch_begin(instruction);
  Values operands;
  for (const Instruction* operand : instruction.operands) {
    operands.push_back(frame.place(*operand));
  }
  if (instruction.op->communicate != nullptr) {
    frame.pending = communicate(instruction, operands);
    return true;
  }
  switch (instruction.op->form) {
    case Form::kCall: {
      std::vector<Value> arguments =
          copies(copied(frame, instruction, operands));
      give_counts(machine_, &instruction);
      call(callee_of(instruction), std::move(arguments));
      break;
    }
    case Form::kBranches:
      branch(frame, instruction, operands);
      break;
    case Form::kLoop:
      repeat(frame, instruction, operands);
      break;
    case Form::kScan:
      begin_scan(frame, instruction, operands);
      break;
    default:
      run_one(frame, instruction, operands);
  }
  return true;
}

void Execution::run_one(Frame& frame, const Instruction& instruction,
                        const Values& operands) {
  if (is_run_parallel(instruction)) {
    return put(frame,
               around_.run_programs(instruction, operands, around_, machine_));
  }
  switch (instruction.op->form) {
    case Form::kTuple:
      return put(frame,
                 {.shape = instruction.shape, .elements = copies(operands)});
    case Form::kElement:
      return put(frame, operands[0]->elements.at(static_cast<size_t>(
                            instruction.get<int64_t>("index"))));
    default:
      return put(frame, array_of(frame, instruction, operands));
  }
}

void Execution::branch(Frame& frame, const Instruction& instruction,
                       const Values& operands) {
  const Computations choices = called_by(instruction);
  const int64_t last = std::ssize(choices) - 1;
  const int64_t selector = integer_at(machine_, operands[0]->array, 0);
  const bool two_way = operands[0]->shape.element_type == ElementType::kPred;
  int64_t chosen = two_way ? 1 - selector : selector;
  if (machine_.has(Fault::kBranchesSwapped) && two_way) chosen = selector;
  const bool is_first = machine_.has(Fault::kFirstBranchByDefault);
  if (chosen < 0 || chosen > last) chosen = is_first ? 0 : last;
  const auto at = static_cast<size_t>(chosen);
  const Value* const argument = read_from(frame, instruction, operands, at + 1);
  give_counts(machine_, &instruction);
  call(*choices[at], {*argument});
}

/// The first visit of a loop; finish() makes the others.
void Execution::repeat(Frame& frame, const Instruction& loop,
                       const Values& operands) {
  Value state = planned(loop, *operands[0]);
  give_counts(machine_, &loop);
  if (machine_.has(Fault::kBodyFirst)) {
    frame.has_decided = false;
    return call(*loop.get<Computation*>("body"), {std::move(state)});
  }
  frame.has_decided = true;
  frame.state = state;
  call(*loop.get<Computation*>("condition"), {std::move(state)});
}

void Execution::finish() {
  Value value = *frames_.back()->place(*frames_.back()->computation->root);
  frames_.pop_back();
  if (frames_.empty()) {
    result_ = std::move(value);
    return;
  }
  Frame& frame = *frames_.back();
  try {
    const Instruction& caller = frame.instruction();
    watch_resume(frame);
    take(frame, std::move(value));
    give_counts(machine_, &caller);
  } catch (const Trap& trap) {
    throw named(trap, frame.instruction());
  }
}

/// What the computation returns that the frame's instruction runs.
void Execution::take(Frame& frame, Value value) {
  const Instruction& caller = frame.instruction();
  if (frame.scan != nullptr) {
    frame.scan->take(value);
    return scan_on(frame);
  }
  if (caller.op->form != Form::kLoop) return put(frame, std::move(value));
  if (!frame.has_decided) {
    frame.has_decided = true;
    frame.state = planned(caller, std::move(value));
    give_counts(machine_, &caller);
    return call(*caller.get<Computation*>("condition"), {*frame.state});
  }
  Value state = *std::move(frame.state);
  frame.state.reset();
  if (integer_at(machine_, value.array, 0) == 0)
    return put(frame, std::move(state));
  frame.has_decided = false;
  std::vector<Value> arguments;
  arguments.push_back(std::move(state));
  call(*caller.get<Computation*>("body"), std::move(arguments));
}

void Execution::put(Frame& frame, Value value) {
  const Instruction& instruction = frame.instruction();
  const auto at = static_cast<size_t>(instruction.position);
  frame.values[at] = planned(instruction, std::move(value));
  if (around_.watch != nullptr) {
    watch_end(instruction, frame.run, frame.values[at], frame.arrays_read());
  }
  std::erase_if(frame.copies, [&](const auto& copy) {
    return copy.first->last == &instruction;
  });
  for (const Instruction* operand : instruction.operands) {
    const auto used = static_cast<size_t>(operand->position);
    if (frame.last_uses[used] == instruction.position) {
      frame.values[used] = Value();
    }
  }
  ++frame.next;
}

int64_t Execution::watch_begin(const Instruction& instruction) {
  if (around_.watch == nullptr) return 0;
  return around_.watch->begin(machine_, device_, instruction);
}

void Execution::watch_resume(const Frame& frame) {
  if (around_.watch == nullptr) return;
  around_.watch->resume(machine_, frame.run);
}

void Execution::watch_end(const Instruction& instruction, int64_t run,
                          const Value& value,
                          const std::vector<NamedArray>& read) {
  if (around_.watch == nullptr) return;
  around_.watch->end(machine_, device_, instruction, run, value, read);
}

/// Before each operation padding is another: what it takes from there is not
/// what any other left.
void Execution::begin_operation(const Values& operands) {
  machine_.memory.begin_operation();
  if (machine_.has(Fault::kStalePadding)) return;
  for (const Value* operand : operands) poison_padding(*operand);
}

/// What operand k is read from: itself, or a copy that is kept.
const Value* Execution::read_from(Frame& frame, const Instruction& instruction,
                                  const Values& operands, size_t k) {
  const LayoutCopy* const copy = around_.plan.copy_of(instruction, k);
  if (copy == nullptr) return operands[k];
  Value& value = frame.copies[copy];
  if (value.array.memory == nullptr) {
    value = laid_out(machine_, *operands[k], {copy->to});
  }
  return &value;
}

/// The operands of an element-wise operation as its lanes meet, or of a call as
/// it takes them.
Values Execution::copied(Frame& frame, const Instruction& instruction,
                         const Values& operands) {
  Values read;
  for (size_t k = 0; k < operands.size(); ++k) {
    read.push_back(read_from(frame, instruction, operands, k));
  }
  return read;
}

Value Execution::array_of(Frame& frame, const Instruction& instruction,
                          const Values& operands) {
  begin_operation(operands);
  return instruction_value(
      machine_, instruction, operands, copied(frame, instruction, operands),
      around_.plan.leaves_of(instruction),
      [this](const LayoutPlan& plan, const Computation& computation,
             const Values& arguments) {
        return ended(plan, computation, arguments);
      });
}

void Execution::begin_scan(Frame& frame, const Instruction& scan,
                           const Values& operands) {
  begin_operation(operands);
  frame.scan = std::make_unique<Scan>(machine_, scan, operands);
  scan_on(frame);
}

/// The next step of the scan at the frame's instruction, or its value.
void Execution::scan_on(Frame& frame) {
  const Instruction& scan = frame.instruction();
  if (auto arguments = frame.scan->next()) {
    give_counts(machine_, &scan);
    return call(callee_of(scan), *std::move(arguments));
  }
  const std::unique_ptr<Scan> ended = std::move(frame.scan);
  put(frame, ended->result());
}

/// The value of a computation that is run to its end before anything else is.
Value Execution::ended(const LayoutPlan& plan, const Computation& computation,
                       const Values& arguments) {
  const bool is_own = &plan == &around_.plan;
  GridSurroundings around{.plan = plan,
                          .network = around_.network,
                          .machines = around_.machines,
                          .host = around_.host,
                          .depth = around_.depth,
                          .levels = around_.levels,
                          .watch = is_own ? around_.watch : nullptr,
                          .run_programs = around_.run_programs};
  if (++around.levels > kMostLevels) {
    throw Unsupported("does not run programs on blocks nested more than " +
                      std::to_string(kMostLevels) + " deep");
  }
  if (!has_ended()) give_counts(machine_, waiting());
  Execution inner(around, device_);
  inner.start(computation, copies(arguments));
  while (!inner.has_ended() && inner.advance()) {
  }
  if (!inner.has_ended()) {
    throw Unsupported("does not wait for others in a program on blocks");
  }
  return inner.result();
}

Execution::Pending Execution::run_beside(const Computation& computation,
                                         std::vector<Value> arguments) {
  GridSurroundings around = around_;
  require_depth(++around.depth);
  const auto other = std::make_shared<Execution>(around, device_);
  other->start(computation, std::move(arguments));
  other->advance();
  beside_.push_back(other);
  return [other]() -> const Value* {
    return other->has_ended() ? &other->result() : nullptr;
  };
}

}  // namespace hlo::tpu
