#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "backends/backend.h"
#include "backends/element_teller.h"
#include "backends/host_side.h"
#include "backends/tpu/device_machines.h"
#include "backends/tpu/memory/fault.h"
#include "backends/tpu/program/layout_plan.h"
#include "backends/tpu/run/element_watch.h"
#include "backends/tpu/tpu_options.h"

namespace hlo::tpu {

/// A program with the layouts of its arrays, which runs on machines of its own
/// each time.
class Program final : public Executable {
 public:
  /// The module outlives it. A machine with a fault is a broken one.
  Program(const Module& module, const Options& options, Fault fault,
          HostSide host = {});

  Outcome run(std::span<const Buffer> arguments) override;
  /// Runs the program, and tells of an element of it. Failure "explain.run".
  std::variant<ToldElement, Failure> tell(std::span<const Buffer> arguments,
                                          const AskedElement& asked);
  /// The layouts, the copies and what they waste.
  std::optional<std::string> explanation() const override;
  /// What the last run cost, of all devices together but for those that did the
  /// same as the first one.
  std::optional<std::string> counts() const override;

 private:
  /// The results of all devices.
  std::vector<Buffer> run_devices(std::span<const Buffer> arguments);
  /// Where they do not talk to each other, each runs when the one before has
  /// ended; with the same arguments, each does what the first one does.
  std::vector<Buffer> run_one_by_one(std::span<const Buffer> arguments);
  std::vector<Buffer> run_together(const Grid& grid,
                                   std::span<const Buffer> arguments);
  void add_counts(const Machines& machines);

  const Module& module_;
  Options options_;
  Fault fault_;
  HostSide host_;
  LayoutPlan plan_;
  ElementWatch* watch_ = nullptr;  // of this run
  Counters counters_;              // of the last run
  Counters of_relayouts_;
  std::map<const Instruction*, Counters> by_instruction_;
};

}  // namespace hlo::tpu
