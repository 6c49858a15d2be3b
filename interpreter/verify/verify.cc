#include "interpreter/verify/verify.h"

#include <algorithm>
#include <set>
#include <string>

#include "interpreter/arithmetic_state.h"
#include "interpreter/foreign/targets.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/rules/devices/buffers.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/surroundings.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

void check_layouts(const Shape& shape) {
  validate_layout(shape);
  for (const Shape& element : shape.tuple_shapes) check_layouts(element);
}

/// What fusions call: other calls name their computation by another attribute.
std::set<const Computation*> fused_computations(const Module& module) {
  std::set<const Computation*> fused;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->form != Form::kCall) continue;
      const AttributeValue* calls = instruction->find("calls");
      const auto* called = std::get_if<Computation*>(calls);
      if (called != nullptr) fused.insert(*called);
    }
  }
  return fused;
}

/// Calls check(instruction) for each; errors get the place of the instruction.
template <typename Check>
void for_each(const Computation& computation, const Check& check) {
  for (const auto& instruction : computation.instructions) {
    try {
      check(*instruction);
    } catch (const Error& error) {
      if (error.location().line != 0) throw;
      throw at(error, *instruction);
    }
  }
}

/// What is counted or compared across the whole program.
struct Totals {
  ShapeBudget shapes;
  ChannelRules channels;
  NestingRules nesting;
};

void verify_computation(const Computation& computation, const Module& module,
                        bool is_fused, Totals& totals) {
  check_parameters(computation);
  totals.shapes.begin(computation);
  for_each(computation, [&](Instruction& instruction) {
    check_alone(instruction, totals.shapes);
    totals.nesting.check(instruction);
  });
  check_signature(computation);
  const std::vector<UserList> users = find_users(computation);
  const bool has_buffers = std::ranges::any_of(
      computation.instructions,
      [](const auto& one) { return holds_buffer(one->shape); });
  BufferRules buffers;
  for_each(computation, [&](const Instruction& instruction) {
    const Surroundings around{
        .instruction = instruction,
        .users = &users[static_cast<size_t>(instruction.position)],
        .module = module,
        .is_entry = &computation == module.entry,
        .has_buffers = has_buffers};
    if (instruction.op->check != nullptr) instruction.op->check(around);
    if (is_fused) check_fused(around);
    totals.channels.check(instruction);
    if (has_buffers) buffers.check(around);
  });
}

/// What the header says; errors get the place of the entry computation.
void check_header(const Module& module) {
  try {
    check_module_aliasing(module);
    if (!module.entry_layout) return;
    std::ranges::for_each(module.entry_layout->parameters, check_layouts);
    check_layouts(module.entry_layout->result);
  } catch (const Error& error) {
    if (error.location().line != 0 || module.entry == nullptr) throw;
    throw Error(error.phase(), error.rule(), error.message(),
                module.entry->location);
  }
}

}  // namespace

Error at(const Error& error, const Instruction& instruction) {
  return {error.phase(), error.rule(),
          error.message() + ": " + summary(instruction), instruction.location};
}

void check_alone(Instruction& instruction, ShapeBudget& budget) {
  if (instruction.has_shape) check_layouts(instruction.shape);
  check_operands(instruction);
  check_attributes(instruction);
  choose_target(instruction);
  budget.take_operands(instruction);
  check_shape(instruction);
  budget.take_result(instruction);
  check_bounded(instruction);
  check_operand_aliasing(instruction);
  check_sharding(instruction);
  check_common_sharding(instruction);
  check_origin(instruction);
}

void verify(Module& module) {
  const ReferenceArithmetic arithmetic;
  check_devices(module);
  Totals totals{.shapes = ShapeBudget(module), .channels = {}, .nesting = {}};
  const auto fused = fused_computations(module);
  for (const auto& computation : module.computations) {
    verify_computation(*computation, module, fused.contains(computation.get()),
                       totals);
  }
  check_constrained_layouts(module);
  check_entry_layout(module);
  check_header(module);
}

Module verified_module(std::string_view source) {
  Module module = text::parse(source);
  verify(module);
  return module;
}

}  // namespace hlo
