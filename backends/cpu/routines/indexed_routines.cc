#include "backends/cpu/routines/indexed_routines.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "backends/cpu/kernels/moves/gather_elements.h"
#include "backends/cpu/routines/indexed_windows.h"
#include "backends/cpu/routines/regions/combining_region.h"

namespace hlo::cpu {
namespace {

size_t width_of(const Shape& shape) {
  return static_cast<size_t>(storage_bytes(shape.element_type));
}

/// A type of as many bytes, for elements that are only moved.
ElementType moved_type(ElementType type) {
  switch (storage_bytes(type)) {
    case 1:
      return ElementType::kU8;
    case 2:
      return ElementType::kU16;
    case 4:
      return ElementType::kU32;
    default:
      return ElementType::kU64;
  }
}

}  // namespace

std::optional<Routine> gather_routine(const Instruction& gather) {
  const Shape& array = gather.operand_shape(0);
  // Slices without elements give a result that nothing is read for.
  const bool has_slices =
      std::ranges::count(gather.get<Ints>("slice_sizes"), 0) == 0;
  if (array.element_type != gather.shape.element_type || !has_slices) {
    return std::nullopt;
  }
  return Routine{[windows = IndexedWindows::of_gather(gather),
                  width = width_of(array)](auto operands, auto results) {
    const auto elements = windows.elements_at(operands[1]);
    if (elements &&
        gather_elements(*elements, width, operands[0], results[0])) {
      return;
    }
    gather_windows(windows.at(operands[1]), width, operands[0], results[0]);
  }};
}

std::optional<Routine> scatter_routine(const Instruction& scatter) {
  const Shape& array = scatter.operand_shape(0);
  const ElementType type = array.element_type;
  if (scatter.operands.size() != 3 || !scatter.shape.is_array() ||
      scatter.shape.element_type != type ||
      scatter.operand_shape(2).element_type != type) {
    return std::nullopt;
  }
  const auto how =
      combining_region(*scatter.get<Computation*>("to_apply"), type);
  const bool moves = how == Combine::kSecond && storage_bytes(type) <= 8;
  // Numbers are rounded one by one: what no update reaches keeps its bits.
  const ElementType as = moves ? moved_type(type) : type;
  if (!how || !with_stored_element(as, [](auto) {})) return std::nullopt;
  const int64_t count = array.element_count();
  const size_t bytes =
      static_cast<size_t>(count) * static_cast<size_t>(storage_bytes(as));
  Routine routine{[windows = IndexedWindows::of_scatter(scatter), how = *how,
                   as, count, bytes](auto operands, auto results) {
    if (results[0] != operands[0]) {
      std::memcpy(results[0], operands[0], bytes);
    }
    scatter_windows(windows.at(operands[1]), how, as, operands[2], results[0],
                    count);
  }};
  routine.overwrites = true;
  return routine;
}

}  // namespace hlo::cpu
