#include "interpreter/rules/devices/buffers.h"

#include <algorithm>
#include <string>

#include "interpreter/error.h"
#include "interpreter/rules/attributes/aliasing.h"

namespace hlo {
namespace {

void collect(const Shape& shape, Index& index, std::vector<Index>& found) {
  if (shape.element_type == ElementType::kBuffer) found.push_back(index);
  if (!shape.is_tuple()) return;
  for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
    index.push_back(static_cast<int64_t>(i));
    collect(shape.tuple_shapes[i], index, found);
    index.pop_back();
  }
}

void check_taken(const Instruction& call, const std::vector<Alias>& aliases) {
  for (size_t i = 0; i < call.operands.size(); ++i) {
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
}

void check_given(const Instruction& call, const std::vector<Alias>& aliases) {
  for (const Index& index : buffers_in(call.shape)) {
    require(std::ranges::find(aliases, index, &Alias::output) != aliases.end(),
            "buffers.new",
            {"the buffer at ", index, " of the result did not go in"},
            "a buffer that comes out must have gone in");
  }
}

}  // namespace

bool holds_buffer(const Shape& shape) {
  return shape.element_type == ElementType::kBuffer ||
         std::ranges::any_of(shape.tuple_shapes, holds_buffer);
}

std::vector<Index> buffers_in(const Shape& shape) {
  std::vector<Index> found;
  Index index;
  collect(shape, index, found);
  return found;
}

void check_buffers(const Surroundings& around) {
  if (!around.has_buffers) return;
  const Instruction& call = around.instruction;
  const auto& target = call.get<std::string>("custom_call_target");
  const std::vector<Alias> aliases = aliases_of(call);
  const bool pins = target == "Pin";
  const bool unpins = target == "Unpin";
  require((!pins && !unpins) || aliases.size() == 1, "buffers.pin",
          {"there are ", Count{std::ssize(aliases), "alias", "aliases"}},
          "Pin and Unpin need one output_to_operand_aliasing");
  if (!unpins) check_taken(call, aliases);
  if (!pins && target != "CreateBuffer") check_given(call, aliases);
}

}  // namespace hlo
