#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "interpreter/rules/attributes/verbatim.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

constexpr std::array kHolders = std::to_array<std::string_view>(
    {"async-done", "async-start", "async-update", "call", "conditional",
     "custom-call", "fusion", "get-tuple-element", "opt-barrier", "parameter",
     "tuple", "while"});

void collect(const Shape& shape, Index& index, std::vector<Index>& found) {
  if (shape.element_type == ElementType::kBuffer) found.push_back(index);
  if (!shape.is_tuple()) return;
  for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
    index.push_back(static_cast<int64_t>(i));
    collect(shape.tuple_shapes[i], index, found);
    index.pop_back();
  }
}

/// Where in the shape buffers are.
std::vector<Index> buffers_in(const Shape& shape) {
  std::vector<Index> found;
  Index index;
  collect(shape, index, found);
  return found;
}

bool passes_through(const Instruction& instruction) {
  const std::string_view name = instruction.op->name;
  return name == "tuple" || name == "get-tuple-element";
}

/// What made the buffer, and where it stands in the result of that.
std::pair<const Instruction*, Index> origin_of(const Instruction* instruction,
                                               Index index) {
  while (passes_through(*instruction)) {
    if (instruction->op->name == "tuple") {
      instruction = instruction->operands[static_cast<size_t>(index[0])];
      index.erase(index.begin());
    } else {
      index.insert(index.begin(), instruction->get<int64_t>("index"));
      instruction = instruction->operands[0];
    }
  }
  return {instruction, index};
}

bool is_custom_call(const Instruction& instruction, std::string_view target) {
  return instruction.op->name == "custom-call" &&
         instruction.get_or<std::string>("custom_call_target", "") == target;
}

std::vector<Alias> aliases_of(const Instruction& instruction) {
  const AttributeValue* value = instruction.find("output_to_operand_aliasing");
  if (value == nullptr) return {};
  return read_aliases(std::get<Verbatim>(*value).text)
      .value_or(std::vector<Alias>{});
}

/// Each buffer that a custom-call takes comes out of it again, once, and none
/// comes out that it did not take.
void check_custom_call(const Instruction& call) {
  const std::vector<Alias> aliases = aliases_of(call);
  const bool pins = is_custom_call(call, "Pin");
  const bool unpins = is_custom_call(call, "Unpin");
  require((!pins && !unpins) || aliases.size() == 1, "buffers.pin",
          {"there are ", Count{std::ssize(aliases), "alias", "aliases"}},
          "Pin and Unpin need one output_to_operand_aliasing");
  for (size_t i = 0; i < call.operands.size() && !unpins; ++i) {
    for (const Index& index : buffers_in(call.operand_shape(i))) {
      const auto uses = std::ranges::count_if(aliases, [&](const Alias& alias) {
        return alias.operand == static_cast<int64_t>(i) &&
               alias.operand_index == index;
      });
      require(
          uses > 0, "buffers.lost",
          {"the buffer at ", index, " of operand ", i, " does not come out"},
          "a buffer that goes in must come out");
      require(uses == 1, "buffers.repeated",
              {"the buffer at ", index, " of operand ", i, " comes out ",
               Count{uses, "time"}},
              "it must come out once");
    }
  }
  if (pins || is_custom_call(call, "CreateBuffer")) return;
  for (const Index& index : buffers_in(call.shape)) {
    require(std::ranges::find(aliases, index, &Alias::output) != aliases.end(),
            "buffers.new",
            {"the buffer at ", index, " of the result did not go in"},
            "a buffer that comes out must have gone in");
  }
}

bool holds_buffer(const Shape& shape) {
  return shape.element_type == ElementType::kBuffer ||
         std::ranges::any_of(shape.tuple_shapes, holds_buffer);
}

}  // namespace

BufferRules::BufferRules(const Computation& computation)
    : has_buffers_(std::ranges::any_of(
          computation.instructions,
          [](const auto& one) { return holds_buffer(one->shape); })) {}

void BufferRules::write(const Instruction& instruction) {
  for (const Index& index : buffers_in(instruction.shape)) {
    require(written_.insert(origin_of(&instruction, index)).second,
            "buffers.writers",
            {"the buffer at ", index, " of %", instruction.name,
             " is written or returned again"},
            "it must be so once");
  }
}

void BufferRules::check(const Instruction& instruction, bool is_entry) {
  if (!has_buffers_) return;
  const std::string_view name = instruction.op->name;
  if (holds_buffer(instruction.shape)) {
    require(std::ranges::binary_search(kHolders, name) &&
                !(is_entry && name == "parameter"),
            "buffers.place",
            {"%", instruction.name, " of shape ", instruction.shape,
             " holds a buffer"},
            "parameters of the program and operations on values can hold none");
  }
  if (name == "custom-call") check_custom_call(instruction);
  if (!passes_through(instruction)) {
    // The branches of a conditional share an operand: one of them writes it.
    const std::set<const Instruction*> operands(instruction.operands.begin(),
                                                instruction.operands.end());
    for (const Instruction* operand : operands) write(*operand);
  }
  if (&instruction == instruction.parent->root) write(instruction);
}

}  // namespace hlo
