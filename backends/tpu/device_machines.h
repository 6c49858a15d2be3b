#pragma once

#include <memory>
#include <vector>

#include "backends/host_side.h"
#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/tpu_options.h"

namespace hlo::tpu {

/// Machines of the devices of a run, each with a memory of its own.
class Machines {
 public:
  /// The run may do the work of a program that is given so many elements. The
  /// options and what the host has outlive them.
  Machines(const Options& options, Fault fault, const HostSide& host,
           int64_t elements);

  /// One more, which lives as long as they all.
  Machine& add(const Device& device);

  size_t size() const { return machines_.size(); }

  Machine& at(size_t k) const { return *machines_[k]; }

 private:
  const Options& options_;
  Fault fault_;
  Scratch scratch_;
  EvaluatorOptions evaluation_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;
  std::vector<std::unique_ptr<Machine>> machines_;
};

}  // namespace hlo::tpu
