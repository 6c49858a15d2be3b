#pragma once

#include <optional>
#include <vector>

#include "backends/element_teller.h"
#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"
#include "backends/tpu/run/told_element.h"

namespace hlo::tpu {

/// Waits for the run of the instruction whose element is asked for, keeps a
/// record of it, and tells where the element lies and what made it.
class ElementWatch {
 public:
  /// What is asked for outlives it.
  explicit ElementWatch(const AskedElement& asked) : asked_(asked) {}

  /// The instruction begins on a device: its steps are recorded from now on,
  /// where it is the one that is asked for.
  void begin(Machine& machine, const Device& device,
             const Instruction& instruction);
  /// It ends with a value.
  void end(Machine& machine, const Device& device,
           const Instruction& instruction, const Value& value,
           const std::vector<NamedArray>& read);

  bool is_asked(const Instruction& instruction) const {
    return &instruction == asked_.instruction && !told_;
  }

  const std::optional<ToldElement>& told() const { return told_; }

  /// How often the instruction has run on the device.
  int64_t runs() const { return runs_; }

 private:
  bool is_on(const Device& device) const;

  const AskedElement& asked_;
  std::optional<Device> device_ = {};
  int64_t runs_ = 0;
  TileRecord record_ = {};
  std::optional<ToldElement> told_ = {};
};

}  // namespace hlo::tpu
