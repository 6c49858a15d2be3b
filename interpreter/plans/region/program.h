#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

class WorkMeter;

/// A region on scalars (a reducer, a comparator, the body of a map) as code
/// that runs on many elements at once: each instruction is one loop over them,
/// and a while or a conditional runs its computations on those elements whose
/// turn it is. It refers to the region, which must outlive it.
class Program {
 public:
  /// The element types of the leaves of the parameters, and of the result.
  const std::vector<ElementType>& inputs() const { return inputs_; }

  const std::vector<ElementType>& outputs() const { return outputs_; }

  /// How many instructions one run takes, those of called regions included and
  /// those of loops and branches not.
  int64_t instructions() const { return instructions_; }

  /// The values of a run. Each thread has its own.
  class Scratch {
   public:
    /// For runs of up to `capacity` elements: 1 to kMaxElements. The meter
    /// counts their work, that of loops and of runs that are `single` at
    /// kWorkOfTurn times as much for each element; it must outlive this.
    Scratch(const Program& program, int64_t capacity, WorkMeter& meter,
            bool single);

   private:
    friend class Program;

    // What a control step needs: the values of those elements whose turn it
    // is, side by side, and where each belongs.
    struct Lanes {
      std::vector<Scratch> regions;
      std::vector<int64_t> positions;
      std::vector<std::vector<std::byte>> values;  // the arguments of a region
      std::vector<std::vector<std::byte>> results;
      std::vector<std::byte> moved;  // of one value, on its way
    };

    Lanes lanes_of(const Program& program, size_t control,
                   int64_t capacity) const;

    WorkMeter* meter_;
    bool single_;
    int64_t work_;  // for each element
    int64_t work_of_run_;
    std::unique_ptr<std::byte[]> storage_;
    std::vector<std::byte*> registers_;
    std::vector<const std::byte*> slots_;  // inputs, then registers
    std::vector<Lanes> lanes_;             // of each control step
  };

  static constexpr int64_t kMaxElements = 1024;

  /// Runs on n elements, at most the capacity of `scratch`. inputs[k] and
  /// outputs[k] are dense arrays of n elements of inputs()[k] and outputs()[k];
  /// an output may be the same array as an input.
  void run(Scratch& scratch, int64_t n, const std::byte* const* inputs,
           std::byte* const* outputs) const;

 private:
  friend class ProgramCompiler;
  static constexpr size_t kMaxOperands = 3;

  // Slots are numbered from 0, the inputs first.
  struct Step {
    Kernel kernel = nullptr;  // or a control step
    const Instruction* instruction = nullptr;
    std::array<uint32_t, kMaxOperands> operands{};
    uint32_t result = 0;  // or the number of the control step
  };

  // A while: the regions are condition and body, the operands its state. A
  // conditional: the regions are its branches by index, the operands the
  // selector and then the leaves of each branch's argument.
  struct Control {
    bool is_loop = false;
    std::vector<Program> regions;
    std::vector<uint32_t> operands;
    std::vector<uint32_t> results;
  };

  ElementType type_of(uint32_t slot) const;
  int width_of(uint32_t slot) const;
  std::byte* result(const Control& control, size_t k,
                    const Scratch& scratch) const;
  void run_loop(const Control& loop, Scratch& scratch, Scratch::Lanes& lanes,
                int64_t n) const;
  void retire(const Control& loop, Scratch& scratch,
              Scratch::Lanes& lanes) const;
  void run_branches(const Control& conditional, Scratch& scratch,
                    Scratch::Lanes& lanes, int64_t n) const;
  void run_branch(const Control& conditional, size_t branch, size_t argument,
                  Scratch& scratch, Scratch::Lanes& lanes) const;

  struct Constant {
    uint32_t slot;
    const Literal* value;
  };

  std::vector<ElementType> inputs_;
  std::vector<ElementType> outputs_;
  std::vector<ElementType> registers_;
  std::vector<Constant> constants_;
  std::vector<Step> steps_;
  std::vector<Control> controls_;
  std::vector<std::pair<uint32_t, uint32_t>> copies_;  // input, register
  std::vector<uint32_t> results_;  // the slot of each output
  int64_t instructions_ = 0;
  int64_t work_ = 1;  // for each element, but for regions
};

}  // namespace hlo
