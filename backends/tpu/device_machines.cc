#include "backends/tpu/device_machines.h"

#include "interpreter/evaluate.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::tpu {
namespace {

/// Seeds that a user gives are small.
constexpr uint64_t kSeedsApart = uint64_t{1} << 32;

}  // namespace

Machines::Machines(const Options& options, Fault fault, const HostSide& host,
                   int64_t elements)
    : options_(options),
      fault_(fault),
      scratch_(options.scratch, fault),
      evaluation_{.budget = shared_limits().budget,
                  .custom_calls = host.custom_calls.get()} {
  if (evaluation_.budget != nullptr) return;
  evaluation_.budget = std::make_shared<Budget>(Budget::by_inputs(elements));
}

Machine& Machines::add(const Device& device) {
  evaluation_.device = device;
  evaluators_.push_back(std::make_unique<Evaluator>(kReference, evaluation_));
  const auto number = static_cast<uint64_t>(machines_.size());
  machines_.push_back(std::make_unique<Machine>(
      Machine{.memory = Hbm(options_.generation->least_bytes,
                            options_.poison + number * kSeedsApart),
              .scratch = scratch_,
              .matrix = options_.matrix,
              .fault = fault_,
              .evaluator = *evaluators_.back(),
              .generation = options_.generation}));
  return *machines_.back();
}

}  // namespace hlo::tpu
