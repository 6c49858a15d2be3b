#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "interpreter/rules/devices/collective.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

using Groups = std::vector<std::vector<int64_t>>;

/// The distinct ids of the groups, sorted.
Ints check_ids(const Groups& groups) {
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

void check_groups(const Groups& groups, GroupMode mode, bool uniform,
                  const Module& module) {
  if (groups.empty()) {
    require(mode != GroupMode::kFlattenedId, "collective.groups-needed",
            {"use_global_device_ids is set and there are no groups"},
            "they must be given");
    return;
  }
  const Ints ids = check_ids(groups);
  const auto count = static_cast<int64_t>(ids.size());
  require(ids.front() == 0 && ids.back() == count - 1, "collective.id-missing",
          {"the groups name the ids ", ids},
          "they must name every id from 0 on");
  const int64_t expected = id_count(mode, module);
  require(expected == 1 || count == expected, "collective.id-count",
          {"the groups name ", Count{count, "id"}, " of ", expected},
          "they must name all replicas, partitions, or devices");
  const auto same_size = [&](const auto& group) {
    return group.size() == groups.front().size();
  };
  require(!uniform || std::ranges::all_of(groups, same_size),
          "collective.group-sizes", {"the groups have several sizes"},
          "all must have one");
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

void check_shards(const Instruction& collective, const Module& module) {
  const std::string_view name = collective.op->name;
  const bool gathers = name.starts_with("all-gather");
  if (!gathers && name != "reduce-scatter") return;
  const int64_t d = collective.get<Ints>("dimensions")[0];
  const Shape& operand = collective.operand_shape(0);
  const Shape& result =
      first_array(name == "all-gather-start" ? collective.shape.tuple_shapes[1]
                                             : collective.shape);
  const int64_t count =
      gathers ? shards(operand, result, d) : shards(result, operand, d);
  const int64_t size = group_size(collective, module);
  require(size == 1 || count == size, "collective.shards",
          {"the shapes are of ", Count{count, "shard"}, " and a group has ",
           Count{size, "member"}},
          "there must be one shard for each member");
}

void check_exchange(const Instruction& exchange, const Module& module) {
  const int64_t size = group_size(exchange, module);
  if (const AttributeValue* dimensions = exchange.find("dimensions")) {
    const auto d = static_cast<size_t>(std::get<Ints>(*dimensions)[0]);
    require(exchange.operand_shape(0).dims[d] % size == 0,
            "collective.exchange-split",
            {"dimension ", d, " of ", exchange.operand_shape(0),
             " is split among ", Count{size, "member"}},
            "its size must be a multiple of their number");
    return;
  }
  require(static_cast<int64_t>(exchange.operands.size()) == size,
          "collective.exchange-operands",
          {"there are ", Count{std::ssize(exchange.operands), "operand"},
           " and ", Count{size, "member"}, " in a group"},
          "there must be one operand for each member");
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

void check_pairs(const Instruction& permute, const Module& module) {
  const GroupMode mode = group_mode(permute);
  const int64_t limit = id_count(mode, module);
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

}  // namespace

void check_collective(const Instruction& instruction, const Module& module) {
  const std::string_view name = instruction.op->name;
  if (name.starts_with("collective-permute") &&
      name != "collective-permute-done") {
    check_pairs(instruction, module);
    return;
  }
  if (!has_groups(instruction)) return;
  const GroupMode mode = group_mode(instruction);
  const AttributeValue* value = instruction.find("replica_groups");
  const Groups groups =
      value == nullptr ? Groups{} : std::get<ReplicaGroups>(*value).groups;
  if (name == "collective-broadcast") {
    check_ids(groups);
    return;
  }
  const bool uniform = !name.starts_with("all-reduce");
  check_groups(groups, mode, uniform, module);
  check_shards(instruction, module);
  if (name == "all-to-all") check_exchange(instruction, module);
}

}  // namespace hlo
