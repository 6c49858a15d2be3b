// spec/ops/call.md
#include "interpreter/error.h"
#include "interpreter/rules/callee.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"to_apply", AttributeKind::kComputation, /*required=*/true},
    {"is_composite", AttributeKind::kBool}};

bool has_composite_name(const Instruction& call) {
  constexpr std::string_view kKey = "composite.name=\"";
  const auto text =
      call.get_or<Verbatim>("frontend_attributes", Verbatim{}).text;
  const size_t at = text.find(kKey);
  return at != std::string::npos && text[at + kKey.size()] != '"';
}

Shape infer(const Instruction& call) {
  Shape result = called_shape(call, "to_apply", "call.C1");
  require(!call.get_or<bool>("is_composite", false) || has_composite_name(call),
          "call.C2",
          {"the composite has no frontend attribute composite.name, or an "
           "empty one"},
          "it must have a name");
  return result;
}

Progress control(const Instruction& call, Operands operands,
                 ControlState& state, Evaluator&) {
  return run_once(call, "to_apply", operands, state);
}

}  // namespace

extern constinit const Op op_call{
    .name = "call",
    .form = Form::kCall,
    .min_operands = 0,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .control = control,
    .accuracy = {.kind = Accuracy::Kind::kInherit},
    .holds_buffers = true,
    .carries_async = true};

}  // namespace hlo
