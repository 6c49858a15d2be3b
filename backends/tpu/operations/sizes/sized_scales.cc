#include "backends/tpu/operations/sizes/sized_scales.h"

#include <utility>

#include "backends/tpu/operations/sizes/rearranged.h"

namespace hlo::tpu {
namespace {

/// The scale in as many elements as its operand has, of which those have sizes
/// that lie in its blocks.
Value repeated(Machine& machine, const Value& scale, const Shape& operand) {
  const std::vector<int64_t>& blocks = scale.shape.dims;
  std::vector<int64_t> sizes = sizes_of(scale.array);
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (blocks[d] != 0) sizes[d] *= operand.dims[d] / blocks[d];
  }
  const Shape shape = Shape::array(scale.shape.element_type, operand.dims);
  TiledArray array =
      rearranged(machine, scale.array, shape, [&](int64_t position) {
        Index index = delinearize(position, operand.dims);
        for (size_t d = 0; d < index.size(); ++d) {
          index[d] /= operand.dims[d] / blocks[d];
        }
        return linearize(index, blocks);
      });
  set_sizes(array, std::move(sizes));
  return {.shape = array.shape, .array = array};
}

}  // namespace

SizedScales::SizedScales(Machine& machine, const Instruction& dot,
                         const Values& given)
    : instruction(dot), operands(given) {
  constexpr size_t kScaled = 2;
  scales.reserve(kScaled);
  for (size_t k = 0; k < kScaled; ++k) {
    const size_t scale = kScaled + k;
    if (dot.operand_shape(scale).is_scalar()) continue;
    scales.push_back(repeated(machine, *given[scale], dot.operand_shape(k)));
    parameters.push_back(std::make_unique<Instruction>(*dot.operands[scale]));
    parameters.back()->shape = Shape::array(scales.back().shape.element_type,
                                            dot.operand_shape(k).dims);
    instruction.operands[scale] = parameters.back().get();
    operands[scale] = &scales.back();
  }
}

}  // namespace hlo::tpu
