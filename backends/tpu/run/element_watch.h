#pragma once

#include <optional>
#include <vector>

#include "backends/element_teller.h"
#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"
#include "backends/tpu/run/told_element.h"

namespace hlo::tpu {

/// Keeps a record of what machines do until the run of the instruction whose
/// element is asked for has ended, and tells where the element lies and what
/// made it.
class ElementWatch {
 public:
  /// What is asked for outlives it.
  explicit ElementWatch(const AskedElement& asked) : asked_(asked) {}

  /// An instruction begins on a device: the number of its run, for which what
  /// the machine does from now on is recorded.
  int64_t begin(Machine& machine, const Device& device,
                const Instruction& instruction);
  /// The machine goes on with a run.
  void resume(Machine& machine, int64_t run);
  /// A run ends with a value; `read` are the arrays that it read.
  void end(Machine& machine, const Device& device,
           const Instruction& instruction, int64_t run, const Value& value,
           const std::vector<NamedArray>& read);

  const std::optional<ToldElement>& told() const { return told_; }

  /// How often the instruction has run on the device.
  int64_t runs() const { return runs_; }

 private:
  bool is_on(const Device& device) const;
  void tell(Machine& machine, const Device& device, int64_t run,
            const Value& value);

  const AskedElement& asked_;
  std::optional<Device> device_ = {};
  int64_t runs_ = 0;
  TileRecord record_ = {};
  std::optional<ToldElement> told_ = {};
};

}  // namespace hlo::tpu
