#include "interpreter/stablehlo/import/operations/import_shapes.h"

#include <algorithm>
#include <numeric>

#include "interpreter/stablehlo/import/importer/closed_value.h"
#include "interpreter/stablehlo/import/importer/instruction_builder.h"

namespace hlo::stablehlo {
namespace {

Values constant(const Conversion& c) {
  const Attribute* value = c.find("value");
  const auto* literal =
      value == nullptr ? nullptr : std::get_if<Literal>(&value->value);
  c.require(literal != nullptr, "stablehlo.needs",
            {"value is missing or of another kind"}, "it must be a literal");
  const Shape& declared =
      c.op.results.empty() ? literal->shape() : c.op.results[0]->type.shape;
  return {c.build().constant(is_static(declared) &&
                                     compatible(declared, literal->shape())
                                 ? literal->with_shape(declared)
                                 : *literal)};
}

Values iota(const Conversion& c) {
  return c.make("iota", {{"iota_dimension", c.integer("iota_dimension")}});
}

/// Broadcast as HLO has it: sizes of 1 that grow are taken out first.
Instruction* broadcast_in_dim(const Conversion& c, const Shape& result,
                              const Ints& dimensions) {
  Instruction* operand = c.operand(0);
  const Shape& shape = operand->shape;
  const bool fits = std::ssize(dimensions) == shape.rank() &&
                    std::ranges::all_of(dimensions, [&](int64_t d) {
                      return d >= 0 && d < result.rank();
                    });
  c.require(fits, "stablehlo.needs",
            {"broadcast_dimensions is ", dimensions, " for the operand ", shape,
             " and the result ", result},
            "it must have a dimension of the result for each of the operand");
  for (const int64_t d : dimensions) {
    c.require(std::ranges::count(dimensions, d) == 1, "stablehlo.needs",
              {"broadcast_dimensions is ", dimensions},
              "no dimension may stand twice");
  }
  Ints kept;
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const int64_t to = result.dims[static_cast<size_t>(dimensions[i])];
    if (shape.dims[i] == 1 && to != 1) continue;
    kept.push_back(dimensions[i]);
    sizes.push_back(shape.dims[i]);
  }
  operand = c.build().reshape(operand, std::move(sizes));
  Shape whole = result;
  whole.element_type = shape.element_type;
  return c.build().add("broadcast", whole, {operand}, {{"dimensions", kept}});
}

Values broadcast_in_dim(const Conversion& c) {
  return {broadcast_in_dim(c, c.shape(), c.ints("broadcast_dimensions"))};
}

/// The deprecated operation: new dimensions before those of the operand.
Values broadcast(const Conversion& c) {
  const Shape& operand = c.operand_shape(0);
  std::vector<int64_t> dims = c.ints("broadcast_sizes");
  Ints dimensions(operand.dims.size());
  std::iota(dimensions.begin(), dimensions.end(), std::ssize(dims));
  dims.insert(dims.end(), operand.dims.begin(), operand.dims.end());
  return {c.build().broadcast(c.operand(0), dims, dimensions)};
}

Values dynamic_broadcast_in_dim(const Conversion& c) {
  return {broadcast_in_dim(c, c.sized_by(1), c.ints("broadcast_dimensions"))};
}

Values dynamic_iota(const Conversion& c) {
  return {c.build().add("iota", c.sized_by(0), {},
                        {{"iota_dimension", c.integer("iota_dimension")}})};
}

Values reshape(const Conversion& c) {
  return c.make("reshape", {c.operand(0)});
}

Values dynamic_reshape(const Conversion& c) {
  Shape shape = c.shape();
  if (!is_static(shape) || c.known_ints(1)) {
    Ints sizes = c.constant_ints(1);
    const int64_t open = std::ranges::count(sizes, -1);
    const int64_t known = std::accumulate(
        sizes.begin(), sizes.end(), int64_t{1}, [](int64_t n, int64_t d) {
          return d > 0 && n < (int64_t{1} << 40) / d ? n * d : n;
        });
    c.require(open <= 1, "stablehlo.dynamic", {"the sizes are ", sizes},
              "dynamic shapes cannot be imported here, and only one size may "
              "be open");
    std::ranges::replace(sizes, int64_t{-1},
                         c.operand_shape(0).element_count() / known);
    shape = c.sized(sizes);
  }
  return {c.build().add("reshape", shape, {c.operand(0)})};
}

Values transpose(const Conversion& c) {
  return c.make("transpose", {{"dimensions", c.ints("permutation")}});
}

Values reverse(const Conversion& c) {
  return c.make("reverse", {{"dimensions", c.ints("dimensions")}});
}

Values concatenate(const Conversion& c) {
  return c.make("concatenate", {{"dimensions", Ints{c.integer("dimension")}}});
}

Values tuple(const Conversion& c) { return {c.build().tuple(c.operands)}; }

Values get_tuple_element(const Conversion& c) {
  const int64_t index = c.integer("index");
  const Shape& shape = c.operand_shape(0);
  c.require(index >= 0 && index < std::ssize(shape.tuple_shapes),
            "stablehlo.needs", {"index is ", index, " for ", shape},
            "it must be that of an element of the tuple");
  return {c.build().element(c.operand(0), index)};
}

Values get_dimension_size(const Conversion& c) {
  const int64_t d = c.integer("dimension");
  const Shape& shape = c.operand_shape(0);
  if (d >= 0 && d < shape.rank() && !shape.is_dynamic(d)) {
    return {c.build().constant(
        integer(c.array_shape(), shape.dims[static_cast<size_t>(d)]))};
  }
  return {c.build().add("get-dimension-size", c.operands,
                        {{"dimensions", Ints{d}}})};
}

Values set_dimension_size(const Conversion& c) {
  const int64_t d = c.integer("dimension");
  const std::optional<Literal> size = closed_value(*c.operand(1));
  const Shape& shape = c.operand_shape(0);
  if (size && d >= 0 && d < shape.rank() && !shape.is_dynamic(d) &&
      size->integer(0) == shape.dims[static_cast<size_t>(d)]) {
    return {c.operand(0)};
  }
  return {c.build().add("set-dimension-size", c.operands,
                        {{"dimensions", Ints{d}}})};
}

constexpr ConverterRow kRows[] = {
    {"stablehlo.broadcast", broadcast, true, exactly(1)},
    {"stablehlo.broadcast_in_dim", broadcast_in_dim, true, exactly(1)},
    {"stablehlo.concatenate", concatenate, true},
    {"stablehlo.constant", constant, true, exactly(0)},
    {"stablehlo.dynamic_broadcast_in_dim", dynamic_broadcast_in_dim, true,
     exactly(2)},
    {"stablehlo.dynamic_iota", dynamic_iota, true, exactly(1)},
    {"stablehlo.dynamic_reshape", dynamic_reshape, true, exactly(2)},
    {"stablehlo.get_dimension_size", get_dimension_size, true, exactly(1)},
    {"stablehlo.get_tuple_element", get_tuple_element, true, exactly(1)},
    {"stablehlo.iota", iota, false, exactly(0)},
    {"stablehlo.reshape", reshape, true, exactly(1)},
    {"stablehlo.reverse", reverse, true, exactly(1)},
    {"stablehlo.set_dimension_size", set_dimension_size, true, exactly(2)},
    {"stablehlo.transpose", transpose, true, exactly(1)},
    {"stablehlo.tuple", tuple, true},
};

}  // namespace

ConverterRows shape_rows() { return kRows; }

}  // namespace hlo::stablehlo
