#include "backends/tpu/program/assign_layout.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kSublanes = 8;
constexpr int64_t kLanesOfSublane = 128;

}  // namespace

Shape with_assigned_layout(const Shape& array) {
  Shape shape = array;
  Layout layout = default_layout(array.rank());
  if (array.rank() < 2) {
    layout.tiles.push_back({{kLanesOfSublane}});
  } else {
    layout.tiles.push_back({{kSublanes, kLanesOfSublane}});
  }
  shape.layout = layout;
  return shape;
}

bool is_asked_for(const Shape& array) {
  return array.layout && *array.layout != default_layout(array.rank());
}

Shape placed(const Shape& array) {
  return is_asked_for(array) ? array : with_assigned_layout(array);
}

}  // namespace hlo::tpu
