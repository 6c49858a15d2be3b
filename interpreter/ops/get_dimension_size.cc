// spec/ops/get_dimension_size.md
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, true},
};

Shape infer(const Instruction& size) {
  const Shape& operand = size.operand_shape(0);
  require(operand.is_array(), "get-dimension-size.C1",
          {"the operand is ", operand}, "it must be an array");
  only_dimension(size, operand.rank(), "get-dimension-size.C2");
  return Shape::scalar(ElementType::kS32);
}

Literal value(const Instruction& size, Operands operands,
              Evaluator& /*unused*/) {
  const auto d = static_cast<size_t>(size.get<Ints>("dimensions")[0]);
  const auto& sizes = operands[0].dynamic_sizes();
  const int64_t own = sizes.empty() ? operands[0].shape().dims[d] : sizes[d];
  Literal result(size.shape);
  result.mutable_data<int32_t>()[0] = static_cast<int32_t>(own);
  return result;
}

constexpr std::string_view kWords[] = {"the size of the dimension at run time"};

}  // namespace

extern constinit const Op op_get_dimension_size{.name = "get-dimension-size",
                                                .min_operands = 1,
                                                .max_operands = 1,
                                                .attributes = kAttributes,
                                                .infer = infer,
                                                .value = value,
                                                .words = kWords,
                                                .takes_sizes = true};

}  // namespace hlo
