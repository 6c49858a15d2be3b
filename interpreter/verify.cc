#include "interpreter/verify.h"

#include <algorithm>
#include <string>

#include "interpreter/op.h"
#include "interpreter/verify_rules.h"

namespace hlo {
namespace {

/// The error with the instruction that it is about.
Error at(const Error& error, const Instruction& instruction) {
  return {error.phase(), error.rule(),
          error.message() + ": " + summary(instruction), instruction.location};
}

void check_layouts(const Shape& shape) {
  validate_layout(shape);
  for (const Shape& element : shape.tuple_shapes) check_layouts(element);
}

/// What the rules about one instruction need to know around it.
struct Context {
  const Module& module;
  bool is_entry;
};

/// What the instruction is by itself, so that others may build on it.
void check_alone(Instruction& instruction) {
  if (instruction.has_shape) check_layouts(instruction.shape);
  check_operands(instruction);
  check_attributes(instruction);
  check_shape(instruction);
  check_bounded(instruction);
  check_operand_aliasing(instruction);
  check_sharding(instruction);
  check_common_sharding(instruction);
  check_origin(instruction);
  check_threads(instruction);
}

void check_in_context(const Instruction& instruction, const UserList& users,
                      const Context& context) {
  check_collective(instruction, context.module);
  check_async(instruction, users, context.is_entry);
  check_transfer(instruction, users);
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

void verify_computation(const Computation& computation, const Context& context,
                        ChannelRules& channels) {
  check_parameters(computation);
  for_each(computation, check_alone);
  check_signature(computation);
  const std::vector<UserList> users = find_users(computation);
  BufferRules buffers(computation);
  for_each(computation, [&](const Instruction& instruction) {
    check_in_context(instruction,
                     users[static_cast<size_t>(instruction.position)], context);
    channels.check(instruction);
    buffers.check(instruction, context.is_entry);
  });
}

}  // namespace

void verify(Module& module) {
  ChannelRules channels;
  for (const auto& computation : module.computations) {
    verify_computation(
        *computation,
        {.module = module, .is_entry = computation.get() == module.entry},
        channels);
  }
  check_constrained_layouts(module);
  check_entry_layout(module);
  check_module_aliasing(module);
  if (!module.entry_layout) return;
  std::ranges::for_each(module.entry_layout->parameters, check_layouts);
  check_layouts(module.entry_layout->result);
}

}  // namespace hlo
