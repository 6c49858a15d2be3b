#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "interpreter/rules/devices/collective.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/verbatim.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

/// Operations that have a half of their own for the end.
constexpr std::array kPairs =
    std::to_array<std::pair<std::string_view, std::string_view>>(
        {{"all-gather-start", "all-gather-done"},
         {"all-reduce-start", "all-reduce-done"},
         {"collective-permute-start", "collective-permute-done"},
         {"copy-start", "copy-done"}});

bool is_async(std::string_view name) {
  return name == "async-start" || name == "async-update" ||
         name == "async-done";
}

/// Whether the state may come out of a loop, a branch or a caller.
bool may_carry(const Instruction& instruction) {
  const std::string_view name = instruction.op->name;
  return name == "get-tuple-element" || name == "parameter" ||
         name == "while" || name == "conditional" || name == "call" ||
         name == "opt-barrier" || name == "copy";
}

void check_pair(const Instruction& instruction, const UserList& users) {
  const std::string_view name = instruction.op->name;
  for (const auto& [start, done] : kPairs) {
    if (name == start) {
      const auto ends = [done = done](const Instruction* user) {
        return user->op->name == done;
      };
      require(std::ranges::count_if(users, ends) == 1, "async.pair",
              "a start has one done");
    } else if (name == done) {
      require(instruction.operands[0]->op->name == start, "async.pair",
              "a start has one done");
    }
  }
}

/// A chain starts with async-start and ends with async-done, unless it leaves
/// the computation.
void check_chain(const Instruction& instruction, const UserList& users,
                 bool is_entry) {
  const std::string_view name = instruction.op->name;
  if (name != "async-start") {
    const Instruction& before = *instruction.operands[0];
    const bool known = is_async(before.op->name)
                           ? before.op->name != "async-done"
                           : may_carry(before) &&
                                 !(is_entry && before.op->name == "parameter");
    require(known, "async.start",
            "an update or a done continues an asynchronous operation");
  }
  if (name != "async-done") {
    const bool is_result = &instruction == instruction.parent->root;
    require(!users.empty() || (is_result && !is_entry), "async.done",
            "an asynchronous operation is ended by a done");
    require(users.size() <= 1, "async.users",
            "the state of an asynchronous operation is used once");
  }
}

bool is_arrangement(const Instruction& instruction) {
  const std::string_view name = instruction.op->name;
  return name == "parameter" || name == "tuple" || name == "get-tuple-element";
}

bool is_communication(const Instruction& instruction) {
  const std::string_view name = instruction.op->name;
  return name == "send" || name == "recv" || has_groups(instruction) ||
         name == "collective-permute";
}

void check_wrapped(const Instruction& instruction) {
  const Computation* wrapped = wrapped_computation(instruction);
  if (wrapped == nullptr) return;
  const auto count = [&](bool (*is)(const Instruction&)) {
    return std::ranges::count_if(wrapped->instructions,
                                 [&](const auto& one) { return is(*one); });
  };
  const int64_t operations =
      std::ssize(wrapped->instructions) - count(is_arrangement);
  require(operations <= 1 || operations == count(is_communication),
          "async.computation",
          "what runs asynchronously is one operation, or communication only");
  const auto thread =
      instruction.get_or<std::string>("async_execution_thread", "");
  require(thread.empty() || wrapped->execution_thread.empty() ||
              thread == wrapped->execution_thread,
          "async.thread",
          "the wrapped computation runs on the thread that is named");
}

void check_start_alias(const Alias& alias, const Instruction& start) {
  const Computation& wrapped = *start.get<Computation*>("calls");
  const auto count = static_cast<int64_t>(wrapped.parameters.size());
  require(alias.operand >= 0 && alias.operand < count, "aliasing.operand",
          "the operand exists");
  const Shape* operand = find_subshape(
      wrapped.parameters[static_cast<size_t>(alias.operand)]->shape,
      alias.operand_index);
  require(operand != nullptr, "aliasing.operand-index",
          "the part of the operand exists");
  // What is bound later may be aliased already.
  Shape bound = start.shape;
  bound.tuple_shapes[0] = Shape::tuple(parameter_shapes(wrapped));
  bound.tuple_shapes[1] = wrapped.root->shape;
  const Shape* output = find_subshape(bound, alias.output);
  require(!alias.output.empty() && output != nullptr, "aliasing.output-index",
          "the part of the result exists");
  require(compatible(*operand, *output, true), "aliasing.shape",
          "what is aliased has one shape");
}

void check_update_alias(const Alias& alias, const Instruction& update) {
  require(alias.operand == 0, "aliasing.operand", "the operand exists");
  const Shape* operand =
      find_subshape(update.operand_shape(0), alias.operand_index);
  require(operand != nullptr && !alias.operand_index.empty() &&
              alias.operand_index[0] == 2,
          "aliasing.operand-index", "the part of the operand exists");
  require(find_subshape(update.shape, alias.output) != nullptr,
          "aliasing.output-index", "the part of the result exists");
}

void check_plain_alias(const Alias& alias, const Instruction& instruction) {
  const auto count = static_cast<int64_t>(instruction.operands.size());
  require(alias.operand >= 0 && alias.operand < count, "aliasing.operand",
          "the operand exists");
  const Shape* operand = find_subshape(
      instruction.operand_shape(static_cast<size_t>(alias.operand)),
      alias.operand_index);
  require(operand != nullptr, "aliasing.operand-index",
          "the part of the operand exists");
  const Shape* output = find_subshape(instruction.shape, alias.output);
  require(output != nullptr, "aliasing.output-index",
          "the part of the result exists");
  const auto contents = [](const Shape* shape) {
    return shape->element_type == ElementType::kBuffer
               ? &shape->tuple_shapes.front()
               : shape;
  };
  require(compatible(*contents(operand), *contents(output), true),
          "aliasing.shape", "what is aliased has one shape");
}

}  // namespace

void check_async(const Instruction& instruction, const UserList& users,
                 bool is_entry) {
  check_pair(instruction, users);
  if (!is_async(instruction.op->name)) return;
  check_chain(instruction, users, is_entry);
  check_wrapped(instruction);
}

void check_operand_aliasing(const Instruction& instruction) {
  const AttributeValue* value = instruction.find("output_to_operand_aliasing");
  if (value == nullptr) return;
  const auto aliases = read_aliases(std::get<Verbatim>(*value).text);
  if (!aliases) return;
  for (const Alias& alias : *aliases) {
    if (instruction.op->name == "async-start") {
      check_start_alias(alias, instruction);
    } else if (instruction.op->name == "async-update") {
      check_update_alias(alias, instruction);
    } else {
      check_plain_alias(alias, instruction);
    }
  }
}

}  // namespace hlo
