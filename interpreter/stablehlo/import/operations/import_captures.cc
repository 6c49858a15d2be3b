#include "interpreter/stablehlo/import/operations/import_captures.h"

#include <numeric>

#include "interpreter/stablehlo/import/importer/applied_region.h"
#include "interpreter/stablehlo/import/importer/importer.h"

// Operations whose regions use values of outside where HLO's instruction has no
// place for them: they become instructions that have.

namespace hlo::stablehlo {
namespace {

Shape with_type(const Shape& shape, ElementType type) {
  return Shape::array(type, shape.dims);
}

Ints all_dimensions(const Shape& shape) {
  Ints dimensions(shape.dims.size());
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

/// The scalars of outside that a region uses, each repeated.
Values repeated(const Conversion& c, const std::vector<const Value*>& values,
                const std::vector<int64_t>& dims) {
  Values result;
  for (const Value* value : values) {
    result.push_back(c.build().broadcast(passed_scalar(c, *value), dims));
  }
  return result;
}

/// The parameters of one side of a choice: a value, its position (-1 where
/// there is none), and what the region uses.
struct Side {
  Instruction* value;
  Instruction* position;
  Values passed;
};

Side add_side(const Conversion& c, Scope& scope,
              const std::vector<const Value*>& values, size_t argument) {
  InstructionBuilder& builder = scope.builder;
  const Value& value = *c.region(0).arguments[argument];
  Side side{builder.parameter(value.type.shape, value.name),
            builder.parameter(Shape::scalar(ElementType::kS64), "position"),
            {}};
  scope.bind(value, side.value);
  for (const Value* outer : values) {
    side.passed.push_back(
        builder.parameter(c.scope.find(*outer)->shape, outer->name));
  }
  return side;
}

/// What is chosen of two, the first where select says so or where there is no
/// second.
Instruction* choice(const Conversion& c, Scope& scope,
                    const std::vector<const Value*>& values) {
  const Side one = add_side(c, scope, values, 0);
  const Side other = add_side(c, scope, values, 1);
  for (size_t i = 0; i < values.size(); ++i) {
    scope.bind(*values[i], one.passed[i]);
  }
  const Values answers = c.importer.block(c.region(0), scope);
  c.require(answers.size() == 1, "stablehlo.regions",
            {"select returns ", Count{std::ssize(answers), "value"}},
            "it must return one");
  InstructionBuilder& builder = scope.builder;
  const Shape flag = Shape::scalar(ElementType::kPred);
  Instruction* zero =
      builder.constant(integer(Shape::scalar(ElementType::kS64), 0));
  const auto compared = [&](const Side& side, const char* direction) {
    return builder.add("compare", flag, {side.position, zero},
                       {{"direction", Word{direction}}});
  };
  Instruction* chosen =
      builder.add("and", flag, {compared(one, "GE"), answers[0]});
  Instruction* first = builder.add("or", flag, {compared(other, "LT"), chosen});
  Values results;
  for (const auto part : {&Side::value, &Side::position}) {
    results.push_back(builder.add("select", (one.*part)->shape,
                                  {first, one.*part, other.*part}));
  }
  results.insert(results.end(), one.passed.begin(), one.passed.end());
  return builder.tuple(std::move(results));
}

/// The position in row-major order of what is chosen at each place, -1 where
/// there is nothing to choose from.
Instruction* chosen_positions(const Conversion& c, const Window& window) {
  InstructionBuilder& builder = c.build();
  const auto values = captures({&c.region(0)}, c.scope);
  const ElementType type = argument_type(c, c.region(0), 1);
  Instruction* operand = builder.convert(c.operand(0), type);
  const std::vector<int64_t>& dims = operand->shape.dims;
  const Shape order =
      Shape::array(ElementType::kS64, {operand->shape.element_count()});
  Instruction* positions = builder.reshape(
      builder.add("iota", order, {}, {{"iota_dimension", int64_t{0}}}), dims);
  Values operands = {operand, positions};
  for (Instruction* value : repeated(c, values, dims)) {
    operands.push_back(value);
  }
  operands.push_back(builder.constant(integer(Shape::scalar(type), 0)));
  operands.push_back(
      builder.constant(integer(Shape::scalar(ElementType::kS64), -1)));
  for (const Value* value : values) {
    operands.push_back(passed_scalar(c, *value));
  }
  std::vector<Shape> shapes;
  for (size_t i = 0; i < operands.size() / 2; ++i) {
    shapes.push_back(
        with_type(c.operand_shape(1), operands[i]->shape.element_type));
  }
  Computation* region = c.importer.computation(
      "select.choice", c.op.location, &c.scope,
      [&](Scope& scope) { return choice(c, scope, values); });
  Instruction* windows =
      builder.add("reduce-window", Shape::tuple(shapes), std::move(operands),
                  {{"window", window}, {"to_apply", region}});
  return builder.element(windows, 1);
}

/// How many devices are in each group, which are of one size.
int64_t group_size(const Conversion& c, const ReplicaGroups& groups) {
  for (const Ints& group : groups.groups) {
    c.require(group.size() == groups.groups[0].size(), "stablehlo.capture",
              {"the region uses values of outside, and the groups have ",
               group.size(), " and ", groups.groups[0].size(), " ids"},
              "then they must have one size");
  }
  c.require(
      !groups.groups.empty() && !groups.groups[0].empty(), "stablehlo.capture",
      {"the region uses values of outside, and replica_groups has no ids"},
      "then it must have some");
  return std::ssize(groups.groups[0]);
}

/// The slice `i` along the first dimension, without it.
Instruction* part(InstructionBuilder& builder, Instruction* parts, int64_t i) {
  std::vector<int64_t> dims = parts->shape.dims;
  SliceConfig config;
  for (const int64_t size : dims) config.dims.push_back({0, size, 1});
  config.dims[0] = {i, i + 1, 1};
  dims[0] = 1;
  Instruction* slice =
      builder.add("slice", Shape::array(parts->shape.element_type, dims),
                  {parts}, {{"slice", std::move(config)}});
  dims.erase(dims.begin());
  return builder.reshape(slice, dims);
}

}  // namespace

Values select_and_scatter_of_outside(const Conversion& c,
                                     const Window& window) {
  InstructionBuilder& builder = c.build();
  const Block& block = c.region(1);
  const ElementType type = argument_type(c, block, 0);
  const Passing passing = {
      .values = captures({&block}, c.scope), .groups = 2, .returns = true};
  Instruction* positions = chosen_positions(c, window);
  const int64_t places = positions->shape.element_count();
  const int64_t elements = c.operand_shape(0).element_count();
  Instruction* init = builder.convert(c.operand(2), type);
  Values operands = {builder.broadcast(init, {elements})};
  for (Instruction* value : repeated(c, passing.values, {elements})) {
    operands.push_back(value);
  }
  std::vector<Shape> shapes;
  for (const Instruction* operand : operands) shapes.push_back(operand->shape);
  operands.push_back(builder.reshape(positions, {places, 1}));
  operands.push_back(
      builder.reshape(builder.convert(c.operand(1), type), {places}));
  for (Instruction* value : repeated(c, passing.values, {places})) {
    operands.push_back(value);
  }
  const size_t count = shapes.size();
  Instruction* scatter =
      builder.add("scatter", count == 1 ? shapes[0] : Shape::tuple(shapes),
                  std::move(operands),
                  {{"update_window_dims", Ints{}},
                   {"inserted_window_dims", Ints{0}},
                   {"scatter_dims_to_operand_dims", Ints{0}},
                   {"index_vector_dim", int64_t{1}},
                   {"to_apply", applied_region(c, 1, passing)}});
  return {builder.reshape(builder.split(scatter, count)[0],
                          c.operand_shape(0).dims)};
}

Values combined_of_outside(const Conversion& c, const Attributes& groups) {
  InstructionBuilder& builder = c.build();
  const int64_t count =
      group_size(c, std::get<ReplicaGroups>(groups[0].second));
  const Passing passing = {.values = captures({&c.region(0)}, c.scope)};
  const ElementType type = argument_type(c, c.region(0), 0);
  Computation* combine = applied_region(c, 0, passing);
  Attributes attributes = groups;
  attributes.emplace_back("dimensions", Ints{0});
  Values results;
  for (Instruction* operand : c.operands) {
    std::vector<int64_t> dims = operand->shape.dims;
    const Values outside = repeated(c, passing.values, dims);
    const Ints dimensions = all_dimensions(operand->shape);
    dims.insert(dims.begin(), 1);
    Instruction* own = builder.reshape(builder.convert(operand, type), dims);
    dims[0] = count;
    Instruction* all =
        builder.add("all-gather", Shape::array(type, dims), {own}, attributes);
    Instruction* result = part(builder, all, 0);
    for (int64_t i = 1; i < count; ++i) {
      Values operands = {result, part(builder, all, i)};
      operands.insert(operands.end(), outside.begin(), outside.end());
      result = builder.add("map", result->shape, std::move(operands),
                           {{"dimensions", dimensions}, {"to_apply", combine}});
    }
    results.push_back(result);
  }
  return results;
}

Instruction* place_in_group(const Conversion& c, const Attributes& groups) {
  const int64_t count =
      group_size(c, std::get<ReplicaGroups>(groups[0].second));
  const Shape number = Shape::scalar(ElementType::kS32);
  Computation* greater = c.importer.computation(
      "greater", c.op.location, nullptr, [&](Scope& scope) {
        Instruction* x = scope.builder.parameter(number, "x");
        Instruction* y = scope.builder.parameter(number, "y");
        return scope.builder.add("maximum", number, {x, y});
      });
  InstructionBuilder& builder = c.build();
  Instruction* places =
      builder.add("iota", Shape::array(ElementType::kS32, {count}), {},
                  {{"iota_dimension", int64_t{0}}});
  Attributes attributes = groups;
  attributes.emplace_back("dimensions", Ints{0});
  attributes.emplace_back("to_apply", greater);
  Instruction* place =
      builder.add("reduce-scatter", Shape::array(ElementType::kS32, {1}),
                  {places}, std::move(attributes));
  return builder.reshape(place, {});
}

}  // namespace hlo::stablehlo
