// spec/ops/select_and_scatter.md
#include <algorithm>
#include <numeric>
#include <optional>

#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/error.h"
#include "interpreter/rules/dimensions/indices.h"
#include "interpreter/rules/dimensions/updates_rule.h"
#include "interpreter/rules/dimensions/window.h"
#include "interpreter/rules/dimensions/window_cell.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"window", AttributeKind::kWindow},
    {"select", AttributeKind::kComputation, true},
    {"scatter", AttributeKind::kComputation, true},
};

constexpr WindowRules kWindowRules = {.rank = "select-and-scatter.C2",
                                      .size = "select-and-scatter.C3",
                                      .stride = "select-and-scatter.C4",
                                      .dilation = "select-and-scatter.C5",
                                      .extent = "select-and-scatter.C6"};

bool takes(const Computation& region, const Shape& a, const Shape& b) {
  return region.parameters.size() == 2 &&
         compatible(region.parameters[0]->shape, a) &&
         compatible(region.parameters[1]->shape, b);
}

void check_regions(const Instruction& instruction) {
  const ElementType type = instruction.operand_shape(0).element_type;
  const Shape scalar = Shape::scalar(type);
  const Computation& select = *instruction.get<Computation*>("select");
  require(takes(select, scalar, scalar) &&
              compatible(select.root->shape, Shape::scalar(ElementType::kPred)),
          "select-and-scatter.C9",
          {"select takes ", ParameterShapes{select}, " and returns ",
           select.root->shape},
          "it must take two scalars of the operand's type and return a pred");
  const Computation& scatter = *instruction.get<Computation*>("scatter");
  require(scatter.parameters.size() == 2 && scatter.root->shape.is_scalar() &&
              takes(scatter, scatter.root->shape, scatter.root->shape) &&
              same_up_to_precision(scatter.root->shape.element_type, type),
          "select-and-scatter.C10",
          {"scatter takes ", ParameterShapes{scatter}, " and returns ",
           scatter.root->shape},
          "it must take two scalars of the operand's type and return one");
}

Shape infer(const Instruction& instruction) {
  const Shape& operand = instruction.operand_shape(0);
  const Shape& source = instruction.operand_shape(1);
  const Shape& init = instruction.operand_shape(2);
  require(operand.is_array() && source.is_array(), "select-and-scatter.C1",
          {"the operand is ", operand, " and the source ", source},
          "both must be arrays");
  const Shape places = infer_window(
      operand, instruction.get_or("window", Window{}), kWindowRules);
  require(
      same_dims(places, source) &&
          same_up_to_precision(source.element_type, operand.element_type),
      "select-and-scatter.C7",
      {"the source is ", source, " and the window has the places of ", places},
      "the source must have an element for each place");
  require(init.is_scalar() &&
              same_up_to_precision(init.element_type, operand.element_type),
          "select-and-scatter.C8",
          {"the initial value is ", init, " for the operand ", operand},
          "it must be a scalar of the operand's type");
  check_regions(instruction);
  Shape result = Shape::array(operand.element_type, operand.dims);
  result.dynamic = operand.dynamic;
  return result;
}

/// The cell that is chosen under the window at a place: the first, or a later
/// one where select(choice, cell) is false.
std::optional<Index> choice(const Window& window, const Computation& select,
                            const Literal& operand, const Index& place,
                            Evaluator& evaluator) {
  std::optional<Index> choice;
  for_each_index(sizes_of(window), [&](const Index& cell) {
    const auto index = element_under(window, place, cell, operand.shape().dims);
    if (!index) return;
    const bool stays =
        choice && evaluator
                          .call(select, {Literal::of(operand.at(*choice)),
                                         Literal::of(operand.at(*index))})
                          .scalar()
                          .bits[0] != 0;
    if (!stays) choice = index;
  });
  return choice;
}

Updates updates(const Instruction& instruction, Operands operands,
                Evaluator& evaluator) {
  const Scalar init =
      definition::convert(operands[2].scalar(), instruction.shape.element_type);
  const auto window = instruction.get_or("window", Window{});
  const auto& select = *instruction.get<Computation*>("select");
  Ints order(operands[1].shape().dims.size());
  std::iota(order.begin(), order.end(), 0);
  return {
      .initial = {Literal::splat(instruction.shape, init)},
      .sources = {operands[1]},
      .first_initial = 2,
      .first_source = 1,
      .order = order,
      .target =
          [=, &select, &evaluator, operand = operands[0]](const Index& place) {
            return choice(window, select, operand, place, evaluator);
          },
      .region = instruction.get<Computation*>("scatter")};
}

/// The window has as many places as the source has elements: those past the
/// operand's are not there, and places past the source's have nothing to add.
void fit(const Fitting& on) {
  auto window = on.instruction.get_or("window", Window{});
  for (size_t d = 0; d < window.dims.size(); ++d) {
    WindowDimension& dimension = window.dims[d];
    int64_t& source = on.sizes[1][d];
    const int64_t places = window_places(on.sizes[0][d], dimension, {});
    source = std::min(source, places);
    dimension.high -= (places - source) * dimension.stride;
  }
  on.change("window", window);
}

int64_t work(const Instruction& instruction) {
  constexpr int64_t kCell = 25;
  return saturating_product(
      {instruction.operand_shape(1).element_count(), kCell,
       saturating_product(sizes_of(instruction.get_or("window", Window{})))});
}

}  // namespace

extern constinit const Op op_select_and_scatter{
    .name = "select-and-scatter",
    .min_operands = 3,
    .max_operands = 3,
    .attributes = kAttributes,
    .infer = infer,
    .updates = updates,
    .work = work,
    .accuracy = {.kind = Accuracy::Kind::kInherit},
    .fit = fit};

}  // namespace hlo
