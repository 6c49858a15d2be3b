// spec/ops/custom_call.md
#include <algorithm>
#include <string>

#include "interpreter/devices/run_parallel.h"
#include "interpreter/error.h"
#include "interpreter/foreign/call_meaning.h"
#include "interpreter/foreign/foreign_call.h"
#include "interpreter/rules/attributes/declared_check.h"
#include "interpreter/rules/devices/buffers.h"
#include "interpreter/rules/devices/parallel_programs.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"custom_call_target", AttributeKind::kString, /*required=*/true},
    {"window", AttributeKind::kWindow},
    {"dim_labels", AttributeKind::kDimLabels},
    {"feature_group_count", AttributeKind::kInt},
    {"batch_group_count", AttributeKind::kInt},
    {"to_apply", AttributeKind::kComputation},
    {"called_computations", AttributeKind::kComputations},
    {"operand_layout_constraints", AttributeKind::kShapes},
    {"custom_call_has_side_effect", AttributeKind::kBool},
    {"literal", AttributeKind::kLiteral},
    {"operand_precision", AttributeKind::kWords, /*required=*/false,
     "default high highest packed_nibble"},
    {"output_to_operand_aliasing", AttributeKind::kAliasing},
    {"padding_type", AttributeKind::kWord, /*required=*/false,
     "PADDING_INVALID PADDING_VALID PADDING_SAME"},
    {"schedule", AttributeKind::kWord, /*required=*/false,
     "SCHEDULE_NONE SCHEDULE_LATEST SCHEDULE_EARLIEST"},
    {"api_version", AttributeKind::kWord, /*required=*/false,
     "API_VERSION_ORIGINAL API_VERSION_STATUS_RETURNING "
     "API_VERSION_STATUS_RETURNING_UNIFIED API_VERSION_TYPED_FFI"},
    {"sparsity_config", AttributeKind::kSparsity}};

void check_constraints(const Instruction& custom_call) {
  const AttributeValue* value = custom_call.find("operand_layout_constraints");
  if (value == nullptr) return;
  const auto& shapes = std::get<Shapes>(*value);
  const auto fits = [](const Shape& shape, const Instruction* operand) {
    return compatible(shape, operand->shape, /*ignore_dynamic=*/true);
  };
  require(std::ranges::equal(shapes, custom_call.operands, fits),
          "custom-call.C1",
          {"the operands are ", OperandShapes{custom_call},
           " and operand_layout_constraints are ", shapes},
          "each operand must have the shape that is given");
}

bool has_target(const Instruction& custom_call, std::string_view target) {
  return custom_call.get<std::string>("custom_call_target") == target;
}

Shape infer(const Instruction& custom_call) {
  check_constraints(custom_call);
  const Shape& result = given_shape(custom_call);
  if (is_run_parallel(custom_call)) check_run_parallel(custom_call);
  if (is_declared_check(custom_call)) verify_declared_check(custom_call);
  probe_name(custom_call);
  require(!has_target(custom_call, "GetRngSeed") ||
              result.element_type == ElementType::kU64,
          "custom-call.C2", {"the result is ", result},
          "that of GetRngSeed must be of type u64");
  return result;
}

/// Whether the target's meaning is that of the page, whatever functions there
/// are besides.
bool is_defined(const Instruction& custom_call) {
  return meaning_of(custom_call) != CallMeaning::kForeign;
}

/// Whether all elements are equal. Arrays of other sizes at run time are not.
Literal equality(const Literal& lhs, const Literal& rhs) {
  const Literal a = cut(lhs);
  const Literal b = cut(rhs);
  bool all = same_dims(a.shape(), b.shape());
  for (int64_t i = 0; i < a.element_count() && all; ++i) {
    all = are_equal(a.at(i).bits, b.at(i).bits, a.type());
  }
  return Literal::of({ElementType::kPred, {all ? uint64_t{1} : 0, 0}});
}

bool is_whole(const Literal& operand) {
  return std::ranges::all_of(leaves(operand), [](const Literal* leaf) {
    return leaf->dynamic_sizes().empty();
  });
}

Literal value(const Instruction& custom_call, Operands operands,
              Evaluator& evaluator) {
  switch (meaning_of(custom_call)) {
    case CallMeaning::kPrograms:
      return run_parallel(custom_call, operands, evaluator);
    case CallMeaning::kCheck:
      return Literal(custom_call.shape);
    case CallMeaning::kEquality:
      return equality(operands[0], operands[1]);
    case CallMeaning::kMark:
      return operands[0].with_shape(custom_call.shape);
    default:
      require_callable(custom_call, std::ranges::all_of(operands, is_whole));
      return call_foreign(custom_call, operands, evaluator);
  }
}

}  // namespace

extern constinit const Op op_custom_call{
    .name = "custom-call",
    .form = Form::kForeign,
    .min_operands = 0,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .value = value,
    .accuracy = {.moves_data = true},
    // What another function returns nobody but itself can say.
    .is_determined = is_defined,
    .takes_sizes = true,
    .check = check_buffers,
    .holds_buffers = true};

}  // namespace hlo
