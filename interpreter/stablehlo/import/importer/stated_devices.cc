#include "interpreter/stablehlo/import/importer/stated_devices.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "interpreter/stablehlo/import/importer/conversion.h"

namespace hlo::stablehlo {
namespace {

using Rows = std::vector<Attribute>;

std::optional<Grid> grid_of(const Operation& operation) {
  const Attribute* programs = operation.find("programs");
  if (programs == nullptr) return std::nullopt;
  const auto* rows = std::get_if<Rows>(&programs->value);
  if (rows == nullptr || rows->empty()) return std::nullopt;
  const auto* first = std::get_if<Rows>(&rows->front().value);
  if (first == nullptr) return std::nullopt;
  return Grid{.replicas = std::ssize(*rows), .partitions = std::ssize(*first)};
}

bool is_set(const Attribute* flag) {
  if (flag == nullptr) return false;
  const auto* truth = std::get_if<bool>(&flag->value);
  const auto* number = std::get_if<int64_t>(&flag->value);
  return std::holds_alternative<std::monostate>(flag->value) ||
         (truth != nullptr && *truth) || (number != nullptr && *number != 0);
}

/// The channel of a transfer to or from the host.
std::optional<int64_t> host_channel(const Operation& operation) {
  const Attribute* handle = operation.find("channel_handle");
  const auto* fields =
      handle == nullptr ? nullptr : std::get_if<Structure>(&handle->value);
  if (fields == nullptr || !is_set(operation.find("is_host_transfer"))) {
    return std::nullopt;
  }
  const Attribute* id = find(fields->fields, "handle");
  const auto* number =
      id == nullptr ? nullptr : std::get_if<int64_t>(&id->value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

/// Looks at each operation of a text.
class Search {
 public:
  void see(const Operation& operation) {
    if (operation.name == "interpreter.run_parallel") {
      if (const auto grid = grid_of(operation)) grids_.push_back(*grid);
    } else if (operation.name == "stablehlo.send") {
      if (const auto channel = host_channel(operation)) sent_.insert(*channel);
    } else if (operation.name == "stablehlo.recv") {
      if (const auto channel = host_channel(operation)) {
        received_.insert(*channel);
      }
    }
  }

  StatedDevices found() const {
    StatedDevices devices;
    if (grids_.empty()) return devices;
    const Grid& first = grids_.front();
    const bool is_one = std::ranges::all_of(grids_, [&](const Grid& grid) {
      return grid.replicas == first.replicas &&
             grid.partitions == first.partitions;
    });
    if (is_one) devices.grid = first;
    std::ranges::set_intersection(
        sent_, received_,
        std::inserter(devices.passed_by_host, devices.passed_by_host.end()));
    return devices;
  }

 private:
  std::vector<Grid> grids_;
  std::set<int64_t> sent_;
  std::set<int64_t> received_;
};

}  // namespace

StatedDevices stated_devices(const Program& program) {
  Search search;
  std::vector<const Block*> blocks;
  for (const auto& function : program.functions) {
    blocks.push_back(&function->body);
  }
  while (!blocks.empty()) {
    const Block* block = blocks.back();
    blocks.pop_back();
    for (const auto& operation : block->operations) {
      search.see(*operation);
      for (const auto& region : operation->regions) {
        blocks.push_back(region.get());
      }
    }
  }
  StatedDevices devices = search.found();
  const auto state = [&](std::string_view name, int64_t& count) {
    const Attribute* given = find(program.attributes, name);
    const auto* value =
        given == nullptr ? nullptr : std::get_if<int64_t>(&given->value);
    if (value != nullptr) count = *value;
  };
  state("mhlo.num_replicas", devices.grid.replicas);
  state("mhlo.num_partitions", devices.grid.partitions);
  return devices;
}

}  // namespace hlo::stablehlo
