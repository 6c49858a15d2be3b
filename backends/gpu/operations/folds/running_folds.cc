#include "backends/gpu/operations/folds/running_folds.h"

#include <algorithm>
#include <utility>

#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/kernel_codes.h"
#include "backends/gpu/program/tape.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/known_reducer.h"

// The kernels of kernels/running.inc.

namespace hlo::gpu {
namespace {

/// Shorter lines are folded window by window.
constexpr int64_t kShortLine = 16;
/// Elements of a part, at least; parts of all lines, at most.
constexpr int64_t kLeastPart = 64;
constexpr int64_t kMostParts = 4096;
/// Where the kernel's words have what is done.
constexpr size_t kStepWord = 11;

/// The only dimension along which windows are longer than 1.
struct Line {
  size_t dimension = 0;
  bool is_backward = false;
};

/// Whether windows of one element each are the array itself.
bool is_plain(const WindowDimension& own) {
  return own.size == 1 && own.stride == 1 && own.low == 0 && own.high == 0 &&
         own.base_dilation == 1;
}

std::optional<Line> line_of(const Shape& operand, const Window& window) {
  std::optional<Line> line;
  for (size_t d = 0; d < window.dims.size(); ++d) {
    const WindowDimension& own = window.dims[d];
    if (is_plain(own)) continue;
    const bool steps =
        own.stride == 1 && own.base_dilation == 1 && own.window_dilation == 1;
    const bool is_forward = own.low == own.size - 1 && own.high == 0;
    const bool is_backward = own.high == own.size - 1 && own.low == 0;
    if (line || !steps || own.size < operand.dims[d] ||
        operand.dims[d] < kShortLine || !(is_forward || is_backward)) {
      return std::nullopt;
    }
    line = {d, is_backward};
  }
  return line;
}

/// How the region folds, and what may be done in another order.
struct Steps {
  int64_t how = BY_TAPE;
  bool turns = false;      // from the last element to the first
  bool has_parts = false;  // each folded alone
};

Steps steps_of(const Computation& reducer, ElementType type) {
  const Reducer known = recognize(reducer);
  const bool is_real = is_float(type) || is_complex(type);
  if (known == Reducer::kOther) return {};
  if (!is_real) return {BY_TAPE, true, true};
  if (known == Reducer::kAdd) return {BY_SUM, true, true};
  // Factors are cut off one after the other.
  if (known == Reducer::kMultiply && is_float(type)) {
    return {BY_PRODUCT, true, false};
  }
  const bool has_order =
      known == Reducer::kMaximum || known == Reducer::kMinimum;
  return {BY_TAPE, has_order, has_order};
}

/// A launch of the kernels.
struct Running {
  Ints sizes;    // of the other dimensions
  Ints strides;  // along them
  int64_t length = 0;
  int64_t base = 0;
  int64_t stride = 0;
  int64_t part_length = 0;
  Steps steps;
  Tape tape;

  Running(const Shape& operand, Line line, Steps own) : steps(own) {
    const Ints all = row_major_strides(operand.dims);
    for (size_t d = 0; d < all.size(); ++d) {
      if (d == line.dimension) continue;
      sizes.push_back(operand.dims[d]);
      strides.push_back(all[d]);
    }
    length = operand.dims[line.dimension];
    part_length = length;
    stride = all[line.dimension];
    if (line.is_backward) {
      base = stride * (length - 1);
      stride = -stride;
    }
    if (!own.has_parts) return;
    const int64_t most =
        std::max(kMostParts / std::max(lines(), int64_t{1}), int64_t{1});
    part_length = std::max(kLeastPart, (length + most - 1) / most);
  }

  int64_t lines() const { return elements_in(sizes); }

  /// What the states of all parts take, and those before them.
  int64_t state_bytes() const { return lines() * parts() * STATE_WORDS * 16; }

  /// How many parts a line has.
  int64_t parts() const { return (length + part_length - 1) / part_length; }
};

/// The kernels' words but for the arrays.
Ints head_of(const Running& own, int64_t arrays, int64_t states) {
  Ints words = {own.lines(),     std::ssize(own.sizes),
                own.length,      own.base,
                own.stride,      own.parts(),
                own.part_length, own.tape.length(),
                own.steps.how,   arrays,
                states,          RUN_PARTS};
  append(words, own.sizes);
  append(words, own.strides);
  return words;
}

void run_step(Memory& memory, Ints words, int64_t step, int64_t items) {
  words[kStepWord] = step;
  memory.device().run(Kernel::kRunning, words, items);
}

/// The results, whose registers the tape has.
std::vector<Value> launch(Memory& memory, const Running& own,
                          const Instruction& instruction,
                          const Values& operands,
                          const std::vector<int64_t>& registers) {
  std::vector<Value> results;
  for (const Shape* leaf : leaves(instruction.shape)) {
    results.push_back(new_array(memory, *leaf));
  }
  const int64_t parts = own.lines() * own.parts();
  if (parts == 0) return results;
  std::optional<Value> states;
  if (own.parts() > 1) {
    states = new_array(
        memory, Shape::array(ElementType::kS64, {2, parts, STATE_WORDS}));
  }
  Ints words =
      head_of(own, std::ssize(results), states ? states->offset() : -1);
  for (size_t k = 0; k < results.size(); ++k) {
    words.push_back(operands[results.size() + k]->offset());
  }
  for (size_t k = 0; k < results.size(); ++k) {
    const int64_t type = type_code(results[k].shape.element_type);
    append(words, {0, type, operands[k]->offset(), results[k].offset(),
                   registers[k], type, type});
  }
  append(words, own.tape.words);
  if (states) {
    run_step(memory, words, FOLD_PARTS, parts);
    run_step(memory, words, JOIN_PARTS, own.lines());
  }
  run_step(memory, words, RUN_PARTS, parts);
  return results;
}

}  // namespace

std::optional<Value> running_fold(Memory& memory,
                                  const Instruction& instruction,
                                  const Values& operands) {
  const Shape& operand = operands[0]->shape;
  Window window = instruction.get_or("window", Window{});
  window.dims.resize(operand.dims.size());
  const std::optional<Line> line = line_of(operand, window);
  const Computation& reducer = callee_of(instruction);
  if (!line || operand.rank() > kMaxRank || std::ssize(operands) > kRegisters) {
    return std::nullopt;
  }
  const Steps steps =
      steps_of(reducer, leaves(instruction.shape).at(0)->element_type);
  if (line->is_backward && !steps.turns) return std::nullopt;
  Running own(operand, *line, steps);
  if (!memory.has_room(own.state_bytes())) own.part_length = own.length;
  std::vector<int64_t> arguments;
  for (size_t k = 0; k < operands.size(); ++k) {
    arguments.push_back(static_cast<int64_t>(k));
  }
  TapeWriter writer(std::ssize(operands));
  const std::vector<int64_t> registers = writer.add(reducer, arguments);
  own.tape = writer.tape();
  std::vector<Value> results =
      launch(memory, own, instruction, operands, registers);
  if (!instruction.shape.is_tuple()) return results.at(0);
  return Value{instruction.shape, nullptr, std::move(results)};
}

}  // namespace hlo::gpu
