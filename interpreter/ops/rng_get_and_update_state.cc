// spec/ops/rng_get_and_update_state.md
#include "interpreter/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"delta", AttributeKind::kInt, true},
};

Shape infer(const Instruction& /*state*/) {
  return Shape::array(ElementType::kU64, {2});
}

}  // namespace

extern constinit const Op op_rng_get_and_update_state{
    .name = "rng-get-and-update-state",
    .attributes = kAttributes,
    .infer = infer,
    .accuracy = {Accuracy::Kind::kFree}};

}  // namespace hlo
