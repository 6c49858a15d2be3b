// spec/ops/domain.md
#include "interpreter/rules/forms.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"domain", AttributeKind::kDomain, /*required=*/true}};

Shape infer(const Instruction& domain) { return domain.operand_shape(0); }

}  // namespace

extern constinit const Op op_domain{.name = "domain",
                                    .form = Form::kIdentity,
                                    .min_operands = 1,
                                    .max_operands = 1,
                                    .attributes = kAttributes,
                                    .infer = infer,
                                    .value = first_operand,
                                    .accuracy = {.moves_data = true},
                                    .takes_sizes = true};

}  // namespace hlo
