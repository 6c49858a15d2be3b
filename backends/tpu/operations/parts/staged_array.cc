#include "backends/tpu/operations/parts/staged_array.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace hlo::tpu {
namespace {

void require_all(const Register& lanes, int64_t count) {
  for (int64_t k = 0; k < count; ++k) {
    if (!lanes.valid()[static_cast<size_t>(k)]) {
      throw std::logic_error("padding was read into a part of an array");
    }
  }
}

}  // namespace

PartPositions::PartPositions(const Ints& dims, const ArrayPart& part)
    : sizes_(part.sizes), strides_(dims.size(), 1), index_(dims.size(), 0) {
  for (size_t d = dims.size(); d-- > 0;) {
    if (d + 1 < dims.size()) strides_[d] = strides_[d + 1] * dims[d + 1];
    position_ += part.first[d] * strides_[d];
    left_ *= sizes_[d];
  }
}

int64_t PartPositions::next(LaneElements& positions) {
  positions.fill(TileOrder::kPadding);
  const int64_t count = std::min(left_, kLanes);
  for (int64_t k = 0; k < count; ++k) {
    positions[static_cast<size_t>(k)] = position_;
    step();
  }
  left_ -= count;
  return count;
}

void PartPositions::step() {
  for (size_t d = sizes_.size(); d-- > 0;) {
    position_ += strides_[d];
    if (++index_[d] < sizes_[d]) return;
    position_ -= index_[d] * strides_[d];
    index_[d] = 0;
  }
}

Literal staged(Machine& machine, const TiledArray& array, LaneGather& gather,
               const ArrayPart& part) {
  const ElementType type = array.shape.element_type;
  Literal literal = Literal::uninitialized(Shape::array(type, part.sizes));
  PartPositions positions(array.shape.dims, part);
  std::byte* into = literal.mutable_bytes().data();
  LaneElements elements;
  while (const int64_t count = positions.next(elements)) {
    Register lanes(machine.scratch, type);
    gather.gather(elements, lanes);
    require_all(lanes, count);
    const int64_t bytes = count * lanes.width();
    std::memcpy(into, lanes.bytes(), static_cast<size_t>(bytes));
    into += bytes;
  }
  return literal;
}

void unstage(Machine& machine, const Literal& from, const TiledArray& array,
             LaneScatter& scatter, const ArrayPart& part) {
  PartPositions positions(array.shape.dims, part);
  const std::byte* source = from.bytes().data();
  LaneElements elements;
  while (const int64_t count = positions.next(elements)) {
    Register lanes(machine.scratch, from.type());
    const int64_t bytes = count * lanes.width();
    std::memcpy(lanes.bytes(), source, static_cast<size_t>(bytes));
    source += bytes;
    for (int64_t k = 0; k < count; ++k) {
      lanes.valid().set(static_cast<size_t>(k));
    }
    scatter.scatter(lanes, elements);
  }
}

}  // namespace hlo::tpu
