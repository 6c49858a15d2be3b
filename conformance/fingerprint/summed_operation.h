#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/model/element_type.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// Sums that are asked of a machine: of row r the sum of the products
/// a[r * terms + i] * b[r * terms + i].
struct SumRows {
  int64_t terms = 0;
  std::vector<double> a;
  std::vector<double> b;

  int64_t count() const {
    return terms == 0 ? 0 : static_cast<int64_t>(a.size()) / terms;
  }

  std::span<const double> row_of_a(int64_t row) const { return row_of(a, row); }

  std::span<const double> row_of_b(int64_t row) const { return row_of(b, row); }

  /// Adds one of them.
  void add(std::span<const double> row_a, std::span<const double> row_b);

 private:
  std::span<const double> row_of(const std::vector<double>& all,
                                 int64_t row) const {
    return std::span(all).subspan(static_cast<size_t>(row * terms),
                                  static_cast<size_t>(terms));
  }
};

enum class SumKind : uint8_t {
  kDot,
  kConvolution,
  kReduce,
  kReduceWindow,
  kCumulativeSum,
};

/// "dot", "convolution", "reduce", "reduce-window", "cumulative-sum".
std::string_view name(SumKind kind);
std::span<const SumKind> all_sum_kinds();

/// How the terms of a sum lie in the operands.
enum class Arrangement : uint8_t {
  kRows,        // those of the first operand follow each other
  kTransposed,  // the dimensions of the operands are exchanged
  kColumnMajor  // the layouts are: the first dimension is the fastest
};

/// "rows", "transposed operands", "column-major operands".
std::string_view name(Arrangement arrangement);

/// An operation that sums, as a program of a fixed number of sums.
struct SummedOperation {
  SumKind kind = SumKind::kDot;
  ElementType operand = ElementType::kF32;
  ElementType result = ElementType::kF32;
  int64_t terms = 1;
  Arrangement arrangement = Arrangement::kRows;

  /// Whether the terms are products of two operands; else b is 1.
  bool has_products() const {
    return kind == SumKind::kDot || kind == SumKind::kConvolution;
  }

  /// Rows of one call.
  int64_t rows() const;

  /// Sums of one call: with products, of each row of a with each of b.
  int64_t cells() const { return has_products() ? rows() * rows() : rows(); }

  Module module() const;
  /// The program's arguments for rows(), whose numbers are of the operands'
  /// type; b is a column each.
  std::vector<Literal> arguments(const SumRows& rows) const;
  /// The cells of what the program returned.
  std::vector<double> cells_of(const Literal& array) const;
};

}  // namespace hlo::conformance
