#include <algorithm>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/folds/generated_reduce.h"
#include "backends/gpu/operations/folds/running_folds.h"
#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/kernel_codes.h"
#include "backends/gpu/program/map_launch.h"
#include "backends/gpu/program/tape.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/known_reducer.h"

namespace hlo::gpu {
namespace {

Values pointers(const std::vector<Value>& values) {
  Values result;
  for (const Value& value : values) result.push_back(&value);
  return result;
}

/// The inputs and the initial values, in the types of the reducer's parameters.
std::vector<Value> in_types_of(Memory& memory, const Computation& reducer,
                               const Values& operands) {
  std::vector<Value> result;
  for (size_t k = 0; k < operands.size(); ++k) {
    result.push_back(converted(memory, *operands[k],
                               reducer.parameters[k]->shape.element_type));
  }
  return result;
}

/// The shape of a fold in the types of its reducer's results. Its first
/// parameters have the same.
Shape joined_shape(const Instruction& fold) {
  Shape shape = fold.shape;
  const Computation& reducer = callee_of(fold);
  const std::vector<const Shape*> own = leaves(reducer.root->shape);
  const auto join = [&](Shape& leaf, size_t k) {
    const ElementType type = own.at(k)->element_type;
    if (type != reducer.parameters.at(k)->shape.element_type) {
      refuse(fold, "a reducer that changes types");
    }
    leaf.element_type = type;
  };
  if (!shape.is_tuple()) {
    join(shape, 0);
    return shape;
  }
  for (size_t k = 0; k < shape.tuple_shapes.size(); ++k) {
    join(shape.tuple_shapes[k], k);
  }
  return shape;
}

/// The results in the types that the fold states.
Value in_stated_types(Memory& memory, const Instruction& fold, Value joined) {
  if (!fold.shape.is_tuple()) {
    return with_shape(converted(memory, joined, fold.shape.element_type),
                      fold.shape);
  }
  for (size_t k = 0; k < joined.elements.size(); ++k) {
    const Shape& stated = fold.shape.tuple_shapes[k];
    joined.elements[k] = with_shape(
        converted(memory, joined.elements[k], stated.element_type), stated);
  }
  joined.shape = fold.shape;
  return joined;
}

/// One addition of floats: the exact sum.
Value sums(Memory& memory, const Instruction& instruction, const Walk& walk,
           const Values& operands) {
  Value result = new_array(memory, instruction.shape);
  WalkView none;
  none.o_strides.assign(walk.sizes.size(), 0);
  none.t_strides.assign(walk.tap_sizes.size(), 0);
  launch_sums(memory, walk, *operands[0], nullptr, none, {.init = operands[1]},
              result);
  return result;
}

/// The parameters of gpu_fold, whose results are the arrays.
Ints fold_words(const Walk& walk, const Values& operands,
                const std::vector<Value>& results,
                const std::vector<int64_t>& registers, const Tape& tape) {
  Ints words = walk.words();
  append(words, {std::ssize(results), tape.length()});
  for (size_t k = 0; k < results.size(); ++k) {
    append(words,
           {operands[k]->offset(), type_code(results[k].shape.element_type),
            operands[results.size() + k]->offset(), results[k].offset(),
            registers[k]});
  }
  append(words, tape.words);
  return words;
}

/// Any other reducer, from the first element to the last.
Value folds(Memory& memory, const Instruction& instruction, const Walk& walk,
            const Values& operands) {
  const Computation& reducer = callee_of(instruction);
  const size_t inputs = operands.size() / 2;
  if (inputs > kRegisters / 2) refuse(instruction, "that many operands");
  std::vector<Value> results;
  for (const Shape* leaf : leaves(instruction.shape)) {
    results.push_back(new_array(memory, *leaf));
  }
  std::vector<int64_t> arguments;
  for (size_t k = 0; k < operands.size(); ++k) {
    arguments.push_back(static_cast<int64_t>(k));
  }
  TapeWriter writer(std::ssize(operands));
  const std::vector<int64_t> registers = writer.add(reducer, arguments);
  const int64_t count = results.at(0).shape.element_count();
  if (count > 0) {
    memory.device().run(
        Kernel::kFold,
        fold_words(walk, operands, results, registers, writer.tape()), count);
  }
  if (!instruction.shape.is_tuple()) return results.at(0);
  return {instruction.shape, nullptr, std::move(results)};
}

/// The operands have the types of the reducer.
Value fold(Memory& memory, const Instruction& instruction, const Walk& walk,
           const Values& operands) {
  const ElementType type = leaves(instruction.shape).at(0)->element_type;
  const Reducer known = recognize(callee_of(instruction));
  const bool is_real = is_float(type) || is_complex(type);
  if (known == Reducer::kAdd && is_real) {
    return sums(memory, instruction, walk, operands);
  }
  if (known == Reducer::kMultiply && is_float(type)) {
    Value result = new_array(memory, instruction.shape);
    launch_products(memory, walk, *operands[0], operands[1], result);
    return result;
  }
  return folds(memory, instruction, walk, operands);
}

/// The inputs themselves.
Terms plain_terms(const Values& operands) {
  Terms terms;
  for (size_t k = 0; k < operands.size() / 2; ++k) {
    terms.inputs.push_back(view_of(*operands[k]));
    terms.registers.push_back(static_cast<int64_t>(k));
  }
  return terms;
}

Value reduce(Memory& memory, const Instruction& instruction,
             const Values& operands) {
  const Values inits(operands.begin() + std::ssize(operands) / 2,
                     operands.end());
  if (auto value =
          generated_reduce(memory, instruction, plain_terms(operands), inits)) {
    return *value;
  }
  const std::vector<Value> values =
      in_types_of(memory, callee_of(instruction), operands);
  Instruction joining = instruction;
  joining.shape = joined_shape(instruction);
  return in_stated_types(
      memory, instruction,
      fold(memory, joining,
           walk_of_reduce(operands[0]->shape,
                          instruction.get<Ints>("dimensions")),
           pointers(values)));
}

Value reduce_window(Memory& memory, const Instruction& instruction,
                    const Values& operands) {
  const Shape& operand = operands[0]->shape;
  Window window = instruction.get_or("window", Window{});
  window.dims.resize(operand.dims.size());
  const std::vector<Value> values =
      in_types_of(memory, callee_of(instruction), operands);
  Instruction joining = instruction;
  joining.shape = joined_shape(instruction);
  auto value = running_fold(memory, joining, pointers(values));
  if (!value) {
    value = fold(memory, joining,
                 walk_of_window(operand, *leaves(joining.shape).at(0), window),
                 pointers(values));
  }
  return in_stated_types(memory, instruction, *std::move(value));
}

}  // namespace

Functions fold_functions() {
  return {{"reduce", reduce}, {"reduce-window", reduce_window}};
}

}  // namespace hlo::gpu
