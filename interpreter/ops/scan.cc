// spec/ops/scan.md
#include <algorithm>

#include "interpreter/shape_rules.h"

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
    require(input.is_array() && d < input.rank() &&
                input.dims[at] == scan.operand_shape(0).dims[at],
            "scan.C3", "all inputs have one size along the scanned dimension");
  }
  return scan.operand_shape(0).dims[at];
}

/// The body takes a slice of each input and the carries.
void check_parameters(const Instruction& scan, size_t inputs, int64_t d) {
  const Computation& body = *scan.get<Computation*>("to_apply");
  require(body.parameters.size() == scan.operands.size(), "scan.C4",
          "to_apply takes a slice of each input, and the carries");
  for (size_t i = 0; i < scan.operands.size(); ++i) {
    Shape expected = scan.operand_shape(i);
    if (i < inputs) {
      expected.dims.erase(expected.dims.begin() + d);
      expected.dynamic.clear();
    }
    require(compatible(body.parameters[i]->shape, expected, true), "scan.C4",
            "to_apply takes a slice of each input, and the carries");
  }
}

Shape stacked(const Shape& slice, int64_t d, int64_t size) {
  require(slice.is_array() && d <= slice.rank(), "scan.C6",
          "what to_apply returns for each step is an array that can be stacked "
          "along the dimension");
  Shape result = Shape::array(slice.element_type, slice.dims);
  result.dims.insert(result.dims.begin() + d, size);
  return result;
}

Shape infer(const Instruction& scan) {
  const auto carries = scan.get_or<int64_t>("num_carries", 0);
  const auto operands = static_cast<int64_t>(scan.operands.size());
  require(carries >= 0 && carries < operands, "scan.C1",
          "the last num_carries operands are initial values, and there is an "
          "input before them");
  const auto inputs = static_cast<size_t>(operands - carries);
  const int64_t d =
      only_dimension(scan, scan.operand_shape(0).rank(), "scan.C2");
  const int64_t size = check_inputs(scan, inputs, d);
  check_parameters(scan, inputs, d);
  Shape result = scan.get<Computation*>("to_apply")->root->shape;
  const auto count = static_cast<int64_t>(result.tuple_shapes.size());
  require(result.is_tuple() && count >= carries, "scan.C5",
          "to_apply returns a tuple of outputs and carries");
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
          "scan.C7", "a carry keeps the shape of its initial value");
    }
  }
  return result;
}

}  // namespace

extern constinit const Op op_scan{.name = "scan",
                                  .min_operands = 1,
                                  .max_operands = -1,
                                  .attributes = kAttributes,
                                  .infer = infer,
                                  .accuracy = {Accuracy::Kind::kInherit}};

}  // namespace hlo
