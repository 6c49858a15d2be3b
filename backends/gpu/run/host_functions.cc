#include "backends/gpu/run/host_functions.h"

#include <unordered_map>

#include "backends/cpu/functions/reinterpretation_functions.h"
#include "backends/cpu/sizes/size_functions.h"
#include "interpreter/model/layout.h"
#include "interpreter/rules/op.h"

namespace hlo::gpu {
namespace {

constexpr std::string_view kBitcast = "bitcast";

using Table = std::unordered_map<std::string_view, cpu::Function>;

const Table& table() {
  static const Table functions = [] {
    Table all;
    for (const auto& [name, function] : cpu::size_functions()) {
      all.emplace(name, function);
    }
    for (const auto& [name, function] : cpu::reinterpretation_functions()) {
      if (name == kBitcast) all.emplace(name, function);
    }
    return all;
  }();
  return functions;
}

bool is_row_major(const Shape& shape) {
  return !shape.layout || *shape.layout == default_layout(shape.rank());
}

/// Whether the elements of an array stay where they are, and what they are.
bool keeps_elements(const Instruction& bitcast) {
  const Shape& from = bitcast.operand_shape(0);
  const Shape& to = bitcast.shape;
  return to.is_array() && from.element_type == to.element_type &&
         from.element_count() == to.element_count() && is_row_major(from) &&
         is_row_major(to);
}

}  // namespace

cpu::Function host_function(const Instruction& instruction) {
  const auto found = table().find(instruction.op->name);
  const bool is_left = found == table().end() || (found->first == kBitcast &&
                                                  keeps_elements(instruction));
  return is_left ? nullptr : found->second;
}

}  // namespace hlo::gpu
