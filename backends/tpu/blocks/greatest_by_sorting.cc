#include "backends/tpu/blocks/block_rules.h"
#include "interpreter/builder/xla_builder.h"

namespace hlo::tpu {

using builder::XlaOp;

XlaOp topk_by_sorting(const BlockTask& task) {
  const Shape& shape = task.operands[0].shape();
  const int64_t last = shape.rank() - 1;
  const auto k = task.instruction.get<int64_t>("k");
  const std::vector<ElementType> types = {shape.element_type,
                                          ElementType::kS32};
  const XlaOp places = builder::Iota(
      &task.builder, Shape::array(ElementType::kS32, shape.dims), last);
  const XlaOp sorted =
      builder::Sort({task.operands[0], places},
                    task.instruction.get_or("largest", true)
                        ? builder::CreateScalarGtComputation(types)
                        : builder::CreateScalarLtComputation(types),
                    last, /*is_stable=*/true);
  builder::XlaOps first;
  for (int64_t part = 0; part < 2; ++part) {
    first.push_back(builder::SliceInDim(builder::GetTupleElement(sorted, part),
                                        0, k, 1, last));
  }
  return builder::Tuple(&task.builder, first);
}

}  // namespace hlo::tpu
