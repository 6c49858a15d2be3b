#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/model/shape.h"

// What the tests of layouts share; no program includes it.
namespace hlo::testing {

inline constexpr int64_t kStar = Tile::kCombine;

inline Shape with_layout(ElementType type, std::vector<int64_t> dims,
                         Layout layout) {
  Shape shape = Shape::array(type, std::move(dims));
  shape.layout = std::move(layout);
  return shape;
}

}  // namespace hlo::testing
