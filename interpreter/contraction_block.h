#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/contraction_kernel.h"
#include "interpreter/contraction_pack.h"

namespace hlo {

/// A contraction with its operands in the result's type. The kernel multiplies
/// plain rows with interleaved columns ("the panel"); where there are too few
/// columns to fill its lanes, rows and columns change places.
struct Job {
  const Contraction* contraction;
  Literal lhs;
  Literal rhs;
  ElementType type;
  bool swapped;
  int64_t parts;  // numbers per result element: 2 for complex types
  std::byte* result;

  const Literal& row_literal() const { return swapped ? rhs : lhs; }

  const Literal& panel_literal() const { return swapped ? lhs : rhs; }

  int64_t row_count() const {
    return swapped ? contraction->columns : contraction->rows;
  }

  int64_t panel_count() const {
    return swapped ? contraction->rows : contraction->columns;
  }

  VectorReader row_reader() const {
    return {row_literal(), swapped ? contraction->rhs : contraction->lhs,
            contraction->depth};
  }

  VectorReader panel_reader() const {
    return {panel_literal(), swapped ? contraction->lhs : contraction->rhs,
            contraction->depth};
  }

  int64_t length() const { return contraction->depth * parts; }

  int64_t position(int64_t g, int64_t row, int64_t column) const {
    return swapped ? contraction->result(g, column, row)
                   : contraction->result(g, row, column);
  }
};

/// Vectors of a block of the panel side, interleaved by kLanes. A complex
/// column is two vectors, for the real and for the imaginary part of products.
template <typename T>
struct Panel {
  int64_t group;
  int64_t first;
  int64_t count;
  int64_t vectors;  // count * parts, rounded up to whole tiles
  std::vector<T> numbers;
  std::vector<double> norms;

  const T* tile(int64_t vector, int64_t length) const {
    return numbers.data() + vector * length;
  }

  const T* vector(int64_t v, int64_t length) const {
    return tile(v / kLanes * kLanes, length) + v % kLanes;
  }
};

/// A block of rows and its sums with every vector of a panel.
template <typename T>
struct RowBlock {
  int64_t first = 0;
  int64_t count = 0;
  std::vector<T> numbers;
  std::vector<double> norms;
  std::vector<T> sums;

  const T* row(int64_t r, int64_t length) const {
    return numbers.data() + r * length;
  }
};

/// Packs columns [first, first + count) of group g (rows, where swapped).
template <typename T>
Panel<T> pack_panel(const Job& job, int64_t g, int64_t first, int64_t count);
/// Packs rows [block.first, block.first + block.count) of the panel's group.
template <typename T>
void pack_rows(const Job& job, const Panel<T>& panel, RowBlock<T>& block,
               VectorReader& reader);
/// block.sums[r * panel.vectors + v] = row r times vector v.
template <typename T>
void multiply(const Job& job, const Panel<T>& panel, RowBlock<T>& block);

/// Puts the sums of the block into the result: integers are cut to their type,
/// floats rounded once.
void store_sums(const Job& job, const Panel<uint32_t>& panel,
                const RowBlock<uint32_t>& block);
void store_sums(const Job& job, const Panel<uint64_t>& panel,
                const RowBlock<uint64_t>& block);
void store_sums(const Job& job, const Panel<double>& panel,
                const RowBlock<double>& block);

/// The exact sum, starting at +0, of the products of the elements at left[k] of
/// lhs and right[k] of rhs for all k where both exist (are not -1): its real or
/// its imaginary part. Both literals have the same float or complex type.
numeric::ExactSum sum_products(const Literal& lhs,
                               std::span<const int64_t> left,
                               const Literal& rhs,
                               std::span<const int64_t> right, bool imaginary);

}  // namespace hlo
