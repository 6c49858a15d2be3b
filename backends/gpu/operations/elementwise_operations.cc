#include <algorithm>
#include <iterator>
#include <numeric>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/program/map_launch.h"
#include "backends/gpu/program/tape.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/op.h"

namespace hlo::gpu {
namespace {

/// A scalar is repeated for each index of the result.
View input_view(const Instruction& instruction, const Value& operand,
                const Ints& sizes) {
  if (operand.shape.dims == sizes) return view_of(operand);
  if (operand.shape.rank() != 0) refuse(instruction, "operands of two shapes");
  return view_of(operand, Ints(sizes.size(), 0));
}

Map map_of(const Instruction& instruction, const Values& operands,
           const Ints& sizes) {
  Map map;
  map.sizes = sizes;
  for (const Value* operand : operands) {
    map.inputs.push_back(input_view(instruction, *operand, sizes));
  }
  return map;
}

std::vector<int64_t> first_registers(size_t count) {
  std::vector<int64_t> registers(count);
  std::iota(registers.begin(), registers.end(), int64_t{0});
  return registers;
}

/// Registers of the operands converted to the computation's parameter types.
std::vector<int64_t> parameters_of(TapeWriter& writer,
                                   const Computation& computation,
                                   const Values& operands) {
  std::vector<int64_t> registers;
  for (size_t k = 0; k < operands.size(); ++k) {
    registers.push_back(
        writer.convert(static_cast<int64_t>(k), operands[k]->shape.element_type,
                       computation.parameters[k]->shape.element_type));
  }
  return registers;
}

/// The operation `map`.
Value map_computation(Memory& memory, const Instruction& instruction,
                      const Values& operands) {
  const Computation& callee = callee_of(instruction);
  Value result{instruction.shape, nullptr, {}};
  if (instruction.shape.is_tuple()) refuse(instruction, "a tuple");
  Map map = map_of(instruction, operands, instruction.shape.dims);
  TapeWriter writer(std::ssize(operands));
  const std::vector<int64_t> registers =
      writer.add(callee, parameters_of(writer, callee, operands));
  map.tape = writer.tape();
  result = new_array(memory, instruction.shape);
  map.results.push_back({view_of(result), registers.at(0)});
  launch(memory, std::move(map));
  return result;
}

Value iota(Memory& memory, const Instruction& instruction, const Values&) {
  Value result = new_array(memory, instruction.shape);
  TapeWriter writer(0);
  const int64_t reg = writer.index(instruction.get<int64_t>("iota_dimension"),
                                   instruction.shape.element_type);
  launch(memory,
         {instruction.shape.dims, {}, {{view_of(result), reg}}, writer.tape()});
  return result;
}

constexpr std::string_view kNames[] = {"convert",
                                       "negate",
                                       "abs",
                                       "sign",
                                       "not",
                                       "popcnt",
                                       "count-leading-zeros",
                                       "floor",
                                       "ceil",
                                       "round-nearest-afz",
                                       "round-nearest-even",
                                       "is-finite",
                                       "real",
                                       "imag",
                                       "sqrt",
                                       "reduce-precision",
                                       "add",
                                       "subtract",
                                       "multiply",
                                       "divide",
                                       "remainder",
                                       "maximum",
                                       "minimum",
                                       "and",
                                       "or",
                                       "xor",
                                       "shift-left",
                                       "shift-right-arithmetic",
                                       "shift-right-logical",
                                       "power",
                                       "mulhi",
                                       "complex",
                                       "compare",
                                       "select",
                                       "clamp",
                                       "atan2",
                                       "stochastic-convert",
                                       "exponential",
                                       "exponential-minus-one",
                                       "log",
                                       "log-plus-one",
                                       "sine",
                                       "cosine",
                                       "tan",
                                       "asin",
                                       "acos",
                                       "sinh",
                                       "cosh",
                                       "tanh",
                                       "asinh",
                                       "acosh",
                                       "atanh",
                                       "logistic",
                                       "erf",
                                       "rsqrt",
                                       "cbrt"};

}  // namespace

bool runs_by_elements(const Instruction& instruction) {
  return std::ranges::find(kNames, instruction.op->name) != std::end(kNames);
}

Value elementwise(Memory& memory, const Instruction& instruction,
                  const Values& operands) {
  Value result = new_array(memory, instruction.shape);
  Map map = map_of(instruction, operands, instruction.shape.dims);
  TapeWriter writer(std::ssize(operands));
  const int64_t reg = writer.add(instruction, first_registers(operands.size()));
  map.tape = writer.tape();
  map.results.push_back({view_of(result), reg});
  launch(memory, std::move(map));
  return result;
}

Functions elementwise_functions() {
  Functions functions = {{"map", map_computation}, {"iota", iota}};
  for (const std::string_view name : kNames) {
    functions.emplace(name, elementwise);
  }
  return functions;
}

}  // namespace hlo::gpu
