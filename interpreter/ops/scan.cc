// spec/ops/scan.md
#include <algorithm>

#include "interpreter/plans/region/program.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes.h"
#include "interpreter/rules/slices.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, true},
    {"num_carries", AttributeKind::kInt},
    {"is_reverse", AttributeKind::kBool},
    {"is_associative", AttributeKind::kBool},
    {"to_apply", AttributeKind::kComputation, true},
};

/// How many steps the scan takes: the common size of the inputs along d.
int64_t check_inputs(const Instruction& scan, size_t inputs, int64_t d) {
  const auto at = static_cast<size_t>(d);
  for (size_t i = 0; i < inputs; ++i) {
    const Shape& input = scan.operand_shape(i);
    require(
        input.is_array() && d < input.rank() &&
            input.dims[at] == scan.operand_shape(0).dims[at],
        "scan.C3",
        {"an input is ", input, " and the first one ", scan.operand_shape(0)},
        "all inputs must have one size along the scanned dimension");
  }
  return scan.operand_shape(0).dims[at];
}

/// The body takes a slice of each input and the carries.
void check_parameters(const Instruction& scan, size_t inputs, int64_t d) {
  const Computation& body = *scan.get<Computation*>("to_apply");
  require(body.parameters.size() == scan.operands.size(), "scan.C4",
          {"to_apply takes ", Count{std::ssize(body.parameters), "argument"},
           " and the scan has ", Count{std::ssize(scan.operands), "operand"}},
          "it must take a slice of each input, and the carries");
  for (size_t i = 0; i < scan.operands.size(); ++i) {
    Shape expected = scan.operand_shape(i);
    if (i < inputs) {
      expected.dims.erase(expected.dims.begin() + d);
      expected.dynamic.clear();
    }
    require(compatible(body.parameters[i]->shape, expected, true), "scan.C4",
            {"parameter ", i, " of to_apply is ", body.parameters[i]->shape,
             " and is given ", expected},
            "to_apply must take a slice of each input, and the carries");
  }
}

Shape stacked(const Shape& slice, int64_t d, int64_t size) {
  require(slice.is_array() && d <= slice.rank(), "scan.C6",
          {"to_apply returns ", slice,
           " for each step of a scan along dimension ", d},
          "it must return an array that can be stacked along it");
  Shape result = Shape::array(slice.element_type, slice.dims);
  result.dims.insert(result.dims.begin() + d, size);
  return result;
}

Shape infer(const Instruction& scan) {
  const auto carries = scan.get_or<int64_t>("num_carries", 0);
  const auto operands = static_cast<int64_t>(scan.operands.size());
  require(carries >= 0 && carries < operands, "scan.C1",
          {"num_carries is ", carries, " and there are ",
           Count{operands, "operand"}},
          "these must be inputs, at least one, and then an initial value for "
          "each carry");
  const auto inputs = static_cast<size_t>(operands - carries);
  const int64_t d =
      only_dimension(scan, scan.operand_shape(0).rank(), "scan.C2");
  const int64_t size = check_inputs(scan, inputs, d);
  check_parameters(scan, inputs, d);
  Shape result = scan.get<Computation*>("to_apply")->root->shape;
  const auto count = static_cast<int64_t>(result.tuple_shapes.size());
  require(result.is_tuple() && count >= carries, "scan.C5",
          {"to_apply returns ", result, " and num_carries is ", carries},
          "it must return a tuple of outputs and carries");
  for (int64_t i = 0; i < count; ++i) {
    Shape& element = result.tuple_shapes[static_cast<size_t>(i)];
    const int64_t carry = i - (count - carries);
    if (carry < 0) {
      element = stacked(element, d, size);
    } else {
      require(
          compatible(element,
                     scan.operand_shape(inputs + static_cast<size_t>(carry)),
                     true),
          "scan.C7",
          {"a carry is ", element, " and its initial value ",
           scan.operand_shape(inputs + static_cast<size_t>(carry))},
          "a carry must keep its shape");
    }
  }
  return result;
}

/// One for each slice that all inputs have at run time.
int64_t steps_of(Operands inputs, int64_t d) {
  const auto at = static_cast<size_t>(d);
  int64_t steps = inputs[0].shape().dims[at];
  for (const Literal& input : inputs) {
    steps = std::min(steps, sizes_of(input)[at]);
  }
  return steps;
}

/// How a scan's operands and results are divided.
struct Parts {
  const Computation* body;
  int64_t d;
  int64_t steps;
  bool is_reverse;
  size_t inputs;
  size_t carries;
  size_t outputs;

  Parts(const Instruction& scan, Operands operands)
      : body(scan.get<Computation*>("to_apply")),
        d(scan.get<Ints>("dimensions")[0]),
        is_reverse(scan.get_or<bool>("is_reverse", false)),
        carries(static_cast<size_t>(scan.get_or<int64_t>("num_carries", 0))) {
    inputs = operands.size() - carries;
    outputs = scan.shape.tuple_shapes.size() - carries;
    steps = steps_of(operands.first(inputs), d);
  }

  /// Which slices step `step` takes and gives.
  int64_t slice_of(int64_t step) const {
    return is_reverse ? steps - 1 - step : step;
  }
};

/// The sizes of an output whose slices are `slice` at run time.
Ints output_sizes(const Parts& parts, const Ints& slice) {
  Ints sizes = slice;
  sizes.insert(sizes.begin() + parts.d, parts.steps);
  return sizes;
}

/// The outputs before any step, then the carries.
std::vector<Literal> first_values(const Instruction& scan, Operands operands,
                                  const Parts& parts) {
  std::vector<Literal> values;
  for (size_t i = 0; i < parts.outputs; ++i) {
    const Shape& shape = scan.shape.tuple_shapes[i];
    Ints slice = shape.dims;
    slice.erase(slice.begin() + parts.d);
    values.emplace_back(shape);
    values.back().set_dynamic_sizes(output_sizes(parts, slice));
  }
  values.insert(values.end(),
                operands.begin() + static_cast<std::ptrdiff_t>(parts.inputs),
                operands.end());
  return values;
}

/// The elements of a slice that a step works on.
struct Piece {
  int64_t size;   // of a slice
  int64_t first;  // of it
  int64_t n;
};

/// Runs a compiled body: all steps on some elements of each slice, which lie
/// side by side, so that the program needs only pointers to them.
void run_piece(const Program& program, Operands operands, const Parts& parts,
               const Piece& piece, std::vector<Literal>& values) {
  Program::Scratch scratch(program, piece.n, EvaluatorOptions().max_steps);
  const auto offset = [&](const Literal& array, int64_t slice) {
    return (slice * piece.size + piece.first) * storage_bytes(array.type());
  };
  std::vector<const std::byte*> inputs(operands.size());
  std::vector<std::byte*> outputs(values.size());
  for (size_t i = 0; i < parts.carries; ++i) {
    Literal& carry = values[parts.outputs + i];
    std::byte* const to = carry.mutable_bytes().data() + offset(carry, 0);
    inputs[parts.inputs + i] = to;
    outputs[parts.outputs + i] = to;
  }
  for (int64_t step = 0; step < parts.steps; ++step) {
    const int64_t k = parts.slice_of(step);
    for (size_t i = 0; i < parts.inputs; ++i) {
      inputs[i] = operands[i].bytes().data() + offset(operands[i], k);
    }
    for (size_t i = 0; i < parts.outputs; ++i) {
      outputs[i] = values[i].mutable_bytes().data() + offset(values[i], k);
    }
    program.run(scratch, piece.n, inputs.data(), outputs.data());
  }
}

/// Runs all steps by a program, if the body becomes one: on scalars, or
/// element-wise on arrays whose slices are not interleaved.
bool run_compiled(Operands operands, const Parts& parts,
                  std::vector<Literal>& values) {
  const Ints& dims = parts.body->parameters[0]->shape.dims;
  const bool is_interleaved =
      std::any_of(dims.begin(), dims.begin() + parts.d,
                  [](int64_t size) { return size != 1; });
  const bool is_sized = std::ranges::any_of(
      operands, [](const Literal& x) { return !x.dynamic_sizes().empty(); });
  if (is_interleaved || (is_sized && !dims.empty())) return false;
  const auto program = Program::compile_lanes(*parts.body, dims);
  if (!program) return false;
  const int64_t size = parts.body->parameters[0]->shape.element_count();
  for (int64_t first = 0; first < size; first += Program::kMaxElements) {
    const int64_t n = std::min(Program::kMaxElements, size - first);
    run_piece(*program, operands, parts, {size, first, n}, values);
  }
  return true;
}

/// The values after the step that just returned.
void keep_returned(const Parts& parts, const Literal& returned, int64_t step,
                   std::vector<Literal>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    const Literal& value = returned.elements()[i];
    if (i < parts.outputs) {
      Ints sizes = output_sizes(parts, sizes_of(value));
      require_evaluable(
          step == 0 || sizes == sizes_of(values[i]), "evaluate.sizes",
          {"scan: the slices of an output have several sizes at run time"},
          "they must have one");
      values[i].set_dynamic_sizes(std::move(sizes));
      put_slice(values[i], value, parts.d, parts.slice_of(step));
    } else {
      values[i] = value;
    }
  }
}

std::vector<Literal> arguments_of(const Parts& parts, Operands operands,
                                  const std::vector<Literal>& values,
                                  int64_t step) {
  std::vector<Literal> arguments;
  for (size_t i = 0; i < parts.inputs; ++i) {
    arguments.push_back(take_slice(operands[i],
                                   parts.body->parameters[i]->shape, parts.d,
                                   parts.slice_of(step)));
  }
  arguments.insert(arguments.end(),
                   values.begin() + static_cast<std::ptrdiff_t>(parts.outputs),
                   values.end());
  return arguments;
}

/// state.values: the outputs as far as they are known, and the carries.
Progress control(const Instruction& scan, Operands operands,
                 ControlState& state) {
  const Parts parts(scan, operands);
  if (state.visits > 0) {
    keep_returned(parts, state.returned, state.visits - 1, state.values);
  } else {
    state.values = first_values(scan, operands, parts);
    if (run_compiled(operands, parts, state.values)) {
      return Literal::tuple(std::move(state.values));
    }
  }
  if (state.visits == parts.steps) {
    return Literal::tuple(std::move(state.values));
  }
  return Invoke{parts.body,
                arguments_of(parts, operands, state.values, state.visits)};
}

/// Steps that are grouped otherwise give the same only where nothing rounds.
bool is_determined(const Instruction& scan) {
  if (!scan.get_or<bool>("is_associative", false)) return true;
  return std::ranges::none_of(
      scan.get<Computation*>("to_apply")->instructions, [](const auto& each) {
        const ElementType type = each->shape.element_type;
        return is_float(type) || is_complex(type);
      });
}

}  // namespace

extern constinit const Op op_scan{.name = "scan",
                                  .min_operands = 1,
                                  .max_operands = -1,
                                  .attributes = kAttributes,
                                  .infer = infer,
                                  .control = control,
                                  .accuracy = {Accuracy::Kind::kInherit},
                                  .is_determined = is_determined};

}  // namespace hlo
