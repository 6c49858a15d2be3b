#include "interpreter/stablehlo/import/importer/applied_region.h"

#include <algorithm>

#include "interpreter/stablehlo/import/importer/importer.h"
#include "interpreter/stablehlo/import/importer/instruction_builder.h"

namespace hlo::stablehlo {
namespace {

Shape argument_shape(const Conversion& c, const Value& argument) {
  const Shape& shape = argument.type.shape;
  c.require(is_static(shape), "stablehlo.dynamic",
            {"an argument of a region is ", shape},
            "dynamic shapes cannot be imported here");
  return shape;
}

/// Parameters for the arguments of a group, then for what is passed, which
/// the group `owner` binds.
void add_group(const Conversion& c, const Block& block, size_t group,
               const Passing& passing, Scope& scope, Values& passed) {
  const size_t size = block.arguments.size() / passing.groups;
  for (size_t i = group * size; i < (group + 1) * size; ++i) {
    const Value& argument = *block.arguments[i];
    Shape shape = argument_shape(c, argument);
    const ElementType type = shape.element_type;
    shape.element_type = passing.type.value_or(type);
    scope.bind(argument,
               scope.builder.convert(
                   scope.builder.parameter(shape, argument.name), type));
  }
  for (const Value* value : passing.values) {
    const Shape shape = c.scope.find(*value)->shape;
    for (size_t copy = 0; copy < passing.copies; ++copy) {
      Instruction* parameter = scope.builder.parameter(shape, value->name);
      if (group == 0 && copy == 0) {
        scope.bind(*value, parameter);
        passed.push_back(parameter);
      }
    }
  }
}

/// "reduce" of "stablehlo.reduce".
std::string_view short_name(std::string_view name) {
  return name.substr(name.find('.') + 1);
}

}  // namespace

ElementType argument_type(const Conversion& c, const Block& block, size_t i) {
  c.require(i < block.arguments.size(), "stablehlo.regions",
            {"the region has ", Count{std::ssize(block.arguments), "argument"}},
            "it must have more");
  return block.arguments[i]->type.shape.element_type;
}

Computation* applied_region(const Conversion& c, size_t i,
                            const Passing& passing) {
  const Block& block = c.region(i);
  c.require(block.arguments.size() % passing.groups == 0, "stablehlo.regions",
            {"the region has ", Count{std::ssize(block.arguments), "argument"}},
            "it must take as many values on the left as on the right");
  return c.importer.computation(
      std::string(short_name(c.op.name)) + ".region", c.op.location, &c.scope,
      [&](Scope& scope) {
        Values passed;
        for (size_t group = 0; group < passing.groups; ++group) {
          add_group(c, block, group, passing, scope, passed);
        }
        Values returned = c.importer.block(block, scope);
        if (passing.returns) {
          returned.insert(returned.end(), passed.begin(), passed.end());
        }
        return passing.as_tuple ? scope.builder.tuple(std::move(returned))
                                : scope.builder.join(returned);
      });
}

Instruction* passed_scalar(const Conversion& c, const Value& value) {
  Instruction* instruction = c.scope.find(value);
  c.require(instruction->shape.is_scalar(), "stablehlo.capture",
            {"the region uses %", value.name, " of outside, which is ",
             instruction->shape},
            "it can use only constants and scalars of outside");
  return instruction;
}

void check_no_captures(const Conversion& c, size_t i) {
  const auto used = captures({&c.region(i)}, c.scope);
  if (used.empty()) return;
  c.fail("stablehlo.capture", "the region uses %" + used[0]->name +
                                  " of outside, which is not constant");
}

}  // namespace hlo::stablehlo
