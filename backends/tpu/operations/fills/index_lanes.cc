#include "backends/tpu/operations/fills/index_lanes.h"

#include <cstring>

#include "backends/tpu/operations/fills/fill.h"
#include "interpreter/plans/elementwise/converted.h"

namespace hlo::tpu {
namespace {

/// How the index along a dimension follows from a row-major position.
struct AlongDimension {
  int64_t stride = 1;
  int64_t size = 1;

  AlongDimension(const std::vector<int64_t>& dims, size_t d) : size(dims[d]) {
    for (size_t k = d + 1; k < dims.size(); ++k) stride *= dims[k];
  }

  int64_t index(int64_t position) const { return position / stride % size; }
};

/// The lanes as numbers of the type; of a complex one as its real parts.
void convert_lanes(Machine& machine, const Register& indices, Register& into) {
  const ElementType type = into.type();
  if (!is_complex(type)) {
    convert_elements(indices.type(), indices.bytes(), kLanes, type,
                     into.bytes());
    return;
  }
  Register reals(machine.scratch, component_type(type));
  convert_elements(indices.type(), indices.bytes(), kLanes, reals.type(),
                   reals.bytes());
  const auto width = static_cast<size_t>(reals.width());
  for (int64_t k = 0; k < kLanes; ++k) {
    std::memcpy(into.lane(k), reals.lane(k), width);
    std::memset(into.lane(k) + width, 0, width);
  }
}

}  // namespace

TiledArray indices_in_lanes(Machine& machine, const Instruction& iota,
                            const Shape& shape) {
  const AlongDimension along(
      shape.dims, static_cast<size_t>(iota.get<int64_t>("iota_dimension")));
  return filled(
      machine, shape, [&](const LaneElements& elements, Register& into) {
        Register indices(machine.scratch, ElementType::kS64);
        for (int64_t k = 0; k < kLanes; ++k) {
          const int64_t element = elements[static_cast<size_t>(k)];
          const int64_t index =
              element == TileOrder::kPadding ? 0 : along.index(element);
          std::memcpy(indices.lane(k), &index, sizeof(index));
        }
        convert_lanes(machine, indices, into);
      });
}

}  // namespace hlo::tpu
