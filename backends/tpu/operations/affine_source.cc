#include "backends/tpu/operations/affine_source.h"

namespace hlo::tpu {
namespace {

int64_t position(const Instruction& instruction, Operands operands,
                 const Index& index) {
  const Origin origin = instruction.op->source(instruction, operands, index);
  return linearize(origin.index, instruction.operand_shape(0).dims);
}

}  // namespace

AffineSource::AffineSource(const Instruction& instruction, Operands operands)
    : dims_(instruction.shape.dims), strides_(dims_.size()) {
  Index index(dims_.size());
  first_ = position(instruction, operands, index);
  for (size_t d = 0; d < dims_.size(); ++d) {
    if (dims_[d] == 1) continue;
    index[d] = 1;
    strides_[d] = position(instruction, operands, index) - first_;
    index[d] = 0;
  }
}

LaneElements AffineSource::sources_of(const LaneElements& elements) const {
  LaneElements sources;
  int64_t left = 0;  // in the row that the element before lies in
  for (size_t k = 0; k < sources.size(); ++k) {
    if (elements[k] == TileOrder::kPadding) {
      sources[k] = TileOrder::kPadding;
      left = 0;
      continue;
    }
    if (left > 0 && elements[k] == elements[k - 1] + 1) {
      sources[k] = sources[k - 1] + strides_.back();
      left -= 1;
      continue;
    }
    int64_t rest = elements[k];
    sources[k] = first_;
    left = dims_.empty() ? 0 : dims_.back() - 1 - rest % dims_.back();
    for (size_t d = dims_.size(); d-- > 0;) {
      sources[k] += rest % dims_[d] * strides_[d];
      rest /= dims_[d];
    }
  }
  return sources;
}

}  // namespace hlo::tpu
