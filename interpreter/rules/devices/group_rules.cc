#include "interpreter/rules/devices/group_rules.h"

#include <algorithm>
#include <map>
#include <vector>

#include "interpreter/rules/devices/collective.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

using Groups = std::vector<std::vector<int64_t>>;

Groups groups_of(const Instruction& collective) {
  return collective.get_or<ReplicaGroups>("replica_groups", {}).groups;
}

/// The distinct ids of the groups, sorted.
Ints distinct_ids(const Groups& groups) {
  Ints ids;
  for (const auto& group : groups) {
    require(!group.empty(), "collective.group-empty",
            {"a group of replica_groups is empty"}, "each must have a member");
    ids.insert(ids.end(), group.begin(), group.end());
  }
  std::ranges::sort(ids);
  require(std::ranges::adjacent_find(ids) == ids.end(),
          "collective.id-repeated",
          {"an id stands in the groups twice: they have the ids ", ids},
          "each must stand there once");
  return ids;
}

/// How many parts the first operand is a part of, or is cut into.
int64_t shards(const Shape& part, const Shape& whole, int64_t d) {
  const int64_t size = part.dims[static_cast<size_t>(d)];
  return size == 0 ? 1 : whole.dims[static_cast<size_t>(d)] / size;
}

const Shape& first_array(const Shape& shape) {
  const Shape* at = &shape;
  while (at->is_tuple() && !at->tuple_shapes.empty()) {
    at = &at->tuple_shapes.front();
  }
  return *at;
}

/// How often an id may be the source, or the target, of a transfer: once for
/// each offset of a transfer in place.
int64_t transfers(const Instruction& permute) {
  if (!is_in_place(permute)) return 1;
  const Shape* offsets = &permute.operand_shape(2);
  if (permute.operand_shape(0).is_tuple() && !offsets->tuple_shapes.empty()) {
    offsets = &offsets->tuple_shapes.front();
  }
  const bool several =
      !offsets->tuple_shapes.empty() && offsets->tuple_shapes[0].is_tuple();
  return several ? static_cast<int64_t>(offsets->tuple_shapes.size()) : 1;
}

}  // namespace

void check_group_ids(const Surroundings& around) {
  group_mode(around.instruction);
  distinct_ids(groups_of(around.instruction));
}

void check_groups(const Surroundings& around) {
  const GroupMode mode = group_mode(around.instruction);
  const Groups groups = groups_of(around.instruction);
  if (groups.empty()) {
    require(mode != GroupMode::kFlattenedId, "collective.groups-needed",
            {"use_global_device_ids is set and there are no groups"},
            "they must be given");
    return;
  }
  const Ints ids = distinct_ids(groups);
  const auto count = static_cast<int64_t>(ids.size());
  require(ids.front() == 0 && ids.back() == count - 1, "collective.id-missing",
          {"the groups name the ids ", ids},
          "they must name every id from 0 on");
  const int64_t expected = id_count(mode, around.module);
  require(expected == 1 || count == expected, "collective.id-count",
          {"the groups name ", Count{count, "id"}, " of ", expected},
          "they must name all replicas, partitions, or devices");
}

void check_equal_groups(const Surroundings& around) {
  check_groups(around);
  const Groups groups = groups_of(around.instruction);
  const auto same_size = [&](const auto& group) {
    return group.size() == groups.front().size();
  };
  require(std::ranges::all_of(groups, same_size), "collective.group-sizes",
          {"the groups have several sizes"}, "all must have one");
}

void check_shards(const Surroundings& around, const Shape& part,
                  const Shape& whole) {
  const int64_t d = around.instruction.get<Ints>("dimensions")[0];
  const int64_t count = shards(first_array(part), first_array(whole), d);
  const int64_t size = group_size(around.instruction, around.module);
  require(size == 1 || count == size, "collective.shards",
          {"the shapes are of ", Count{count, "shard"}, " and a group has ",
           Count{size, "member"}},
          "there must be one shard for each member");
}

void check_gathering(const Surroundings& around, const Shape& gathered) {
  check_equal_groups(around);
  check_shards(around, around.instruction.operand_shape(0), gathered);
}

void check_pairs(const Surroundings& around) {
  const Instruction& permute = around.instruction;
  const GroupMode mode = group_mode(permute);
  const int64_t limit = id_count(mode, around.module);
  const int64_t allowed = transfers(permute);
  std::map<int64_t, int64_t> sources;
  std::map<int64_t, int64_t> targets;
  const auto in_range = [&](int64_t id) {
    return id >= 0 && (limit == 1 || id < limit);
  };
  for (const auto& [source, target] :
       permute.get<IntPairs>("source_target_pairs")) {
    require(in_range(source) && in_range(target), "collective.pair-range",
            {"a pair is {", source, ",", target, "} and there are ",
             Count{limit, "id"}},
            "sources and targets must be replicas or partitions");
    require(++sources[source] <= allowed, "collective.source-repeated",
            {"id ", source, " sends more than ", Count{allowed, "time"}},
            "no id may send more often");
    require(++targets[target] <= allowed, "collective.target-repeated",
            {"id ", target, " receives more than ", Count{allowed, "time"}},
            "no id may receive more often");
  }
}

}  // namespace hlo
