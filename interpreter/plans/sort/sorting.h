#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/plans/sort/lines.h"
#include "interpreter/rules/op.h"

namespace hlo {

/// For each line, which of its elements (by number) comes where: order[line *
/// size + k] is the number of the element at place k. Elements of which
/// neither comes before the other keep their order. The comparator gets an
/// element of each operand for both sides: a0, b0, a1, b1, ...; any comparator,
/// however inconsistent, gives a permutation.
std::vector<int64_t> sort_lines(const Lines& lines, Operands operands,
                                const Computation& comparator,
                                Evaluator& evaluator);

/// For each line, the order of one operand's elements in the total order of its
/// type (spec/ops/compare.md, type=TOTALORDER), largest first where
/// `descending`. The places from `wanted` on have no order.
std::vector<int64_t> sort_total_order(const Lines& lines,
                                      const Literal& operand, bool descending,
                                      int64_t wanted,
                                      const Evaluator& evaluator);

/// How many bytes an order takes, and what it is made with.
int64_t bytes_of_sorting(const Lines& lines, const Evaluator& evaluator);

/// The elements of the operand in that order.
Literal take_in_order(const Lines& lines, const Literal& operand,
                      const std::vector<int64_t>& order,
                      const Evaluator& evaluator);

}  // namespace hlo
