#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "backends/devices/grid_network.h"
#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// Runs a computation to its end on a device, by its flattened id.
using RunOnDevice = std::function<Value(int64_t device, const Computation&,
                                        const Values& arguments)>;

/// A group whose members have all come.
struct Group {
  const devices::Meeting<Value>& meeting;
  std::vector<Machine*> machines;  // of the members, in their order
  RunOnDevice run = nullptr;

  size_t size() const { return machines.size(); }

  /// Operand k of each member.
  std::vector<const TiledArray*> arrays(size_t k) const;
};

using MemberResults = std::vector<std::shared_ptr<const Value>>;

}  // namespace hlo::tpu
