#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/op.h"

namespace hlo {

/// A region on scalars (a reducer, a comparator, the body of a map) as
/// straight-line code that runs on many elements at once: each instruction is
/// one loop. It refers to the region, which must outlive it.
class Program {
 public:
  /// The code of `region`, or nothing where it holds anything but element-wise
  /// operations, constants, tuples and calls of such regions on scalars; the
  /// caller then runs the evaluator for each element.
  static std::optional<Program> compile(const Computation& region);

  /// The element types of the leaves of the parameters, and of the result.
  const std::vector<ElementType>& inputs() const { return inputs_; }

  const std::vector<ElementType>& outputs() const { return outputs_; }

  /// The values of a run. Each thread has its own.
  class Scratch {
   public:
    /// For runs of up to `capacity` elements: 1 to kMaxElements.
    Scratch(const Program& program, int64_t capacity);

   private:
    friend class Program;
    std::unique_ptr<std::byte[]> storage_;
    std::vector<std::byte*> registers_;
    std::vector<const std::byte*> slots_;  // inputs, then registers
  };

  static constexpr int64_t kMaxElements = 1024;

  /// Runs on n elements, at most the capacity of `scratch`. inputs[k] and
  /// outputs[k] are dense arrays of n elements of inputs()[k] and outputs()[k];
  /// an output may be the same array as an input.
  void run(Scratch& scratch, int64_t n, const std::byte* const* inputs,
           std::byte* const* outputs) const;

 private:
  class Compiler;
  static constexpr size_t kMaxOperands = 3;

  // Slots are numbered from 0, the inputs first.
  struct Step {
    Kernel kernel = nullptr;
    const Instruction* instruction = nullptr;
    std::array<uint32_t, kMaxOperands> operands{};
    uint32_t result = 0;
  };

  struct Constant {
    uint32_t slot;
    const Literal* value;
  };

  std::vector<ElementType> inputs_;
  std::vector<ElementType> outputs_;
  std::vector<ElementType> registers_;
  std::vector<Constant> constants_;
  std::vector<Step> steps_;
  std::vector<std::pair<uint32_t, uint32_t>> copies_;  // input, register
  std::vector<uint32_t> results_;  // the slot of each output
};

}  // namespace hlo
