#include "backends/gpu/run/evaluate_program.h"

#include <string>
#include <utility>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/program/map_launch.h"
#include "backends/gpu/run/element_chains.h"
#include "backends/gpu/run/host_functions.h"
#include "backends/gpu/run/staged_values.h"
#include "backends/run_in_order.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/op.h"

namespace hlo::gpu {
namespace {

constexpr int64_t kMostLevels = 100;
constexpr int64_t kMostTrips = 1'000'000;
/// How many elements a map may have that is run one by one.
constexpr int64_t kMostElements = 65536;

const Functions& functions() {
  static const Functions table = [] {
    Functions all;
    for (const Functions& some :
         {elementwise_functions(), movement_functions(), fold_functions(),
          contraction_functions(), order_functions(), gather_functions(),
          scatter_functions(), random_functions(), scaled_functions(),
          ragged_functions(), custom_call_functions(), linear_functions(),
          normalization_functions(), transform_functions()}) {
      all.insert(some.begin(), some.end());
    }
    return all;
  }();
  return table;
}

/// Runs computations that run others, one level below its own.
class Evaluation {
 public:
  Evaluation(Memory& memory, int64_t level) : memory_(memory), level_(level) {
    if (level > kMostLevels) {
      throw Unsupported("does not run computations nested more than " +
                        std::to_string(kMostLevels) + " deep");
    }
  }

  Value run(const Computation& computation, const Values& arguments);
  Value value_of(const Instruction& instruction, const Values& operands);

 private:
  Value called(const Computation& computation, const Values& arguments) {
    return Evaluation(memory_, level_ + 1).run(computation, arguments);
  }

  Value branch(const Instruction& instruction, const Values& operands);
  Value loop(const Instruction& instruction, const Values& operands);
  Value scan(const Instruction& instruction, const Values& operands);
  Value map(const Instruction& instruction, const Values& operands);
  Value element(const Computation& callee, const Values& operands,
                int64_t place);
  Value identity(const Instruction& instruction, const Values& operands);
  Value function(const Instruction& instruction, const Values& operands);
  Value on_host(const Instruction& instruction, const Values& operands);

  Memory& memory_;
  int64_t level_;
};

Value Evaluation::run(const Computation& computation, const Values& arguments) {
  ElementChains chains(computation, memory_.kernels().may_generate(INT64_MAX));
  return run_in_order<Value>(
      computation, arguments,
      [&](const Instruction& instruction, const Values& operands) {
        if (chains.is_inner(instruction)) {
          chains.keep(instruction, operands);
          return Value();
        }
        return chains.has_inner_operands(instruction)
                   ? chains.value(memory_, instruction, operands)
                   : value_of(instruction, operands);
      });
}

Value Evaluation::identity(const Instruction& instruction,
                           const Values& operands) {
  const bool is_converted =
      instruction.shape.is_array() &&
      instruction.shape.element_type != operands[0]->shape.element_type;
  if (is_converted) {
    return functions().at(instruction.op->name == "real" ? "real" : "convert")(
        memory_, instruction, operands);
  }
  return with_shape(*operands[0], instruction.shape);
}

Value Evaluation::branch(const Instruction& instruction,
                         const Values& operands) {
  const Computations choices = called_by(instruction);
  const int64_t last = std::ssize(choices) - 1;
  const int64_t selector = integer_at(memory_, *operands[0], 0);
  const bool two_way = operands[0]->shape.element_type == ElementType::kPred;
  int64_t chosen = two_way ? 1 - selector : selector;
  if (chosen < 0 || chosen > last) chosen = last;
  const auto at = static_cast<size_t>(chosen);
  return called(*choices[at], {operands[at + 1]});
}

Value Evaluation::loop(const Instruction& instruction, const Values& operands) {
  const auto& condition = *instruction.get<Computation*>("condition");
  const auto& body = *instruction.get<Computation*>("body");
  Value state = *operands[0];
  for (int64_t trips = 0;; ++trips) {
    const Value goes_on = called(condition, {&state});
    if (integer_at(memory_, goes_on, 0) == 0) return state;
    if (trips >= kMostTrips) {
      throw Unsupported("does not run loops of more than a million trips");
    }
    state = called(body, {&state});
  }
}

/// One slice along a dimension, as an array of that shape.
Value slice_of(Memory& memory, const Value& array, size_t dimension,
               int64_t place, const Shape& shape) {
  Ints strides = row_major_strides(array.shape.dims);
  const int64_t base = place * strides[dimension];
  strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(dimension));
  Value slice = new_array(memory, shape);
  copy(memory, shape.dims, view_of(array, strides, base), view_of(slice));
  return slice;
}

void put_slice(Memory& memory, const Value& slice, const Value& array,
               size_t dimension, int64_t place) {
  Ints strides = row_major_strides(array.shape.dims);
  const int64_t base = place * strides[dimension];
  strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(dimension));
  copy(memory, slice.shape.dims, view_of(slice), view_of(array, strides, base));
}

bool same_types(const std::vector<Value>& values, const Computation& body) {
  for (size_t k = 0; k < values.size(); ++k) {
    if (!compatible(values[k].shape, body.parameters[k]->shape)) return false;
  }
  return true;
}

/// What goes through the steps of a scan.
struct Scan {
  const Instruction& instruction;
  const Values& operands;
  const Computation& body;
  size_t d;  // the dimension of the slices
  size_t carries;
  size_t inputs;
  size_t outputs;
  std::vector<Value> results;  // outputs, then carries

  Scan(Memory& memory, const Instruction& scan, const Values& values)
      : instruction(scan),
        operands(values),
        body(callee_of(scan)),
        d(static_cast<size_t>(scan.get<Ints>("dimensions").at(0))),
        carries(static_cast<size_t>(scan.get<int64_t>("num_carries"))),
        inputs(values.size() - carries),
        outputs(leaves(scan.shape).size() - carries) {
    if (inputs == 0) refuse(scan, "no inputs");
    for (const Shape* leaf : leaves(scan.shape)) {
      results.push_back(new_array(memory, *leaf));
    }
    for (size_t k = 0; k < carries; ++k) {
      results[outputs + k] = *operands[inputs + k];
    }
  }

  /// The arguments of the body at one place.
  std::vector<Value> arguments(Memory& memory, int64_t place) const {
    std::vector<Value> values;
    for (size_t k = 0; k < inputs; ++k) {
      values.push_back(
          slice_of(memory, *operands[k], d, place, body.parameters[k]->shape));
      if (operands[k]->shape.element_type != values[k].shape.element_type) {
        refuse(instruction, "a body of other types");
      }
    }
    for (size_t k = 0; k < carries; ++k) values.push_back(results[outputs + k]);
    if (!same_types(values, body)) refuse(instruction, "a body of other types");
    return values;
  }

  void take(Memory& memory, const Value& returned, int64_t place) {
    const std::vector<Value> given = returned.shape.is_tuple()
                                         ? returned.elements
                                         : std::vector<Value>{returned};
    for (size_t k = 0; k < outputs; ++k) {
      if (given[k].shape.element_type != results[k].shape.element_type) {
        refuse(instruction, "a body of other types");
      }
      put_slice(memory, given[k], results[k], d, place);
    }
    for (size_t k = outputs; k < results.size(); ++k) results[k] = given[k];
  }
};

Value Evaluation::scan(const Instruction& instruction, const Values& operands) {
  Scan scan(memory_, instruction, operands);
  const bool is_reverse = instruction.get_or("is_reverse", false);
  const int64_t steps = operands[0]->shape.dims[scan.d];
  for (int64_t step = 0; step < steps; ++step) {
    const int64_t place = is_reverse ? steps - 1 - step : step;
    const std::vector<Value> values = scan.arguments(memory_, place);
    Values arguments;
    for (const Value& value : values) arguments.push_back(&value);
    scan.take(memory_, called(scan.body, arguments), place);
  }
  if (!instruction.shape.is_tuple()) return scan.results.at(0);
  return {instruction.shape, nullptr, std::move(scan.results)};
}

/// What the computation gives of the operands' elements at a row-major place.
Value Evaluation::element(const Computation& callee, const Values& operands,
                          int64_t place) {
  std::vector<Value> scalars;
  for (size_t k = 0; k < operands.size(); ++k) {
    const ElementType type = operands[k]->shape.element_type;
    const int64_t own = operands[k]->shape.is_scalar() ? 0 : place;
    const Value scalar = new_array(memory_, Shape::scalar(type));
    copy(memory_, {}, view_of(*operands[k], {}, own), view_of(scalar));
    scalars.push_back(
        converted(memory_, scalar, callee.parameters[k]->shape.element_type));
  }
  Values arguments;
  for (const Value& scalar : scalars) arguments.push_back(&scalar);
  return called(callee, arguments);
}

/// In one launch, or where the computation is more than a tape, element by
/// element.
Value Evaluation::map(const Instruction& instruction, const Values& operands) {
  try {
    return functions().at("map")(memory_, instruction, operands);
  } catch (const Unsupported&) {
    if (!instruction.shape.is_array() ||
        instruction.shape.element_count() > kMostElements) {
      throw;
    }
  }
  const Computation& callee = callee_of(instruction);
  Value result = new_array(memory_, instruction.shape);
  for (int64_t i = 0; i < instruction.shape.element_count(); ++i) {
    const Value value = converted(memory_, element(callee, operands, i),
                                  instruction.shape.element_type);
    copy(memory_, {}, view_of(value), view_of(result, {}, i));
  }
  return result;
}

Value Evaluation::on_host(const Instruction& instruction,
                          const Values& operands) {
  std::vector<cpu::Array> arrays;
  arrays.reserve(operands.size());
  std::vector<const cpu::Array*> places;
  for (const Value* operand : operands) {
    arrays.push_back(downloaded(memory_, *operand, operand->shape));
    places.push_back(&arrays.back());
  }
  return with_shape(
      uploaded(memory_, host_function(instruction)(instruction, places)),
      instruction.shape);
}

Value Evaluation::function(const Instruction& instruction,
                           const Values& operands) {
  if (instruction.op->name == "after-all") {
    return {instruction.shape, nullptr, {}};
  }
  if (host_function(instruction) != nullptr) {
    return on_host(instruction, operands);
  }
  const auto found = functions().find(instruction.op->name);
  if (found == functions().end()) {
    throw Unsupported("does not run " + std::string(instruction.op->name));
  }
  for (const Value* operand : operands) {
    if (!operand->shape.is_array()) refuse(instruction, "operands of no array");
  }
  if (instruction.op->form == Form::kMap) return map(instruction, operands);
  return found->second(memory_, instruction, operands);
}

Value Evaluation::value_of(const Instruction& instruction,
                           const Values& operands) {
  if (instruction.shape.has_dynamic_dimensions()) {
    refuse(instruction, "sizes that are known at run time only");
  }
  switch (instruction.op->form) {
    case Form::kConstant:
      require_evaluable(instruction.literal != nullptr, "constant.elided",
                        {"the elements of ", instruction.name, " are {...}"},
                        "the text must give those of a constant that is used");
      return upload(memory_, *instruction.literal);
    case Form::kTuple: {
      Value tuple{instruction.shape, nullptr, {}};
      for (const Value* operand : operands) tuple.elements.push_back(*operand);
      return tuple;
    }
    case Form::kElement:
      return operands[0]->elements.at(
          static_cast<size_t>(instruction.get<int64_t>("index")));
    case Form::kIdentity:
      return identity(instruction, operands);
    case Form::kCall:
      return called(callee_of(instruction), operands);
    case Form::kBranches:
      return branch(instruction, operands);
    case Form::kScan:
      return scan(instruction, operands);
    case Form::kLoop:
      return loop(instruction, operands);
    default:
      return function(instruction, operands);
  }
}

}  // namespace

Value evaluate(Memory& memory, const Computation& computation,
               const Values& arguments) {
  return Evaluation(memory, 0).run(computation, arguments);
}

Value evaluate(Memory& memory, const Instruction& instruction,
               const Values& operands) {
  return Evaluation(memory, 0).value_of(instruction, operands);
}

}  // namespace hlo::gpu
