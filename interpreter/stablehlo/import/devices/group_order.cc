#include "interpreter/stablehlo/import/devices/group_order.h"

#include <algorithm>
#include <numeric>

#include "interpreter/stablehlo/import/devices/import_mesh_groups.h"
#include "interpreter/stablehlo/import/importer/importer.h"

namespace hlo::stablehlo {
namespace {

/// More devices are named by no list.
constexpr int64_t kMostMembers = int64_t{1} << 20;

}  // namespace

void order_by_partition(const Conversion& c, Attributes& attributes) {
  const bool has_channel = std::ranges::any_of(
      attributes,
      [](const auto& attribute) { return attribute.first == "channel_id"; });
  const Grid& grid = c.importer.devices().grid;
  const Attribute* groups = c.find("replica_groups");
  const bool is_mesh =
      groups != nullptr && std::holds_alternative<Structure>(groups->value);
  if (!has_channel || is_mesh || grid.partitions <= 1) return;
  auto& given = std::get<ReplicaGroups>(attributes[0].second);
  std::vector<Ints> replicas = given.groups;
  int64_t ids = 0;
  for (const Ints& group : replicas) ids += std::ssize(group);
  if (replicas.empty()) ids = grid.replicas;
  c.require(ids <= kMostMembers / grid.partitions, "stablehlo.needs",
            {"groups of ", ids, " replicas have ", grid.partitions,
             " partitions each"},
            "there can be at most 2^20 members");
  if (replicas.empty()) {
    Ints all(static_cast<size_t>(ids));
    std::iota(all.begin(), all.end(), 0);
    replicas.push_back(std::move(all));
  }
  std::vector<Ints> members;
  for (const Ints& group : replicas) {
    Ints& row = members.emplace_back();
    for (int64_t partition = 0; partition < grid.partitions; ++partition) {
      for (const int64_t replica : group) {
        c.require(replica >= 0 && replica < grid.replicas, "stablehlo.needs",
                  {"a group names replica ", replica, " of ", grid.replicas},
                  "it must exist");
        row.push_back(flattened_id({replica, partition}, grid));
      }
    }
  }
  given = make_groups(std::move(members));
  attributes.emplace_back("use_global_device_ids", true);
}

}  // namespace hlo::stablehlo
