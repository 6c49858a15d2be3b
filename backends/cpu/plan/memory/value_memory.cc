#include "backends/cpu/plan/memory/value_memory.h"

#include <cstring>

#include "backends/cpu/routines/regions/lane_code.h"

namespace hlo::cpu {

ValueMemory::ValueMemory(const StepPlan& plan,
                         std::span<const std::byte* const> arguments,
                         std::span<std::byte* const> state, std::byte* block)
    : plan_(plan),
      arguments_(arguments),
      state_(state),
      block_(block),
      elsewhere_(plan.graph.values.size()) {}

void ValueMemory::put(size_t value, std::byte* place) {
  for (auto own = static_cast<int64_t>(value); own >= 0;
       own = plan_.before[static_cast<size_t>(own)]) {
    elsewhere_[static_cast<size_t>(own)] = place;
  }
}

const std::byte* ValueMemory::memory(size_t value) const {
  const Value& own = plan_.graph.values[value];
  if (own.argument >= 0) return arguments_[static_cast<size_t>(own.argument)];
  if (own.literal != nullptr) return own.literal->bytes().data();
  return own.bytes == 0 ? nullptr : place(value);
}

std::byte* ValueMemory::place(size_t value) const {
  if (elsewhere_[value] != nullptr) return elsewhere_[value];
  const int64_t over = plan_.over[value];
  return over >= 0 ? state_[static_cast<size_t>(over)]
                   : block_ + plan_.offsets[value];
}

std::byte* ValueMemory::result(const Node& node) const {
  return place(node.results[0]);
}

float* ValueMemory::floats(const Node& node) const {
  return reinterpret_cast<float*>(result(node));
}

size_t ValueMemory::width_of(const Operand& operand) const {
  return static_cast<size_t>(
      storage_bytes(plan_.graph.values[operand.value].shape.element_type));
}

const std::byte* ValueMemory::first_of(const Operand& operand) const {
  return memory(operand.value) +
         operand.view.offset * static_cast<int64_t>(width_of(operand));
}

const float* ValueMemory::floats(const Operand& operand) const {
  return reinterpret_cast<const float*>(first_of(operand));
}

int64_t ValueMemory::index(const Operand& operand) const {
  const std::byte* const at = memory(operand.value);
  const auto as = [&](auto number) {
    std::memcpy(&number, at + operand.view.offset * int64_t{sizeof number},
                sizeof number);
    return static_cast<int64_t>(number);
  };
  switch (plan_.graph.values[operand.value].shape.element_type) {
    case ElementType::kS32:
      return as(int32_t{});
    case ElementType::kU32:
      return as(uint32_t{});
    default:
      return as(int64_t{});
  }
}

Matrix ValueMemory::matrix(const Operand& operand, int64_t batch) const {
  const View& view = operand.view;
  const ElementType type = plan_.graph.values[operand.value].shape.element_type;
  return {first_of(operand) +
              batch * view.strides[0] * static_cast<int64_t>(width_of(operand)),
          view.strides[1], view.strides[2], stored_of(type)};
}

}  // namespace hlo::cpu
