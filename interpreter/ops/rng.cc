// spec/ops/rng.md
#include "interpreter/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"distribution", AttributeKind::kWord, true, "rng_uniform rng_normal"},
};

Shape infer(const Instruction& rng) {
  const Shape& result = given_shape(rng);
  require(rng.operands.size() == 2 && rng.operand_shape(0).is_scalar() &&
              rng.operand_shape(1).is_scalar(),
          "rng.C1", "there are two operands, both scalars");
  const ElementType type = rng.operand_shape(0).element_type;
  require(
      type == rng.operand_shape(1).element_type && type == result.element_type,
      "rng.C2", "operands and result have one element type");
  if (rng.get<Word>("distribution").value == "rng_normal") {
    require(is_float(type), "rng.C3", "rng_normal gives floats");
  } else {
    require(!is_complex(type), "rng.C4",
            "rng_uniform gives floats, integers or pred");
  }
  return result;
}

}  // namespace

extern constinit const Op op_rng{.name = "rng",
                                 .min_operands = 0,
                                 .max_operands = -1,
                                 .attributes = kAttributes,
                                 .infer = infer,
                                 .accuracy = {Accuracy::Kind::kFree}};

}  // namespace hlo
