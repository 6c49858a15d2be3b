#include "backends/devices/grid_network.h"

#include "interpreter/rules/op.h"

namespace hlo::devices {
namespace {

bool ask_the_same(const Instruction& a, const Instruction& b) {
  for (const std::string_view name : {"dimensions", "source_target_pairs",
                                      "has_dynamic_root", "slice_sizes"}) {
    const AttributeValue* x = a.find(name);
    const AttributeValue* y = b.find(name);
    if ((x == nullptr) != (y == nullptr)) return false;
    if (x != nullptr && !(*x == *y)) return false;
  }
  return true;
}

}  // namespace

std::string_view meeting_name(const Instruction& collective) {
  const std::string_view name = collective.op->name;
  constexpr std::string_view kStart = "-start";
  return name.ends_with(kStart) ? name.substr(0, name.size() - kStart.size())
                                : name;
}

void require_alike(const Instruction& collective,
                   const std::vector<const Shape*>& operands,
                   const Instruction& first,
                   const std::vector<const Shape*>& others) {
  const auto fit = [](const Shape* a, const Shape* b) {
    return compatible(*a, *b, /*ignore_dynamic=*/true);
  };
  require_evaluable(std::ranges::equal(operands, others, fit) &&
                        ask_the_same(collective, first),
                    "collective.alike",
                    {"%", collective.name, " differs from %", first.name,
                     " in shapes or attributes"},
                    "the members of a group must ask for the same");
}

void require_sent_shape(const Shape& sent, const Shape& wanted) {
  require_evaluable(
      compatible(sent, wanted, /*ignore_dynamic=*/true), "channel.shape",
      {"what was sent is ", sent, " and what is received ", wanted},
      "they must have one shape");
}

void require_kept(bool is_kept) {
  require_evaluable(is_kept, "channel.state",
                    {"a done ends what has been ended or never begun"},
                    "it must end each send, recv or start once");
}

}  // namespace hlo::devices
