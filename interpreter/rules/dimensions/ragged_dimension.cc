#include "interpreter/rules/dimensions/ragged_dimension.h"

#include <algorithm>
#include <utility>

#include "interpreter/rules/dimensions/dot_side.h"

namespace hlo {
namespace {

bool contains(const Ints& values, int64_t value) {
  return std::ranges::find(values, value) != values.end();
}

}  // namespace

RaggedDimension ragged_dimension(const Instruction& dot) {
  DotSide lhs(dot, 0);
  RaggedDimension ragged{.mode = RaggedMode::kFree,
                         .dimension = dot.get<Ints>("lhs_ragged_dims")[0],
                         .outer = lhs.batch};
  Ints list = std::move(lhs.free);
  if (contains(lhs.batch, ragged.dimension)) {
    ragged.mode = RaggedMode::kBatch;
    list = std::exchange(ragged.outer, {});
  } else if (contains(lhs.contracting, ragged.dimension)) {
    ragged.mode = RaggedMode::kContracting;
    list = lhs.contracting;
  }
  const auto end = std::ranges::find(list, ragged.dimension);
  ragged.outer.insert(ragged.outer.end(), list.begin(), end);
  return ragged;
}

}  // namespace hlo
