#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/rules/devices/collective.h"

namespace hlo::conformance {

/// An operation between devices, and what each device brought to it.
struct CollectiveCall {
  const Instruction* collective = nullptr;
  Grid grid;
  std::map<int64_t, std::vector<Literal>> operands;  // of those that came
};

/// "replica 0, partition 1".
std::string to_string(const Device& device);

/// Whether groups of devices run the operation together, or begin to.
bool is_collective(const Instruction& instruction);

/// Whether its value depends on nothing but the device that runs it.
bool names_device(const Instruction& instruction);

/// Whether its value is a state that another instruction ends.
bool is_start(const Instruction& instruction);

/// The module that runs this collective alone on all devices of the grid; a
/// start with its done. Null where the program's done is out of sight.
std::shared_ptr<const Module> module_of(const CollectiveCall& call);

/// The arguments of that module on each device: one that did not come brings
/// what the member in its place of a group that came did, whose sizes fit those
/// of the others.
std::vector<std::vector<Literal>> arguments_of(const CollectiveCall& call);

/// What the devices that came have of the leaves of all devices, which are as
/// many for each: one device after the other.
template <typename T>
std::vector<T> of_those_that_came(const CollectiveCall& call,
                                  const std::vector<T>& leaves) {
  const size_t each = leaves.size() / static_cast<size_t>(call.grid.count());
  std::vector<T> kept;
  for (const auto& [device, operands] : call.operands) {
    const auto first =
        leaves.begin() + static_cast<std::ptrdiff_t>(each) * device;
    kept.insert(kept.end(), first, first + static_cast<std::ptrdiff_t>(each));
  }
  return kept;
}

}  // namespace hlo::conformance
