#include "interpreter/foreign/targets.h"

#include <algorithm>
#include <string>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/rules/forms.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

/// Behind the dialect: "lgamma" of "chlo.lgamma".
std::string_view without_dialect(std::string_view target) {
  return target.substr(target.find('.') + 1);
}

bool fits(const Instruction& call) {
  const Op& op = *call.op;
  if (std::ssize(call.operands) != op.min_operands) return false;
  const Shape& operand = call.operand_shape(0);
  const auto alike = [&](const Instruction* other) {
    return compatible(other->shape, operand, /*ignore_dynamic=*/true);
  };
  return std::ranges::all_of(call.operands, alike) &&
         same_dims(call.shape, operand) && op.facts.result_type != nullptr &&
         op.facts.result_type(operand.element_type) == call.shape.element_type;
}

Shape infer(const Instruction& call) {
  Shape result = op_of(Form::kForeign).infer(call);
  require(
      fits(call), "custom-call.C3",
      {"the operands are ", OperandShapes{call}, " and the result is ",
       call.shape},
      "a function's operands must be of one shape and a type that it takes, "
      "and so must the result; that of is_inf and its kin must be pred");
  return result;
}

/// The function as an operation of custom-calls.
Op as_custom_call(const Op& function) {
  const Op& custom_call = op_of(Form::kForeign);
  Op op = function;
  op.name = custom_call.name;
  op.form = custom_call.form;
  op.attributes = custom_call.attributes;
  op.infer = infer;
  return op;
}

/// The functions, and the operations that are targets as well.
const std::vector<Op>& all_targets() {
  static const std::vector<Op> targets = [] {
    std::vector<Op> rows;
    for (const auto table : {all_functions(), all_ops()}) {
      for (const Op* op : table) {
        if (!op->target.empty()) rows.push_back(as_custom_call(*op));
      }
    }
    return rows;
  }();
  return targets;
}

}  // namespace

const Op* find_target(std::string_view target) {
  std::string name(target);
  // JAX calls some of CHLO's functions by MHLO's name.
  if (name.starts_with("mhlo.")) name.replace(0, 4, "chlo");
  const auto& targets = all_targets();
  const auto found = std::ranges::find(targets, name, &Op::target);
  return found == targets.end() ? nullptr : &*found;
}

void choose_target(Instruction& instruction) {
  if (instruction.op->form != Form::kForeign) return;
  const Op* op =
      find_target(instruction.get<std::string>("custom_call_target"));
  if (op != nullptr) instruction.op = op;
}

std::string_view function_name(const Op& op) {
  return op.target.empty() ? op.name : without_dialect(op.target);
}

}  // namespace hlo
