// spec/ops/infeed.md
#include <algorithm>

#include "interpreter/arithmetic_state.h"
#include "interpreter/devices/communication.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"infeed_config", AttributeKind::kString},
};

Shape infer(const Instruction& infeed) {
  const Shape& result = given_shape(infeed);
  require(infeed.operand_shape(0).is_token(), "infeed.C1",
          {"the operand is ", infeed.operand_shape(0)}, "it must be a token");
  require(result.is_tuple() && result.tuple_shapes.size() == 2 &&
              result.tuple_shapes[1].is_token(),
          "infeed.C2", {"the result is ", result},
          "it must be a pair of the data and a token");
  return result;
}

Literal from_host(const std::function<Literal(const Shape&)>& host,
                  const Shape& shape) {
  const ReferenceArithmetic arithmetic;
  const ForeignCode foreign("what feeds values in", {});
  return host(shape);
}

/// The next value of the queue; nothing is read where there are no arrays.
Literal next_value(const Shape& shape, Evaluator& evaluator) {
  const auto is_array = [](const Shape* leaf) { return leaf->is_array(); };
  if (std::ranges::none_of(leaves(shape), is_array)) return Literal(shape);
  const auto& host = evaluator.options().infeed;
  return host ? from_host(host, shape) : evaluator.network().take_infeed(shape);
}

Future communicate(const Instruction& infeed, Operands operands,
                   Evaluator& evaluator) {
  Literal data = next_value(infeed.shape.tuple_shapes[0], evaluator);
  return at_once(Literal::tuple({std::move(data), operands[0]}));
}

constexpr std::string_view kWords[] = {
    "of the value that stood first in the queue of the host"};

}  // namespace

extern constinit const Op op_infeed{.name = "infeed",
                                    .min_operands = 1,
                                    .max_operands = 1,
                                    .attributes = kAttributes,
                                    .infer = infer,
                                    .communicate = communicate,
                                    .accuracy = {.moves_data = true},
                                    .words = kWords};

}  // namespace hlo
