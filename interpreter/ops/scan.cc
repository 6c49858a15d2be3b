// spec/ops/scan.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/dimensions/scan_parts.h"
#include "interpreter/rules/dimensions/slices.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, true},
    {"num_carries", AttributeKind::kInt, true},
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
  const auto carries = scan.get<int64_t>("num_carries");
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
  const Shape& returned = scan.get<Computation*>("to_apply")->root->shape;
  std::vector<Shape> results = scan_shapes(returned);
  const std::ptrdiff_t count = std::ssize(results);
  require(count >= carries, "scan.C5",
          {"to_apply returns ", returned, " and num_carries is ", carries},
          "it must return a tuple of outputs and carries, or the only one");
  for (int64_t i = 0; i < count; ++i) {
    Shape& element = results[static_cast<size_t>(i)];
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
  const Shape& form = scan.has_shape ? scan.shape : returned;
  return count == 1 && !form.is_tuple() ? results[0]
                                        : Shape::tuple(std::move(results));
}

/// The values after the step that just returned.
void keep_returned(const ScanParts& parts, const Literal& returned,
                   int64_t step, std::vector<Literal>& values) {
  const std::vector<Literal> given = ScanParts::values_of(returned);
  for (size_t i = 0; i < values.size(); ++i) {
    const Literal& value = given[i];
    if (i < parts.outputs) {
      Ints sizes = parts.output_sizes(sizes_of(value));
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

std::vector<Literal> arguments_of(const ScanParts& parts, Operands operands,
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
                 ControlState& state, Evaluator&) {
  const ScanParts parts(scan, operands);
  if (state.visits > 0) {
    keep_returned(parts, state.returned, state.visits - 1, state.values);
  } else {
    state.values = first_values(scan, operands, parts);
  }
  if (state.visits == parts.steps) {
    return parts.result(std::move(state.values));
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
                                  .form = Form::kScan,
                                  .min_operands = 1,
                                  .max_operands = -1,
                                  .attributes = kAttributes,
                                  .infer = infer,
                                  .control = control,
                                  .accuracy = {Accuracy::Kind::kInherit},
                                  .is_determined = is_determined};

}  // namespace hlo
