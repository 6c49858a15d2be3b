#include "interpreter/stablehlo/export/export_devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/rules/devices/collective.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/stablehlo/export/export_literal.h"
#include "interpreter/stablehlo/export/export_text.h"
#include "interpreter/stablehlo/mlir_words.h"

// Random numbers and communication. Halves of collectives become the whole one
// where they start; of transfers, where they end.
namespace hlo::stablehlo {
namespace {

std::string channel_text(int64_t id, int64_t type) {
  return fmt::format(
      "channel_handle = #stablehlo.channel_handle<handle = {}, type = {}>", id,
      type);
}

/// ", channel_handle = ..." between devices, where there is a channel.
std::string channel_of(const Instruction& instruction) {
  const auto* id = instruction.find("channel_id");
  return id == nullptr ? "" : ", " + channel_text(std::get<int64_t>(*id), 1);
}

std::string global_ids(const Instruction& instruction) {
  return instruction.get_or<bool>("use_global_device_ids", false)
             ? ", use_global_device_ids"
             : "";
}

/// Shorter groups end in -1.
std::string groups_text(const std::vector<Ints>& groups) {
  if (groups.empty()) return "replica_groups = dense<> : tensor<0x0xi64>";
  size_t longest = 0;
  for (const auto& group : groups) longest = std::max(longest, group.size());
  std::vector<std::string> rows;
  for (Ints group : groups) {
    group.resize(longest, -1);
    rows.push_back(list_text(group));
  }
  return fmt::format("replica_groups = dense<[{}]> : tensor<{}x{}xi64>",
                     fmt::join(rows, ", "), groups.size(), longest);
}

std::string groups_text(const Instruction& instruction) {
  return groups_text(
      instruction.get_or<ReplicaGroups>("replica_groups", {}).groups);
}

/// The devices of the groups; Error "stablehlo.export" where these name what
/// the program does not run on, which evaluation alone refuses.
std::vector<Ints> devices_of(const Instruction& instruction, const Grid& grid) {
  try {
    return device_groups(instruction, grid).members;
  } catch (const Error& error) {
    throw Error(Phase::kVerify, "stablehlo.export", error.message());
  }
}

/// Groups, channel and mode. StableHLO orders the partitions of all replicas of
/// a group otherwise than HLO: ids of devices tell HLO's order.
std::string global_groups(const Writer& writer,
                          const Instruction& instruction) {
  const Module& module = writer.module();
  const bool is_crossing =
      group_mode(instruction) == GroupMode::kCrossReplicaAndPartition;
  if (!is_crossing || module.num_partitions == 1) {
    return groups_text(instruction) + channel_of(instruction) +
           global_ids(instruction);
  }
  const Grid grid{.replicas = module.replica_count,
                  .partitions = module.num_partitions};
  return groups_text(devices_of(instruction, grid)) + channel_of(instruction) +
         ", use_global_device_ids";
}

/// The collective of a start and of the operation without halves: its results,
/// as leaves, with the types of the operands or of what is combined.
Leaves gathered(Writer& writer, const Instruction& instruction,
                std::string_view name, std::string properties,
                std::vector<RegionText> regions = {}) {
  std::vector<Shape> results = leaf_shapes(instruction.shape);
  const Leaves operands = writer.operands(instruction);
  const bool is_pair = instruction.op->name == "all-gather-start" ||
                       instruction.op->name == "collective-permute-start";
  const size_t first = is_pair ? operands.size() : 0;
  results.erase(results.begin(),
                results.begin() + static_cast<std::ptrdiff_t>(first));
  results.resize(operands.size());
  const auto* combiner = instruction.find("to_apply");
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].element_type =
        combiner == nullptr
            ? operands[i].shape.element_type
            : std::get<Computation*>(*combiner)->root->shape.element_type;
  }
  Leaves all = writer.add({.name = std::string(name),
                           .operands = operands,
                           .properties = std::move(properties),
                           .regions = std::move(regions),
                           .results = std::move(results)},
                          &instruction);
  if (is_pair) all.insert(all.begin(), operands.begin(), operands.end());
  const std::vector<Shape> shapes = leaf_shapes(instruction.shape);
  while (all.size() < shapes.size()) {
    all.push_back(writer.zero(shapes[all.size()]));
  }
  return all;
}

bool all_gather(Writer& writer, const Instruction& instruction,
                Leaves& result) {
  result =
      gathered(writer, instruction, "all_gather",
               fmt::format("all_gather_dim = {}, {}",
                           int_text(instruction.get<Ints>("dimensions").at(0)),
                           global_groups(writer, instruction)));
  return true;
}

/// StableHLO names no mode, and promotes operands to the type that is combined
/// but converts nothing back.
bool is_reduction(const Instruction& instruction) {
  const ElementType type =
      instruction.get<Computation*>("to_apply")->root->shape.element_type;
  return instruction.find("mode") == nullptr &&
         std::ranges::all_of(
             instruction.operands, [&](const Instruction* operand) {
               const ElementType own = operand->shape.element_type;
               return own == type || (same_up_to_precision(own, type) &&
                                      bits(own) < bits(type));
             });
}

bool all_reduce(Writer& writer, const Instruction& instruction,
                Leaves& result) {
  if (!is_reduction(instruction)) return false;
  result = gathered(writer, instruction, "all_reduce",
                    global_groups(writer, instruction),
                    {{.body = instruction.get<Computation*>("to_apply")}});
  return true;
}

/// all-gather-done and its kin: the results follow the operands, if these are
/// part of the state.
bool done(Writer& writer, const Instruction& instruction, Leaves& result) {
  const Instruction& start = *instruction.operands[0];
  const bool is_permute = start.op->name == "collective-permute-start";
  if (is_permute && start.operands.size() != 1) return false;
  if (start.find("to_apply") != nullptr && !is_reduction(start)) return false;
  const Leaves& state = writer.of(start);
  const size_t count = leaves(instruction.shape).size();
  const size_t first =
      start.op->name == "all-reduce-start" ? 0 : start.operands.size();
  for (size_t i = 0; i < count; ++i) result.push_back(state.at(first + i));
  return true;
}

bool reduce_scatter(Writer& writer, const Instruction& instruction,
                    Leaves& result) {
  if (!is_reduction(instruction) || instruction.shape.is_tuple()) return false;
  result =
      gathered(writer, instruction, "reduce_scatter",
               fmt::format("scatter_dimension = {}, {}",
                           int_text(instruction.get<Ints>("dimensions").at(0)),
                           global_groups(writer, instruction)),
               {{.body = instruction.get<Computation*>("to_apply")}});
  return true;
}

bool all_to_all(Writer& writer, const Instruction& instruction,
                Leaves& result) {
  const auto groups =
      instruction.get_or<ReplicaGroups>("replica_groups", {}).groups;
  const auto* dimensions = instruction.find("dimensions");
  if (groups.empty() || dimensions == nullptr) return false;
  const int64_t d = std::get<Ints>(*dimensions).at(0);
  result =
      gathered(writer, instruction, "all_to_all",
               fmt::format("concat_dimension = {0}, {1}, split_count = {2}, "
                           "split_dimension = {0}{3}",
                           int_text(d), groups_text(instruction),
                           int_text(static_cast<int64_t>(groups[0].size())),
                           channel_of(instruction)));
  return true;
}

bool permute(Writer& writer, const Instruction& instruction, Leaves& result) {
  if (instruction.operands.size() != 1) return false;
  result = gathered(
      writer, instruction, "collective_permute",
      "source_target_pairs = " +
          pairs_text(instruction.get<IntPairs>("source_target_pairs")) +
          channel_of(instruction));
  return true;
}

bool collective_broadcast(Writer& writer, const Instruction& instruction,
                          Leaves& result) {
  const auto groups =
      instruction.get_or<ReplicaGroups>("replica_groups", {}).groups;
  const auto is_shorter = [&](const Ints& group) {
    return group.size() != groups[0].size();
  };
  if (instruction.operands.size() != 1) return false;
  if (std::ranges::any_of(groups, is_shorter)) return false;
  result = moved(writer, instruction, "collective_broadcast",
                 groups_text(instruction) + channel_of(instruction));
  return true;
}

bool device_id(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = plain(
      writer, instruction,
      instruction.op->name == "replica-id" ? "replica_id" : "partition_id");
  return true;
}

bool infeed(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = plain(
      writer, instruction, "infeed",
      "infeed_config = " +
          string_text(instruction.get_or<std::string>("infeed_config", "")));
  return true;
}

bool outfeed(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = plain(
      writer, instruction, "outfeed",
      "outfeed_config = " +
          string_text(instruction.get_or<std::string>("outfeed_config", "")));
  return true;
}

bool rng(Writer& writer, const Instruction& instruction, Leaves& result) {
  if (instruction.shape.has_dynamic_dimensions()) return false;
  const bool is_normal =
      instruction.get<Word>("distribution").value == "rng_normal";
  Literal sizes(Shape::array(ElementType::kS64, {instruction.shape.rank()}));
  std::ranges::copy(instruction.shape.dims,
                    sizes.mutable_data<int64_t>().begin());
  Leaves operands = writer.operands(instruction);
  operands.push_back(writer.add({.name = "constant",
                                 .properties = "value = " + dense_text(sizes),
                                 .results = {sizes.shape()}},
                                nullptr)[0]);
  result = writer.add({.name = "rng",
                       .operands = std::move(operands),
                       .properties = fmt::format(
                           "rng_distribution = #stablehlo<rng_distribution {}>",
                           is_normal ? "NORMAL" : "UNIFORM"),
                       .results = {instruction.shape}},
                      &instruction);
  return true;
}

bool rng_bit_generator(Writer& writer, const Instruction& instruction,
                       Leaves& result) {
  for (const Shape& leaf : leaf_shapes(instruction.shape)) {
    const ElementType type = leaf.element_type;
    if (type == ElementType::kPred || is_complex(type)) return false;
  }
  std::string word = instruction.get<Word>("algorithm").value.substr(4);
  std::ranges::transform(word, word.begin(), [](char c) {
    return c == '_' ? c : static_cast<char>(c - 'a' + 'A');
  });
  result =
      plain(writer, instruction, "rng_bit_generator",
            fmt::format("rng_algorithm = #stablehlo<rng_algorithm {}>", word));
  return true;
}

/// Whether something between two instructions may wait for another device.
bool is_undisturbed(const Instruction& start, const Instruction& done) {
  const auto& all = start.parent->instructions;
  for (int64_t i = start.position + 1; i < done.position; ++i) {
    const Op& op = *all[static_cast<size_t>(i)]->op;
    if (op.communicate != nullptr || op.control != nullptr) return false;
  }
  return true;
}

/// StableHLO's send and recv end before the next operation begins: the same
/// where nothing happens between HLO's two halves.
bool is_whole(const Writer& writer, const Instruction& start) {
  const Instruction* end = writer.only_user(start);
  return end != nullptr && end->op->start == start.op &&
         start.find("frontend_attributes") == nullptr &&
         is_undisturbed(start, *end);
}

bool transfer(Writer& writer, const Instruction& start, Leaves& /*result*/) {
  return is_whole(writer, start);
}

bool transfer_done(Writer& writer, const Instruction& end, Leaves& result) {
  const Instruction& start = *end.operands[0];
  if (!is_whole(writer, start)) return false;
  const bool is_host = start.get_or<bool>("is_host_transfer", false);
  const bool is_send = start.op->name == "send";
  const int64_t host_type = is_send ? 2 : 3;
  result = writer.add({.name = is_send ? "send" : "recv",
                       .operands = writer.operands(start),
                       .properties = fmt::format(
                           "{}, is_host_transfer = {}",
                           channel_text(start.get_or<int64_t>("channel_id", 0),
                                        is_host ? host_type : 1),
                           is_host),
                       .results = leaf_shapes(end.shape)},
                      &end);
  return true;
}

constexpr ExportRow kRows[] = {
    {"all-gather", all_gather},
    {"all-gather-done", done},
    {"all-gather-start", all_gather},
    {"all-reduce", all_reduce},
    {"all-reduce-done", done},
    {"all-reduce-start", all_reduce},
    {"all-to-all", all_to_all},
    {"collective-broadcast", collective_broadcast},
    {"collective-permute", permute},
    {"collective-permute-done", done},
    {"collective-permute-start", permute},
    {"infeed", infeed},
    {"outfeed", outfeed},
    {"partition-id", device_id},
    {"recv", transfer},
    {"recv-done", transfer_done},
    {"reduce-scatter", reduce_scatter},
    {"replica-id", device_id},
    {"rng", rng},
    {"rng-bit-generator", rng_bit_generator},
    {"send", transfer},
    {"send-done", transfer_done},
};

}  // namespace

ExportRows device_exporters() { return kRows; }

}  // namespace hlo::stablehlo
