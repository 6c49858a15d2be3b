#include "backends/tpu/operations/sizes/rearranged.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/operations/fills/fill.h"
#include "interpreter/model/index_loops.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 32;

/// The position in an array of `to` of the index that has a position in one of
/// `from`; padding where it lies outside.
int64_t position_in(const std::vector<int64_t>& to,
                    const std::vector<int64_t>& from, int64_t position) {
  const Index index = delinearize(position, from);
  return std::ranges::equal(index, to, std::less{}) ? linearize(index, to)
                                                    : TileOrder::kPadding;
}

}  // namespace

TiledArray rearranged(Machine& machine, const TiledArray& array,
                      const Shape& shape,
                      const std::function<int64_t(int64_t)>& source_of) {
  LaneGather gather(machine, array, kKeptRegisters);
  return filled(machine, shape, [&](LaneElements elements, Register& into) {
    std::memset(into.bytes(), 0, static_cast<size_t>(into.width() * kLanes));
    for (int64_t& element : elements) {
      if (element != TileOrder::kPadding) element = source_of(element);
    }
    gather.gather(elements, into);
  });
}

const std::vector<int64_t>& sizes_of(const TiledArray& array) {
  return array.sizes.empty() ? array.shape.dims : array.sizes;
}

void set_sizes(TiledArray& array, std::vector<int64_t> sizes) {
  if (sizes == array.shape.dims) sizes.clear();
  array.sizes = std::move(sizes);
}

TiledArray trimmed(Machine& machine, const TiledArray& array,
                   const std::vector<int64_t>& sizes) {
  if (sizes == array.shape.dims) {
    TiledArray whole = array;
    whole.shape.dynamic.clear();
    whole.sizes.clear();
    return whole;
  }
  return rearranged(machine, array,
                    Shape::array(array.shape.element_type, sizes),
                    [&](int64_t position) {
                      return position_in(array.shape.dims, sizes, position);
                    });
}

TiledArray in_bounds(Machine& machine, const TiledArray& array,
                     const Shape& shape) {
  TiledArray result = rearranged(machine, array, shape, [&](int64_t position) {
    return position_in(array.shape.dims, shape.dims, position);
  });
  set_sizes(result, array.shape.dims);
  return result;
}

}  // namespace hlo::tpu
