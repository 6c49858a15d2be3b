// spec/ops/rng_bit_generator.md
#include "interpreter/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"algorithm", AttributeKind::kWord, true,
     "rng_default rng_three_fry rng_philox"},
};

Shape infer(const Instruction& generator) {
  const Shape& result = given_shape(generator);
  require(result.is_tuple() && result.tuple_shapes.size() == 2 &&
              result.tuple_shapes[1].is_array(),
          "rng-bit-generator.C1",
          "the result is a pair of the new state and an array");
  require(compatible(result.tuple_shapes[0], generator.operand_shape(0)),
          "rng-bit-generator.C2", "the new state has the state's shape");
  return result;
}

}  // namespace

extern constinit const Op op_rng_bit_generator{.name = "rng-bit-generator",
                                               .min_operands = 1,
                                               .max_operands = 1,
                                               .attributes = kAttributes,
                                               .infer = infer};

}  // namespace hlo
