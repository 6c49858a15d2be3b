// spec/ops/infeed.md
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

Future communicate(const Instruction& infeed, Operands operands,
                   Evaluator& evaluator) {
  const Shape& shape = infeed.shape.tuple_shapes[0];
  const auto& host = evaluator.options().infeed;
  Literal data =
      host ? from_host(host, shape) : evaluator.network().take_infeed(shape);
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
