#include "interpreter/plans/movement/movement.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "interpreter/model/index_loops.h"
#include "interpreter/model/storage.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/float_types.h"
#include "interpreter/run/parallel_for.h"

namespace hlo {
namespace {

constexpr int64_t kGrain = int64_t{1} << 16;  // elements worth a thread

/// A block whose axes have been put in order: `inner` is the fastest of the
/// result, `rows` the one to walk beside it, `outer` all others.
struct Plan {
  int64_t source_offset = 0;
  int64_t result_offset = 0;
  int64_t elements = 1;
  std::vector<Axis> outer;
  Axis rows{1, 0, 0};
  Axis inner{1, 1, 1};
};

/// The axes without those of extent 1, slowest of the result first, and
/// neighbours made one where they are walked as one.
std::vector<Axis> merge_axes(std::vector<Axis> axes) {
  std::erase_if(axes, [](const Axis& axis) { return axis.extent == 1; });
  std::ranges::stable_sort(axes, std::ranges::greater{}, &Axis::result_stride);
  std::vector<Axis> merged;
  for (const Axis& axis : axes) {
    if (!merged.empty() &&
        merged.back().source_stride == axis.source_stride * axis.extent &&
        merged.back().result_stride == axis.result_stride * axis.extent) {
      merged.back() = {merged.back().extent * axis.extent, axis.source_stride,
                       axis.result_stride};
    } else {
      merged.push_back(axis);
    }
  }
  return merged;
}

int64_t count_elements(const std::vector<Axis>& axes) {
  int64_t count = 1;
  for (const Axis& axis : axes) count *= axis.extent;
  return count;
}

/// The axis that is best walked beside the innermost: the one along which the
/// source is densest, where that is denser than along the innermost itself.
size_t choose_rows(const std::vector<Axis>& outer, const Axis& inner) {
  const auto density = [](const Axis& axis) {
    return axis.source_stride == 0 ? std::numeric_limits<int64_t>::max()
                                   : std::abs(axis.source_stride);
  };
  const auto densest = std::ranges::min_element(outer, {}, density);
  if (inner.source_stride != 0 && density(*densest) < density(inner)) {
    return static_cast<size_t>(densest - outer.begin());
  }
  return outer.size() - 1;
}

Plan make_plan(const Block& block) {
  Plan plan{
      block.source_offset, block.result_offset, count_elements(block.axes), {}};
  if (plan.elements == 0) return plan;
  plan.outer = merge_axes(block.axes);
  if (plan.outer.empty()) return plan;
  plan.inner = plan.outer.back();
  plan.outer.pop_back();
  if (plan.outer.empty()) return plan;
  const auto rows =
      plan.outer.begin() +
      static_cast<std::ptrdiff_t>(choose_rows(plan.outer, plan.inner));
  plan.rows = *rows;
  plan.outer.erase(rows);
  return plan;
}

template <typename T>
void move_line(const T* source, T* result, const Axis& axis) {
  constexpr int64_t kShort = 16;  // below, a loop is faster than a call
  const int64_t n = axis.extent;
  if (axis.result_stride == 1 && axis.source_stride == 1 && n > kShort) {
    std::memcpy(result, source, static_cast<size_t>(n) * sizeof(T));
  } else if (axis.result_stride == 1 && axis.source_stride == 0) {
    std::fill_n(result, n, *source);
  } else {
    const int64_t from = axis.source_stride;
    const int64_t to = axis.result_stride;
    for (int64_t i = 0; i < n; ++i) result[i * to] = source[i * from];
  }
}

/// Writes `rows` x `columns` elements; the columns are contiguous in the
/// result.
template <typename T>
void move_tile(const T* source, T* result, const Axis& rows,
               const Axis& columns) {
  for (int64_t r = 0; r < rows.extent; ++r) {
    const T* from = source + r * rows.source_stride;
    T* to = result + r * rows.result_stride;
    for (int64_t c = 0; c < columns.extent; ++c) {
      to[c] = from[c * columns.source_stride];
    }
  }
}

template <typename T>
void transpose_in_tiles(const T* source, T* result, const Axis& rows,
                        const Axis& columns) {
  // A cache line in each direction, as long as the lines of a tile fit into
  // the first-level cache even where their addresses collide.
  constexpr int64_t kTile = std::clamp<int64_t>(64 / sizeof(T), 8, 32);
  for (int64_t c = 0; c < columns.extent; c += kTile) {
    for (int64_t r = 0; r < rows.extent; r += kTile) {
      Axis tile_rows = rows;
      Axis tile_columns = columns;
      tile_rows.extent = std::min(kTile, rows.extent - r);
      tile_columns.extent = std::min(kTile, columns.extent - c);
      move_tile(source + r * rows.source_stride + c * columns.source_stride,
                result + r * rows.result_stride + c, tile_rows, tile_columns);
    }
  }
}

template <typename T>
void move_plane(const T* source, T* result, const Plan& plan) {
  const Axis& rows = plan.rows;
  const Axis& inner = plan.inner;
  if (inner.result_stride == 1 && inner.source_stride != 0 &&
      std::abs(rows.source_stride) < std::abs(inner.source_stride) &&
      rows.source_stride != 0) {
    transpose_in_tiles(source, result, rows, inner);
    return;
  }
  for (int64_t r = 0; r < rows.extent; ++r) {
    move_line(source + r * rows.source_stride, result + r * rows.result_stride,
              inner);
  }
}

/// Moves the whole plan.
template <typename T>
void move_plan(const T* source, T* result, const Plan& plan) {
  StridedLoop<2> outer;
  for (const Axis& axis : plan.outer) {
    outer.add_axis(axis.extent, {axis.source_stride, axis.result_stride});
  }
  outer.for_each([&](const StridedLoop<2>::Offsets& at) {
    move_plane(source + at[0], result + at[1], plan);
  });
}

/// The axis of the plan with the largest extent: the one to split.
Axis& longest_axis(Plan& plan) {
  Axis* longest = &plan.rows;
  if (plan.inner.extent > longest->extent) longest = &plan.inner;
  for (Axis& axis : plan.outer) {
    if (axis.extent >= longest->extent) longest = &axis;
  }
  return *longest;
}

template <typename T>
void move_block(const T* source, T* result, const Plan& plan, int threads) {
  if (plan.elements == 0) return;
  Plan copy = plan;
  const int64_t extent = longest_axis(copy).extent;
  const int64_t grain = kGrain * extent / plan.elements + 1;
  parallel_for(threads, extent, grain, [&](int64_t begin, int64_t end) {
    Plan piece = plan;
    Axis& axis = longest_axis(piece);
    axis.extent = end - begin;
    move_plan(source + plan.source_offset + begin * axis.source_stride,
              result + plan.result_offset + begin * axis.result_stride, piece);
  });
}

template <typename T>
void move_repeats(const T* source, T* result, const Plan& plan,
                  const std::vector<BlockOffsets>& repeats, int threads) {
  if (plan.elements == 0) return;
  const auto n = static_cast<int64_t>(repeats.size());
  const int64_t grain = kGrain / plan.elements + 1;
  parallel_for(threads, n, grain, [&](int64_t begin, int64_t end) {
    const std::span<const BlockOffsets> part(repeats.data() + begin,
                                             repeats.data() + end);
    if (plan.elements == 1) {
      for (const auto& [from, to] : part) result[to] = source[from];
    } else if (plan.outer.empty()) {
      for (const auto& [from, to] : part) {
        move_plane(source + from, result + to, plan);
      }
    } else {
      for (const auto& [from, to] : part) {
        move_plan(source + from, result + to, plan);
      }
    }
  });
}

template <typename T>
void lay_blocks(const Movement& movement, Operands operands,
                std::span<std::byte> bytes, int threads) {
  T* result = reinterpret_cast<T*>(bytes.data());
  for (const Block& block : movement.blocks) {
    const Literal& operand = operands[static_cast<size_t>(block.operand)];
    const T* source = reinterpret_cast<const T*>(operand.bytes().data());
    const Plan plan = make_plan(block);
    if (movement.repeats.empty()) {
      move_block(source, result, plan, threads);
    } else {
      move_repeats(source, result, plan, movement.repeats, threads);
    }
  }
}

/// Whether the blocks cover the result, so that it need not be filled first.
bool covers(const Movement& movement, int64_t count) {
  int64_t covered = 0;
  for (const Block& block : movement.blocks) {
    covered += count_elements(block.axes);
  }
  if (!movement.repeats.empty()) {
    covered *= static_cast<int64_t>(movement.repeats.size());
  }
  return covered == count;
}

/// The operand that is the result as it stands; -1 where there is none.
int64_t whole_operand(const Movement& movement, const Shape& shape,
                      Operands operands) {
  if (!shape.is_array()) return 0;
  if (movement.blocks.size() != 1 || !movement.repeats.empty()) return -1;
  const Block& block = movement.blocks.front();
  const int64_t count = shape.element_count();
  const Literal& operand = operands[static_cast<size_t>(block.operand)];
  if (operand.element_count() != count || block.source_offset != 0 ||
      block.result_offset != 0 || count_elements(block.axes) != count) {
    return -1;
  }
  const std::vector<Axis> axes = merge_axes(block.axes);
  const bool in_order = axes.empty() || count == 0 ||
                        (axes.size() == 1 && axes[0].source_stride == 1 &&
                         axes[0].result_stride == 1);
  return in_order ? block.operand : -1;
}

Literal start_result(const Movement& movement, const Shape& shape,
                     std::span<Literal> operands) {
  if (covers(movement, shape.element_count())) {
    return Literal::uninitialized(shape);
  }
  if (movement.fill_operand == Movement::kZeros) return Literal(shape);
  Literal& fill = operands[static_cast<size_t>(movement.fill_operand)];
  if (fill.element_count() == shape.element_count()) {
    return std::exchange(fill, Literal()).with_shape(shape);
  }
  return Literal::splat(shape, fill.scalar());
}

}  // namespace

Literal apply_consuming(const Movement& movement, const Shape& shape,
                        std::span<Literal> operands, int threads) {
  for (Literal& operand : operands) {
    if (is_float(shape.element_type)) {
      operand = with_float_type(operand, shape.element_type);
    }
  }
  const int64_t whole = whole_operand(movement, shape, operands);
  if (whole >= 0) {
    return operands[static_cast<size_t>(whole)].with_shape(shape);
  }
  Literal result = start_result(movement, shape, operands);
  if (movement.blocks.empty()) return result;
  with_storage(storage_bytes(shape.element_type), [&](auto element) {
    lay_blocks<decltype(element)>(movement, operands, result.mutable_bytes(),
                                  threads);
  });
  return result;
}

Literal apply(const Movement& movement, const Shape& shape, Operands operands,
              int threads) {
  std::vector<Literal> copies(operands.begin(), operands.end());
  return apply_consuming(movement, shape, copies, threads);
}

std::vector<Axis> make_axes(const std::vector<int64_t>& dims,
                            const std::vector<int64_t>& source_strides,
                            const std::vector<int64_t>& result_strides) {
  std::vector<Axis> axes(dims.size());
  for (size_t d = 0; d < dims.size(); ++d) {
    axes[d] = {dims[d], source_strides[d], result_strides[d]};
  }
  return axes;
}

Movement move_strided(const std::vector<int64_t>& dims, int64_t offset,
                      const std::vector<int64_t>& source_strides) {
  Movement movement;
  movement.blocks.push_back(
      {0, offset, 0, make_axes(dims, source_strides, row_major_strides(dims))});
  return movement;
}

Movement move_whole(int64_t operand, int64_t element_count) {
  Movement movement;
  movement.blocks.push_back({operand, 0, 0, {{element_count, 1, 1}}});
  return movement;
}

}  // namespace hlo
