#include "interpreter/stablehlo/import/operations/import_control.h"

#include "interpreter/stablehlo/import/importer/importer.h"

namespace hlo::stablehlo {
namespace {

std::vector<Shape> shapes_of(const Values& values) {
  std::vector<Shape> shapes;
  for (const Instruction* value : values) shapes.push_back(value->shape);
  return shapes;
}

Values find_all(Scope& scope, const std::vector<const Value*>& values) {
  Values found;
  for (const Value* value : values) found.push_back(scope.find(*value));
  return found;
}

/// A computation of one parameter, the tuple of `arguments` and `captured`.
/// `finish` gives the root of what the block returns and of the elements of
/// the tuple behind the arguments.
Computation* region_of_tuple(
    const Conversion& c, const Block& block, std::string_view name,
    const std::vector<Shape>& arguments,
    const std::vector<const Value*>& captured,
    const std::function<Instruction*(InstructionBuilder&, Values,
                                     const Values&)>& finish) {
  c.require(block.arguments.size() == arguments.size(), "stablehlo.regions",
            {"the region has ", Count{std::ssize(block.arguments), "argument"},
             " and is given ", Count{std::ssize(arguments), "value"}},
            "it must have one for each");
  std::vector<Shape> shapes = arguments;
  for (const Shape& shape : shapes_of(find_all(c.scope, captured))) {
    shapes.push_back(shape);
  }
  return c.importer.computation(
      name, c.op.location, &c.scope, [&](Scope& scope) {
        InstructionBuilder& builder = scope.builder;
        Instruction* state = builder.parameter(Shape::tuple(shapes), "state");
        Values passed;
        for (size_t i = 0; i < shapes.size(); ++i) {
          Instruction* element =
              builder.element(state, static_cast<int64_t>(i));
          if (i < arguments.size()) {
            scope.bind(*block.arguments[i], element);
          } else {
            scope.bind(*captured[i - arguments.size()], element);
            passed.push_back(element);
          }
        }
        Values returned = c.importer.block(block, scope);
        return finish(builder, std::move(returned), passed);
      });
}

Instruction* join_returned(InstructionBuilder& builder, const Values& returned,
                           const Values& /*passed*/) {
  return builder.join(returned);
}

Values while_loop(const Conversion& c) {
  const auto captured = captures({&c.region(0), &c.region(1)}, c.scope);
  const std::vector<Shape> shapes = shapes_of(c.operands);
  Computation* condition = region_of_tuple(c, c.region(0), "while.condition",
                                           shapes, captured, join_returned);
  Computation* body = region_of_tuple(
      c, c.region(1), "while.body", shapes, captured,
      [](InstructionBuilder& builder, Values returned, const Values& passed) {
        returned.insert(returned.end(), passed.begin(), passed.end());
        return builder.tuple(std::move(returned));
      });
  Values state = c.operands;
  for (Instruction* value : find_all(c.scope, captured)) state.push_back(value);
  Instruction* first = c.build().tuple(std::move(state));
  Instruction* last = c.build().add("while", first->shape, {first},
                                    {{"condition", condition}, {"body", body}});
  Values results;
  for (size_t i = 0; i < c.operands.size(); ++i) {
    results.push_back(c.build().element(last, static_cast<int64_t>(i)));
  }
  return results;
}

/// Each branch gets the tuple of what it uses.
Values branches(const Conversion& c, bool is_case) {
  Values operands = {c.operand(0)};
  Computations computations;
  for (size_t i = 0; i < c.op.regions.size(); ++i) {
    const Block& block = c.region(i);
    const auto captured = captures({&block}, c.scope);
    computations.push_back(
        region_of_tuple(c, block, "branch", {}, captured, join_returned));
    operands.push_back(c.build().tuple(find_all(c.scope, captured)));
  }
  const Shape shape = c.shapes.empty() ? Shape::tuple({}) : c.shape();
  Attributes attributes;
  if (is_case) {
    attributes = {{"branch_computations", computations}};
  } else {
    attributes = {{"true_computation", computations[0]},
                  {"false_computation", computations[1]}};
  }
  return c.build().split(
      c.build().add("conditional", shape, std::move(operands),
                    std::move(attributes)),
      c.shapes.size());
}

Values case_of(const Conversion& c) {
  c.region(0);  // there is one
  return branches(c, true);
}

Values if_else(const Conversion& c) { return branches(c, false); }

Values optimization_barrier(const Conversion& c) {
  if (c.operands.empty()) return {};
  Instruction* joined = c.build().join(c.operands);
  return c.build().split(c.build().add("opt-barrier", joined->shape, {joined}),
                         c.operands.size());
}

Values after_all(const Conversion& c) { return c.make("after-all"); }

constexpr ConverterRow kRows[] = {
    {"stablehlo.after_all", after_all, true},
    {"stablehlo.case", case_of, true, exactly(1), at_least(1)},
    {"stablehlo.create_token", after_all, true, exactly(0)},
    {"stablehlo.if", if_else, true, exactly(1), exactly(2)},
    {"stablehlo.optimization_barrier", optimization_barrier, true},
    {"stablehlo.while", while_loop, true, at_least(0), exactly(2)},
};

}  // namespace

ConverterRows control_rows() { return kRows; }

}  // namespace hlo::stablehlo
