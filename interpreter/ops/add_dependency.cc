// spec/ops/add_dependency.md
#include "interpreter/error.h"
#include "interpreter/rules/forms.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& dependency) {
  require(dependency.operand_shape(1).is_token(), "add-dependency.C1",
          {"the second operand is ", dependency.operand_shape(1)},
          "it must be a token");
  return dependency.operand_shape(0);
}

}  // namespace

extern constinit const Op op_add_dependency{.name = "add-dependency",
                                            .form = Form::kIdentity,
                                            .min_operands = 2,
                                            .max_operands = 2,
                                            .infer = infer,
                                            .value = first_operand,
                                            .accuracy = {.moves_data = true},
                                            .takes_sizes = true};

}  // namespace hlo
