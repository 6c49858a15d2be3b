#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/kernels/products/matrices.h"
#include "backends/cpu/plan/steps/step_plan.h"

namespace hlo::cpu {

/// Where the values of a plan lie while it runs.
class ValueMemory {
 public:
  /// `state` is where what is written over arguments lies, `block` memory for
  /// everything else.
  ValueMemory(const StepPlan& plan, std::span<const std::byte* const> arguments,
              std::span<std::byte* const> state, std::byte* block);

  /// The value of a step is written there, not in the block, and so is what it
  /// is written over.
  void put(size_t value, std::byte* place);

  /// Only this value is.
  void put_only(size_t value, std::byte* place) { elsewhere_[value] = place; }

  /// What is read of a value; null where that has no bytes.
  const std::byte* memory(size_t value) const;
  /// Where a value of a step lies.
  std::byte* place(size_t value) const;
  /// Where the node's first result lies.
  std::byte* result(const Node& node) const;
  float* floats(const Node& node) const;

  /// Bytes of an element.
  size_t width_of(const Operand& operand) const;
  /// The first element of an operand.
  const std::byte* first_of(const Operand& operand) const;
  const float* floats(const Operand& operand) const;
  /// The integer that the operand is.
  int64_t index(const Operand& operand) const;
  /// One of a batch of matrices.
  Matrix matrix(const Operand& operand, int64_t batch) const;

 private:
  const StepPlan& plan_;
  std::span<const std::byte* const> arguments_;
  std::span<std::byte* const> state_;
  std::byte* block_;
  std::vector<std::byte*> elsewhere_;  // of values; null: where the plan says
};

}  // namespace hlo::cpu
