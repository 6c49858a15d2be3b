#include "interpreter/rules/shape_rules.h"

#include <algorithm>
#include <utility>

namespace hlo {
std::vector<Shape> operand_shapes(const Instruction& instruction) {
  std::vector<Shape> shapes;
  shapes.reserve(instruction.operands.size());
  for (const Instruction* operand : instruction.operands) {
    shapes.push_back(operand->shape);
  }
  return shapes;
}

std::vector<Shape> array_operands(const Instruction& instruction,
                                  std::string_view rule) {
  std::vector<Shape> shapes = operand_shapes(instruction);
  require(std::ranges::all_of(shapes, &Shape::is_array), rule,
          {"the operands are ", shapes}, "they must be arrays");
  return shapes;
}

Shape one_or_tuple(std::vector<Shape> shapes) {
  if (shapes.size() == 1) return std::move(shapes[0]);
  return Shape::tuple(std::move(shapes));
}

std::vector<Shape> split(const Shape& shape, size_t count,
                         std::string_view rule) {
  if (count == 1) return {shape};
  require(shape.is_tuple() && shape.tuple_shapes.size() == count, rule,
          {"the result is ", shape, " for ",
           Count{static_cast<int64_t>(count), "operand"}},
          "it must have one array for each");
  return shape.tuple_shapes;
}

int64_t only_dimension(const Instruction& instruction, int64_t rank,
                       std::string_view rule) {
  const Ints& dimensions = instruction.get<Ints>("dimensions");
  require(dimensions.size() == 1 && dimensions[0] >= 0 && dimensions[0] < rank,
          rule,
          {"dimensions is ", dimensions, " for an operand of rank ", rank},
          "it must name one of its dimensions");
  return dimensions[0];
}

bool are_dimensions(const Ints& dimensions, int64_t rank) {
  std::vector<bool> seen(static_cast<size_t>(rank), false);
  for (const int64_t d : dimensions) {
    if (d < 0 || d >= rank || seen[static_cast<size_t>(d)]) return false;
    seen[static_cast<size_t>(d)] = true;
  }
  return true;
}

bool same_but_for(const Shape& a, const Shape& b, int64_t d) {
  if (!a.is_array() || !b.is_array() || a.rank() != b.rank()) return false;
  for (int64_t i = 0; i < a.rank(); ++i) {
    const auto at = static_cast<size_t>(i);
    if (i != d && a.dims[at] != b.dims[at]) return false;
  }
  return true;
}

DotDimensions dot_dimensions(const Instruction& instruction) {
  return {instruction.get_or<Ints>("lhs_batch_dims", {}),
          instruction.get_or<Ints>("rhs_batch_dims", {}),
          instruction.get_or<Ints>("lhs_contracting_dims", {}),
          instruction.get_or<Ints>("rhs_contracting_dims", {})};
}

bool are_dimensions_of(const DotDimensions& dims, const Shape& lhs,
                       const Shape& rhs) {
  const auto joined = [](Ints a, const Ints& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  return dims.lhs_batch.size() == dims.rhs_batch.size() &&
         dims.lhs_contracting.size() == dims.rhs_contracting.size() &&
         are_dimensions(joined(dims.lhs_batch, dims.lhs_contracting),
                        lhs.rank()) &&
         are_dimensions(joined(dims.rhs_batch, dims.rhs_contracting),
                        rhs.rank());
}

bool sizes_agree(const DotDimensions& dims, const Shape& lhs,
                 const Shape& rhs) {
  std::vector<int64_t> left;
  std::vector<int64_t> right;
  append_sizes(left, lhs, dims.lhs_batch);
  append_sizes(left, lhs, dims.lhs_contracting);
  append_sizes(right, rhs, dims.rhs_batch);
  append_sizes(right, rhs, dims.rhs_contracting);
  return left == right;
}

ElementType contraction_type(const Instruction& instruction) {
  if (instruction.has_shape && instruction.shape.is_array()) {
    return instruction.shape.element_type;
  }
  const ElementType lhs = instruction.operand_shape(0).element_type;
  const ElementType rhs = instruction.operand_shape(1).element_type;
  const auto rank = [](ElementType type) {
    return std::pair(type_class(type), bits(component_type(type)));
  };
  return rank(lhs) < rank(rhs) ? rhs : lhs;
}

std::optional<ElementType> common_type(ElementType a, ElementType b) {
  if (a == b) return a;
  if (!is_float(a) || !is_float(b)) return {};
  return bits(a) < bits(b) ? b : a;
}

ElementType chosen_type(const Instruction& instruction, ElementType type,
                        bool mixed) {
  return mixed && instruction.has_shape &&
                 is_float(instruction.shape.element_type)
             ? instruction.shape.element_type
             : type;
}

void append_sizes(std::vector<int64_t>& dims, const Shape& shape,
                  const Ints& dimensions) {
  for (const int64_t d : dimensions) {
    dims.push_back(shape.dims[static_cast<size_t>(d)]);
  }
}

void append_dimension(Shape& shape, const Shape& from, int64_t d) {
  shape.dims.push_back(from.dims[static_cast<size_t>(d)]);
  // There are as many marks as dimensions, or none.
  if (!shape.dynamic.empty()) shape.dynamic.push_back(false);
  shape.set_dynamic(shape.rank() - 1, from.is_dynamic(d));
}

void require_features(const Instruction& norm, std::string_view rule) {
  const Shape& operand = norm.operand_shape(0);
  const auto feature = norm.get<int64_t>("feature_index");
  require(is_float(operand.element_type) && feature >= 0 &&
              feature < operand.rank(),
          rule, {"the operand is ", operand, " and feature_index is ", feature},
          "the operand must hold floats and have that dimension");
}

bool are_feature_vectors(const Instruction& norm, size_t count) {
  const Shape& operand = norm.operand_shape(0);
  const auto feature = norm.get<int64_t>("feature_index");
  const int64_t size = operand.dims[static_cast<size_t>(feature)];
  for (size_t i = 1; i < count; ++i) {
    const Shape& vector = norm.operand_shape(i);
    if (!is_float(vector.element_type) || vector.dims != Ints{size}) {
      return false;
    }
  }
  return true;
}

Ints remaining(int64_t rank, const Ints& a, const Ints& b) {
  Ints result;
  for (int64_t d = 0; d < rank; ++d) {
    if (std::ranges::count(a, d) + std::ranges::count(b, d) == 0) {
      result.push_back(d);
    }
  }
  return result;
}

const Computation* wrapped_computation(const Instruction& asynchronous) {
  constexpr int kLongest = 32;
  const Instruction* at = &asynchronous;
  for (int length = 0;; ++length) {
    require(length < kLongest, "async.chain",
            {"an asynchronous operation has 32 updates or more"},
            "it must have fewer");
    if (const AttributeValue* calls = at->find("calls")) {
      return std::get<Computation*>(*calls);
    }
    if (at->op->form != Form::kAsync || at->operands.empty()) return nullptr;
    at = at->operands[0];
  }
}

std::vector<Shape> parameter_shapes(const Computation& computation) {
  std::vector<Shape> shapes;
  for (const Instruction* parameter : computation.parameters) {
    shapes.push_back(parameter->shape);
  }
  return shapes;
}

bool is_prefix(const Shape& shape, const Shape& whole) {
  if (compatible(shape, whole, true)) return true;
  if (!shape.is_tuple()) return false;
  if (!whole.is_tuple()) return shape.tuple_shapes.empty();
  return shape.tuple_shapes.size() <= whole.tuple_shapes.size() &&
         std::equal(shape.tuple_shapes.begin(), shape.tuple_shapes.end(),
                    whole.tuple_shapes.begin(),
                    [](const Shape& a, const Shape& b) {
                      return compatible(a, b, true);
                    });
}

}  // namespace hlo
