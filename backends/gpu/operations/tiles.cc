#include "backends/gpu/operations/tiles.h"

#include <algorithm>

#include "backends/gpu/program/kernel_codes.h"
#include "backends/gpu/program/map_launch.h"

// The kernels of kernels/sums/tiles.inc.

namespace hlo::gpu {
namespace {

constexpr ElementType kFactor = ElementType::kF32;
/// A product that has as many rows, and as many columns, is worth its tiles.
constexpr int64_t kFewLines = TILE_ROWS;
/// Products of fewer terms are not worth the copies.
constexpr int64_t kLeast = 2048;
/// Elements that one operand's copy may have.
constexpr int64_t kMostProducts = int64_t{1} << 28;

Ints picked(const Ints& list, const Ints& places) {
  Ints some;
  for (const int64_t at : places) some.push_back(list[static_cast<size_t>(at)]);
  return some;
}

Ints joined(Ints first, const Ints& second) {
  append(first, second);
  return first;
}

/// The walk's dimensions by what they are of: both operands, the first one (a
/// row), the second one (a column).
struct Roles {
  Ints both;
  Ints rows;
  Ints columns;

  Roles(const Walk& walk, const WalkView& rhs) {
    for (size_t d = 0; d < walk.sizes.size(); ++d) {
      const auto at = static_cast<int64_t>(d);
      const bool moves_lhs =
          walk.lhs.o_strides[d] != 0 ||
          std::ranges::find(walk.windows, at, &WindowWalk::o_dimension) !=
              walk.windows.end();
      const bool moves_rhs = rhs.o_strides[d] != 0;
      (moves_lhs ? (moves_rhs ? both : rows) : columns).push_back(at);
    }
  }
};

/// The elements of the first operand: matrices of rows by terms.
Value left_matrices(Memory& memory, const Walk& walk, const Roles& roles,
                    const Value& lhs, ElementType type) {
  const Ints order = joined(roles.both, roles.rows);
  Walk own = walk;
  own.sizes = picked(walk.sizes, order);
  own.lhs.o_strides = picked(walk.lhs.o_strides, order);
  for (WindowWalk& window : own.windows) {
    const auto at = std::ranges::find(order, window.o_dimension);
    window.o_dimension = at - order.begin();
  }
  const int64_t count = elements_in(own.sizes);
  const int64_t terms = elements_in(walk.tap_sizes);
  Value result = new_array(memory, Shape::array(kFactor, {count, terms}));
  Ints words = own.words();
  append(words, {type_code(type), lhs.offset(),
                 type_code(lhs.shape.element_type), result.offset()});
  memory.device().run(Kernel::kPatches, words, count);
  return result;
}

/// The elements of the second operand: matrices of terms by columns.
Value right_matrices(Memory& memory, const Walk& walk, const Roles& roles,
                     const Value& rhs, const WalkView& view, ElementType type) {
  const Value numbers =
      converted(memory, converted(memory, rhs, type), kFactor);
  const Ints sizes =
      joined(joined(picked(walk.sizes, roles.both), walk.tap_sizes),
             picked(walk.sizes, roles.columns));
  const Ints strides =
      joined(joined(picked(view.o_strides, roles.both), view.t_strides),
             picked(view.o_strides, roles.columns));
  Value result = new_array(memory, Shape::array(kFactor, sizes));
  copy(memory, sizes, view_of(numbers, strides, view.base), view_of(result));
  return result;
}

int64_t panels_of(int64_t columns) {
  return (columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
}

/// Them in panels of columns, so that the terms of a tile lie beside each
/// other.
Value in_panels(Memory& memory, const Value& matrices, int64_t count,
                int64_t terms, int64_t columns) {
  const int64_t panels = panels_of(columns);
  const int64_t whole = columns / TILE_COLUMNS;
  const int64_t rest = columns % TILE_COLUMNS;
  const Ints dims{count, panels, terms, TILE_COLUMNS};
  Value result = new_array(memory, Shape::array(kFactor, dims));
  const Ints to = row_major_strides(dims);
  const Ints from{terms * columns, TILE_COLUMNS, columns, 1};
  const auto copy_panels = [&](int64_t first, int64_t some, int64_t width) {
    copy(memory, {count, some, terms, width},
         view_of(matrices, from, first * from[1]),
         view_of(result, to, first * to[1]));
  };
  copy_panels(0, whole, TILE_COLUMNS);
  copy_panels(whole, rest == 0 ? 0 : 1, rest);
  return result;
}

/// The products in the order of the walk's dimensions.
void put_products(Memory& memory, const Walk& walk, const Roles& roles,
                  const Value& dense, const Value& result) {
  const Ints order = joined(joined(roles.both, roles.rows), roles.columns);
  const Value typed = converted(memory, dense, result.shape.element_type);
  const Ints own = row_major_strides(walk.sizes);
  copy(memory, dense.shape.dims, view_of(typed),
       view_of(result, picked(own, order)));
}

}  // namespace

bool launch_tiles(Memory& memory, const Walk& walk, const Value& lhs,
                  const Value& rhs, const WalkView& rhs_view,
                  const Value& result) {
  const ElementType type = result.shape.element_type;
  if (!is_float(type) || type == ElementType::kF64) return false;
  const Roles roles(walk, rhs_view);
  const int64_t matrices = elements_in(picked(walk.sizes, roles.both));
  const int64_t rows = elements_in(picked(walk.sizes, roles.rows));
  const int64_t columns = elements_in(picked(walk.sizes, roles.columns));
  const int64_t terms = elements_in(walk.tap_sizes);
  const bool is_small = rows < kFewLines || columns < kFewLines || terms == 0 ||
                        rows * columns < kLeast / terms;
  if (is_small || matrices == 0 || rows > kMostProducts / terms / matrices ||
      columns > kMostProducts / terms / matrices) {
    return false;
  }
  const size_t rank = walk.sizes.size() + walk.tap_sizes.size();
  if (rank > static_cast<size_t>(kMaxRank)) return false;
  // Copies in the result's type, in f32, as matrices and as panels; the
  // products twice.
  const int64_t copied = rows + 3 * columns + TILE_COLUMNS * panels_of(columns);
  if (!memory.has_room(8 * matrices * (copied * terms + 2 * rows * columns))) {
    return false;
  }
  const Value left = left_matrices(memory, walk, roles, lhs, type);
  const Value right = in_panels(
      memory, right_matrices(memory, walk, roles, rhs, rhs_view, type),
      matrices, terms, columns);
  const Value dense = new_array(
      memory, Shape::array(memory.is_fast() ? kFactor : type,
                           joined(joined(picked(walk.sizes, roles.both),
                                         picked(walk.sizes, roles.rows)),
                                  picked(walk.sizes, roles.columns))));
  const int64_t items =
      matrices * ((rows + TILE_ROWS - 1) / TILE_ROWS) * panels_of(columns);
  memory.device().run(memory.is_fast() ? Kernel::kTiles : Kernel::kSureTiles,
                      Ints{items, rows, columns, terms, left.offset(),
                           right.offset(), dense.offset(), type_code(type)},
                      items);
  put_products(memory, walk, roles, dense, result);
  return true;
}

}  // namespace hlo::gpu
