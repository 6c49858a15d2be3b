#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "interpreter/rules/attributes/verbatim.h"
#include "interpreter/rules/devices/collective.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
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
              {"%", instruction.name, " has ",
               Count{std::ranges::count_if(users, ends), "done", "dones"}},
              "a start must have one done");
    } else if (name == done) {
      require(instruction.operands[0]->op->name == start, "async.pair",
              {"%", instruction.name, " is the done of %",
               instruction.operands[0]->name, ", which is no ", start},
              "it must belong to a start");
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
            {"%", instruction.name, " continues %", before.name},
            "an update or a done must continue an asynchronous operation");
  }
  if (name != "async-done") {
    const bool is_result = &instruction == instruction.parent->root;
    require(!users.empty() || (is_result && !is_entry), "async.done",
            {"%", instruction.name, " has no done"},
            "an asynchronous operation must be ended by one");
    require(users.size() <= 1, "async.users",
            {"the state %", instruction.name, " is used ",
             Count{std::ssize(users), "time"}},
            "the state of an asynchronous operation must be used once");
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
  require(
      operations <= 1 || operations == count(is_communication),
      "async.computation",
      {"%", wrapped->name, " has ", Count{operations, "operation"}},
      "what runs asynchronously must be one operation, or communication only");
  const auto thread =
      instruction.get_or<std::string>("async_execution_thread", "");
  require(thread.empty() || wrapped->execution_thread.empty() ||
              thread == wrapped->execution_thread,
          "async.thread",
          {"async_execution_thread is ", thread,
           " and the wrapped computation is for ", wrapped->execution_thread},
          "it must run on the thread that is named");
}

void check_start_alias(const Alias& alias, const Instruction& start) {
  const Computation& wrapped = *start.get<Computation*>("calls");
  const auto count = static_cast<int64_t>(wrapped.parameters.size());
  require(alias.operand >= 0 && alias.operand < count, "aliasing.operand",
          {"operand ", alias.operand, " is aliased and there are ",
           Count{count, "operand"}},
          "what is aliased must exist");
  const Shape* operand = find_subshape(
      wrapped.parameters[static_cast<size_t>(alias.operand)]->shape,
      alias.operand_index);
  require(operand != nullptr, "aliasing.operand-index",
          {"part ", alias.operand_index, " of operand ", alias.operand,
           " is aliased"},
          "there must be such a part");
  // What is bound later may be aliased already.
  Shape bound = start.shape;
  bound.tuple_shapes[0] = Shape::tuple(parameter_shapes(wrapped));
  bound.tuple_shapes[1] = wrapped.root->shape;
  const Shape* output = find_subshape(bound, alias.output);
  require(!alias.output.empty() && output != nullptr, "aliasing.output-index",
          {"part ", alias.output, " of the result ", bound, " is aliased"},
          "there must be such a part");
  require(compatible(*operand, *output, true), "aliasing.shape",
          {"the operand's part ", alias.operand_index, " is ", *operand,
           " and the result's part ", alias.output, " is ", *output},
          "what is aliased must have one shape");
}

void check_update_alias(const Alias& alias, const Instruction& update) {
  require(alias.operand == 0, "aliasing.operand",
          {"operand ", alias.operand, " is aliased"},
          "it must be operand 0, the state");
  const Shape* operand =
      find_subshape(update.operand_shape(0), alias.operand_index);
  require(operand != nullptr && !alias.operand_index.empty() &&
              alias.operand_index[0] == 2,
          "aliasing.operand-index",
          {"part ", alias.operand_index, " of the state ",
           update.operand_shape(0), " is aliased"},
          "it must be a part of its context, in element 2");
  require(
      find_subshape(update.shape, alias.output) != nullptr,
      "aliasing.output-index",
      {"part ", alias.output, " of the result ", update.shape, " is aliased"},
      "there must be such a part");
}

void check_plain_alias(const Alias& alias, const Instruction& instruction) {
  const auto count = static_cast<int64_t>(instruction.operands.size());
  require(alias.operand >= 0 && alias.operand < count, "aliasing.operand",
          {"operand ", alias.operand, " is aliased and there are ",
           Count{count, "operand"}},
          "what is aliased must exist");
  const Shape* operand = find_subshape(
      instruction.operand_shape(static_cast<size_t>(alias.operand)),
      alias.operand_index);
  require(operand != nullptr, "aliasing.operand-index",
          {"part ", alias.operand_index, " of operand ", alias.operand,
           " is aliased"},
          "there must be such a part");
  const Shape* output = find_subshape(instruction.shape, alias.output);
  require(output != nullptr, "aliasing.output-index",
          {"part ", alias.output, " of the result ", instruction.shape,
           " is aliased"},
          "there must be such a part");
  const auto contents = [](const Shape* shape) {
    return shape->element_type == ElementType::kBuffer
               ? &shape->tuple_shapes.front()
               : shape;
  };
  require(
      compatible(*contents(operand), *contents(output), true), "aliasing.shape",
      {"the operand's part ", alias.operand_index, " is ", *contents(operand),
       " and the result's part ", alias.output, " is ", *contents(output)},
      "what is aliased must have one shape");
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
