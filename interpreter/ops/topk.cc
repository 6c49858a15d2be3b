// spec/ops/topk.md
#include <algorithm>
#include <numeric>

#include "interpreter/definition/generate.h"
#include "interpreter/definition/total_order.h"
#include "interpreter/error.h"
#include "interpreter/model/index_loops.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

using definition::Integer;

constexpr AttributeSpec kAttributes[] = {
    {"k", AttributeKind::kInt, true},
    {"largest", AttributeKind::kBool},
    {"is_stable", AttributeKind::kBool},
};

Shape infer(const Instruction& topk) {
  const Shape& operand = topk.operand_shape(0);
  const auto k = topk.get<int64_t>("k");
  require(operand.is_array() && operand.rank() >= 1, "topk.C1",
          {"the operand is ", operand},
          "it must be an array with at least one dimension");
  require(!is_complex(operand.element_type), "topk.C2",
          {"the elements are ", operand.element_type},
          "they must be in an order");
  require(
      k >= 0 && (k <= operand.dims.back() || operand.dims.back() == kUnbounded),
      "topk.C3", {"k is ", k, " for the operand ", operand},
      "it must be from 0 to the size of the last dimension");
  Shape values = Shape::array(operand.element_type, operand.dims);
  for (int64_t d = 0; d + 1 < operand.rank(); ++d) {
    if (operand.is_dynamic(d)) values.set_dynamic(d, true);
  }
  values.dims.back() = k;
  Shape indices = values;
  indices.element_type = ElementType::kS32;
  return Shape::tuple({values, indices});
}

/// The places of a line in order: the first of equals comes first.
std::vector<int64_t> in_order(const std::vector<Integer>& line, bool largest) {
  std::vector<int64_t> places(line.size());
  std::iota(places.begin(), places.end(), 0);
  const auto key = [&](int64_t place) {
    const Integer& x = line[static_cast<size_t>(place)];
    return largest ? -x : x;
  };
  std::ranges::stable_sort(places, {}, key);
  return places;
}

Literal value(const Instruction& topk, Operands operands,
              Evaluator& /*evaluator*/) {
  const Literal& operand = operands[0];
  const Ints& dims = topk.shape.tuple_shapes[0].dims;
  Literal values(topk.shape.tuple_shapes[0]);
  Literal indices(topk.shape.tuple_shapes[1]);
  Ints lines = dims;
  lines.back() = std::min<int64_t>(dims.back(), 1);
  for_each_index(lines, [&](Index index) {
    std::vector<Integer> line;
    for (index.back() = 0; operand.shape().contains(index); ++index.back()) {
      line.push_back(definition::total_order(operand.at(index)));
    }
    const auto places = in_order(line, topk.get_or("largest", true));
    for (int64_t k = 0; k < dims.back(); ++k) {
      const int64_t place = places[static_cast<size_t>(k)];
      index.back() = place;
      const Scalar x = operand.at(index);
      index.back() = k;
      values.set(linearize(index, dims), x);
      indices.set(linearize(index, dims),
                  {ElementType::kS32, {static_cast<uint64_t>(place), 0}});
    }
  });
  return Literal::tuple({std::move(values), std::move(indices)});
}

void fit(const Fitting& on) {
  const auto k = on.instruction.get<int64_t>("k");
  on.change("k", std::min(k, on.sizes[0].back()));
}

constexpr std::string_view kWords[] = {
    "the largest elements of each line, from the largest; the smallest where "
    "largest=false; of equal ones the one at the lower index comes first",
    "the places of the largest elements of each line; of the smallest where "
    "largest=false; of equal ones the one at the lower index comes first"};

int64_t work(const Instruction& topk) {
  constexpr int64_t kElement = 50;
  return saturating_product({topk.operand_shape(0).element_count(), kElement});
}

}  // namespace

extern constinit const Op op_topk{
    .name = "topk",
    .min_operands = 1,
    .max_operands = 1,
    .attributes = kAttributes,
    .infer = infer,
    .value = value,
    .work = work,
    .accuracy = {.kind = Accuracy::Kind::kOrdered, .moves_data = true},
    .words = kWords,
    .fit = fit};

}  // namespace hlo
