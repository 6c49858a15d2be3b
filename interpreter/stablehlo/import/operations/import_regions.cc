#include "interpreter/stablehlo/import/operations/import_regions.h"

#include <numeric>

#include "interpreter/stablehlo/import/importer/applied_region.h"

namespace hlo::stablehlo {
namespace {

Values map(const Conversion& c) {
  const Passing passing = {.values = captures({&c.region(0)}, c.scope)};
  Values operands = c.operands;
  const Shape& first = c.operand_shape(0);
  for (const Value* value : passing.values) {
    operands.push_back(
        c.build().broadcast(passed_scalar(c, *value), first.dims));
  }
  Ints dimensions(first.dims.size());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  c.require(c.ints("dimensions") == dimensions, "stablehlo.needs",
            {"dimensions is ", c.ints("dimensions"), " for ", first},
            "they must be all of the operand's, in order");
  return c.make("map", std::move(operands),
                {{"dimensions", dimensions},
                 {"to_apply", applied_region(c, 0, passing)}});
}

/// What the comparator uses is sorted along with the rest.
Values sort(const Conversion& c) {
  const Passing passing = {.values = captures({&c.region(0)}, c.scope),
                           .copies = 2};
  Values operands = c.operands;
  const Shape& first = c.operand_shape(0);
  for (const Value* value : passing.values) {
    operands.push_back(
        c.build().broadcast(passed_scalar(c, *value), first.dims));
  }
  const int64_t d = c.integer("dimension", -1);
  Attributes attributes = {{"dimensions", Ints{d < 0 ? d + first.rank() : d}},
                           {"to_apply", applied_region(c, 0, passing)}};
  if (c.flag("is_stable")) attributes.emplace_back("is_stable", true);
  std::vector<Shape> shapes = c.shapes;
  for (size_t i = c.operands.size(); i < operands.size(); ++i) {
    shapes.push_back(operands[i]->shape);
  }
  const Shape shape = shapes.size() == 1 ? shapes[0] : Shape::tuple(shapes);
  Values results = c.build().split(
      c.build().add("sort", shape, std::move(operands), std::move(attributes)),
      shapes.size());
  results.resize(c.shapes.size());
  return results;
}

Attributes scatter_attributes(const Conversion& c) {
  const Dictionary& dims = c.fields("scatter_dimension_numbers", "scatter");
  Attributes attributes = {
      {"update_window_dims", c.field(dims, "update_window_dims")},
      {"inserted_window_dims", c.field(dims, "inserted_window_dims")},
      {"scatter_dims_to_operand_dims",
       c.field(dims, "scatter_dims_to_operand_dims")},
      {"index_vector_dim", c.field(dims, "index_vector_dim", 0)}};
  for (const char* name :
       {"input_batching_dims", "scatter_indices_batching_dims"}) {
    Ints list = c.field(dims, name);
    if (!list.empty()) attributes.emplace_back(name, std::move(list));
  }
  for (const char* name : {"indices_are_sorted", "unique_indices"}) {
    if (c.flag(name)) attributes.emplace_back(name, true);
  }
  return attributes;
}

Values scatter(const Conversion& c) {
  const size_t n = c.operands.size() / 2;
  c.require(n >= 1 && c.operands.size() == 2 * n + 1 && c.shapes.size() == n,
            "stablehlo.operand-count",
            {"there are ", Count{std::ssize(c.operands), "operand"}, " and ",
             Count{std::ssize(c.shapes), "result"}},
            "the operands must be arrays, the indices, then as many updates, "
            "and there must be a result for each");
  const Block& block = c.region(0);
  const Passing passing = {
      .values = captures({&block}, c.scope), .groups = 2, .returns = true};
  Values inputs;
  Values updates;
  std::vector<Shape> shapes = c.shapes;
  for (size_t i = 0; i < n; ++i) {
    const ElementType type = argument_type(c, block, i);
    inputs.push_back(c.build().convert(c.operand(i), type));
    updates.push_back(c.build().convert(c.operand(n + 1 + i), type));
  }
  for (const Value* value : passing.values) {
    Instruction* scalar = passed_scalar(c, *value);
    inputs.push_back(c.build().broadcast(scalar, c.operand_shape(0).dims));
    updates.push_back(c.build().broadcast(scalar, c.operand_shape(n + 1).dims));
    shapes.push_back(inputs.back()->shape);
  }
  inputs.push_back(c.operand(n));
  inputs.insert(inputs.end(), updates.begin(), updates.end());
  Attributes attributes = scatter_attributes(c);
  attributes.emplace_back("to_apply", applied_region(c, 0, passing));
  const Shape shape = shapes.size() == 1 ? shapes[0] : Shape::tuple(shapes);
  Values results = c.build().split(
      c.build().add("scatter", shape, std::move(inputs), std::move(attributes)),
      shapes.size());
  results.resize(n);
  return results;
}

constexpr ConverterRow kRows[] = {
    {"stablehlo.map", map, true, at_least(1), exactly(1)},
    {"stablehlo.scatter", scatter, true, at_least(3), exactly(1)},
    {"stablehlo.sort", sort, true, at_least(1), exactly(1)},
};

}  // namespace

ConverterRows region_rows() { return kRows; }

}  // namespace hlo::stablehlo
