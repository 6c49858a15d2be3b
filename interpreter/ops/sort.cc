// spec/ops/sort.md
#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "interpreter/definition/generate.h"
#include "interpreter/error.h"
#include "interpreter/model/index_loops.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, true},
    {"is_stable", AttributeKind::kBool},
    {"to_apply", AttributeKind::kComputation, true},
};

/// Two scalars of each operand's type in, a truth value out.
void check_comparator(const Instruction& sort) {
  const Computation& comparator = *sort.get<Computation*>("to_apply");
  const size_t operands = sort.operands.size();
  require(comparator.parameters.size() == 2 * operands, "sort.C3",
          {"the comparator takes ", ParameterShapes{comparator}, " for ",
           Count{static_cast<int64_t>(operands), "operand"}},
          "it must take two scalars of each operand's type");
  for (size_t p = 0; p < comparator.parameters.size(); ++p) {
    const Shape wanted = Shape::scalar(sort.operand_shape(p / 2).element_type);
    require(
        compatible(comparator.parameters[p]->shape, wanted), "sort.C3",
        {"parameter ", p, " of the comparator is ",
         comparator.parameters[p]->shape, " for an operand of type ", wanted},
        "it must take two scalars of each operand's type");
  }
  require(compatible(comparator.root->shape, Shape::scalar(ElementType::kPred)),
          "sort.C4", {"the comparator returns ", comparator.root->shape},
          "it must return a pred scalar");
}

Shape infer(const Instruction& sort) {
  const Shape& first = sort.operand_shape(0);
  for (const Instruction* operand : sort.operands) {
    require(operand->shape.is_array() && same_dims(operand->shape, first),
            "sort.C1", {"the operands are ", OperandShapes{sort}},
            "they must be arrays of the same dimensions");
  }
  only_dimension(sort, first.rank(), "sort.C2");
  check_comparator(sort);
  return one_or_tuple(operand_shapes(sort));
}

/// Rows of a line, by their indices along it.
using Rows = std::vector<int64_t>;
/// Whether row a comes before row b.
using Before = std::function<bool(int64_t a, int64_t b)>;

/// The rows of two lists in order: one of `second` where it comes before the
/// next of `first`.
Rows merge(const Rows& first, const Rows& second, const Before& before) {
  Rows merged;
  auto a = first.begin();
  auto b = second.begin();
  while (a != first.end() && b != second.end()) {
    merged.push_back(before(*b, *a) ? *b++ : *a++);
  }
  merged.insert(merged.end(), a, first.end());
  merged.insert(merged.end(), b, second.end());
  return merged;
}

/// The rows in order: of the first of them, the largest power of two that are
/// not all, and of the others, merged.
Rows in_order(const Rows& rows, const Before& before) {
  if (rows.size() < 2) return rows;
  const auto middle =
      rows.begin() + static_cast<int64_t>(std::bit_floor(rows.size() - 1));
  return merge(in_order({rows.begin(), middle}, before),
               in_order({middle, rows.end()}, before), before);
}

Literal value(const Instruction& sort, Operands operands,
              Evaluator& evaluator) {
  const Computation& comparator = *sort.get<Computation*>("to_apply");
  const auto d = static_cast<size_t>(sort.get<Ints>("dimensions")[0]);
  const Ints& dims = operands[0].shape().dims;
  std::vector<Literal> results(operands.begin(), operands.end());
  Ints lines = dims;
  lines[d] = std::min<int64_t>(dims[d], 1);
  for_each_index(lines, [&](Index index) {
    const auto element = [&](const Literal& operand, int64_t row) {
      index[d] = row;
      return operand.at(index);
    };
    const auto before = [&](int64_t a, int64_t b) {
      std::vector<Literal> arguments;
      for (const Literal& operand : operands) {
        arguments.push_back(Literal::of(element(operand, a)));
        arguments.push_back(Literal::of(element(operand, b)));
      }
      return evaluator.call(comparator, std::move(arguments)).integer(0) != 0;
    };
    Rows rows(static_cast<size_t>(dims[d]));
    std::iota(rows.begin(), rows.end(), 0);
    rows = in_order(rows, before);
    for (size_t k = 0; k < results.size(); ++k) {
      for (int64_t to = 0; to < dims[d]; ++to) {
        const Scalar x = element(operands[k], rows[static_cast<size_t>(to)]);
        index[d] = to;
        results[k].set(linearize(index, dims), x);
      }
    }
  });
  return results.size() == 1 ? results[0] : Literal::tuple(std::move(results));
}

bool is_determined(const Instruction& sort) {
  return sort.get_or("is_stable", false);
}

/// A comparison for each row and each level of merging.
int64_t work(const Instruction& sort) {
  constexpr int64_t kComparison = 8;
  const Ints& dims = sort.operand_shape(0).dims;
  const Ints& along = sort.get<Ints>("dimensions");
  const int64_t rows = along.empty() ? 1 : dims[static_cast<size_t>(along[0])];
  const auto levels =
      static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(rows)));
  return saturating_product({result_elements(sort), kComparison, levels});
}

}  // namespace

extern constinit const Op op_sort{
    .name = "sort",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .value = value,
    .work = work,
    .accuracy = {.kind = Accuracy::Kind::kOrdered, .moves_data = true},
    .is_determined = is_determined,
    .fit = fit_alike};

}  // namespace hlo
