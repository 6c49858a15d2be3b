// spec/ops/cholesky.md
#include "interpreter/op.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {{"lower", AttributeKind::kBool}};

Shape infer(const Instruction& cholesky) {
  const Shape& a = cholesky.operand_shape(0);
  require(is_float(a.element_type) || is_complex(a.element_type), "cholesky.C1",
          "the elements are floats or complex");
  require(a.rank() >= 2 && a.dims.back() == a.dims[a.dims.size() - 2],
          "cholesky.C2", "the last two dimensions are square matrices");
  return a;
}

}  // namespace

extern constinit const Op op_cholesky{.name = "cholesky",
                                      .min_operands = 1,
                                      .max_operands = 1,
                                      .attributes = kAttributes,
                                      .infer = infer,
                                      .accuracy = {Accuracy::Kind::kFree}};

}  // namespace hlo
