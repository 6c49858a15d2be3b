#include "conformance/random/device_recipes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "conformance/random/region_recipes.h"

namespace hlo::conformance {

namespace {

using Sizes = std::vector<int64_t>;

Sizes all(int64_t n) {
  Sizes result;
  for (int64_t i = 0; i < n; ++i) result.push_back(i);
  return result;
}

// Groups of devices, and how many are in each.
struct Groups {
  std::string text;
  int64_t size = 1;
};

Groups replica_groups(ProgramWriter& writer) {
  Draw& draw = writer.draw;
  const int64_t n = writer.replicas();
  if (writer.partitions() > 1 && draw.one_in(2)) {
    return {
        fmt::format("replica_groups={{{}}}, channel_id={}, "
                    "use_global_device_ids=true",
                    list(draw.permutation(writer.devices())), writer.channel()),
        writer.devices()};
  }
  if (n % 2 == 0 && draw.one_in(2)) {
    const Sizes order = draw.permutation(n);
    const auto middle = order.begin() + n / 2;
    return {
        fmt::format("replica_groups={{{},{}}}", list({order.begin(), middle}),
                    list({middle, order.end()})),
        n / 2};
  }
  return {fmt::format("replica_groups={{{}}}", list(draw.permutation(n))), n};
}

Value array_of_multiple(ProgramWriter& writer, int64_t size) {
  Sizes dims = writer.draw.dims();
  if (dims.empty() || dims.size() > 3) dims = {2};
  dims[0] *= size;
  const Shape shape = Shape::array(writer.draw.type(), dims);
  return {writer.operand(shape), shape};
}

Sizes with_first(Sizes dims, int64_t size) {
  dims[0] = size;
  return dims;
}

void write_id(ProgramWriter& writer, const Op& op) {
  writer.add("", op.name, {});
}

void write_all_gather(ProgramWriter& writer, const Op& op) {
  const Groups groups = replica_groups(writer);
  const Value x = writer.array_of_rank(1);
  const std::string shape =
      spell(x.shape.element_type,
            with_first(x.shape.dims, x.shape.dims[0] * groups.size));
  const std::string attributes = groups.text + ", dimensions={0}";
  if (op.name == "all-gather") {
    writer.add(shape, op.name, {x.name}, attributes);
    return;
  }
  const std::string start =
      writer.add(spell_tuple({to_string(x.shape, false), shape}),
                 "all-gather-start", {x.name}, attributes);
  writer.add(shape, "all-gather-done", {start});
}

void write_all_reduce(ProgramWriter& writer, const Op& op) {
  const Groups groups = replica_groups(writer);
  const Value x = writer.array();
  const std::string attributes =
      groups.text + ", to_apply=" + write_reducer(writer, x.shape.element_type);
  if (op.name == "all-reduce") {
    writer.add("", op.name, {x.name}, attributes);
    return;
  }
  const std::string start =
      writer.add("", "all-reduce-start", {x.name}, attributes);
  writer.add("", "all-reduce-done", {start});
}

void write_reduce_scatter(ProgramWriter& writer, const Op& op) {
  const Groups groups = replica_groups(writer);
  const Value x = array_of_multiple(writer, groups.size);
  writer.add(spell(x.shape.element_type,
                   with_first(x.shape.dims, x.shape.dims[0] / groups.size)),
             op.name, {x.name},
             groups.text + ", dimensions={0}, to_apply=" +
                 write_reducer(writer, x.shape.element_type));
}

void write_all_to_all(ProgramWriter& writer, const Op& op) {
  Groups groups = replica_groups(writer);
  if (groups.text.find("use_global") != std::string::npos) {
    // With a channel the groups are of partitions.
    groups.size = writer.partitions();
    groups.text = fmt::format("replica_groups={{{}}}, channel_id={}",
                              list(all(groups.size)), writer.channel());
  }
  if (writer.draw.one_in(2)) {
    const Value x = array_of_multiple(writer, groups.size);
    writer.add(spell(x.shape.element_type, x.shape.dims), op.name, {x.name},
               groups.text + ", dimensions={0}");
    return;
  }
  const Value x = writer.array();
  Names operands = {x.name};
  std::vector<std::string> shapes = {to_string(x.shape, false)};
  while (static_cast<int64_t>(operands.size()) < groups.size) {
    operands.push_back(writer.operand(x.shape));
    shapes.push_back(shapes[0]);
  }
  writer.add(spell_tuple(shapes), op.name, operands, groups.text);
}

std::string some_pairs(ProgramWriter& writer) {
  const int64_t n = writer.replicas();
  const Sizes sources = writer.draw.permutation(n);
  const Sizes targets = writer.draw.permutation(n);
  std::vector<std::string> pairs;
  for (int64_t left = writer.draw.between(0, n); left > 0; --left) {
    const auto i = static_cast<size_t>(left - 1);
    pairs.push_back(fmt::format("{{{},{}}}", sources[i], targets[i]));
  }
  return fmt::format("source_target_pairs={{{}}}", fmt::join(pairs, ","));
}

void write_collective_permute(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const std::string pairs = some_pairs(writer);
  if (op.name == "collective-permute") {
    writer.add("", op.name, {x.name}, pairs);
    return;
  }
  const std::string shape = to_string(x.shape, false);
  const std::string start =
      writer.add(spell_tuple({shape, shape, "u32[]", "u32[]"}),
                 "collective-permute-start", {x.name}, pairs);
  writer.add(shape, "collective-permute-done", {start});
}

void write_collective_broadcast(ProgramWriter& writer, const Op& op) {
  const int64_t size = writer.draw.between(1, writer.replicas());
  const Sizes group = writer.draw.distinct(writer.replicas(), size);
  writer.add("", op.name, {writer.array().name},
             fmt::format("replica_groups={{{}}}", list(group)));
}

// Every member sends `rows` rows to each, from places of its own.
void write_ragged_all_to_all(ProgramWriter& writer, const Op& op) {
  const int64_t n = writer.replicas();
  const int64_t rows = writer.draw.between(0, 2);
  const ElementType type = writer.draw.type();
  const std::string input = writer.operand(type, {rows * n + 1, 2});
  const std::string output = writer.operand(type, {rows * n, 2});
  Sizes offsets;
  for (int64_t i = 0; i < n; ++i) offsets.push_back(i * rows);
  const Sizes sizes(static_cast<size_t>(n), rows);
  const std::string at = writer.numbers(ElementType::kS64, offsets);
  const std::string count = writer.numbers(ElementType::kS64, sizes);
  writer.add("", op.name, {input, output, at, count, at, count},
             fmt::format("replica_groups={{{}}}", list(all(n))));
}

void write_send_and_recv(ProgramWriter& writer, const Op&) {
  const Value x = writer.array();
  const int64_t channel = writer.channel();
  const std::string shape = to_string(x.shape, false);
  const std::string triple = spell_tuple({shape, "u32[]", "token[]"});
  std::vector<std::string> pairs;  // of partitions, as there is a channel
  const int64_t n = writer.partitions();
  for (int64_t d = 0; d < n; ++d) {
    pairs.push_back(fmt::format("{{{},{}}}", d, (d + 1) % n));
  }
  const std::string attributes = fmt::format(
      "channel_id={}, frontend_attributes={{_xla_send_recv_source_target_"
      "pairs=\"{{{}}}\"}}",
      channel, fmt::join(pairs, ","));
  const std::string token = writer.add("", "after-all", {});
  const std::string send =
      writer.add(triple, "send", {x.name, token}, attributes);
  const std::string recv = writer.add(triple, "recv", {token}, attributes);
  const std::string sent = fmt::format("channel_id={}", channel);
  writer.add("token[]", "send-done", {send}, sent);
  writer.add(spell_tuple({shape, "token[]"}), "recv-done", {recv}, sent);
}

void write_infeed(ProgramWriter& writer, const Op& op) {
  const std::string token = writer.add("", "after-all", {});
  // Devices take from one queue, in an order of their own.
  const ElementType type =
      writer.devices() == 1 ? writer.draw.type() : ElementType::kF32;
  const std::string shape = spell(type, {2});
  writer.add(spell_tuple({shape, "token[]"}), op.name, {token});
}

void write_outfeed(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const std::string token = writer.add("", "after-all", {});
  writer.add("", op.name, {x.name, token},
             "outfeed_shape=" + to_string(x.shape, false));
}

}  // namespace

std::span<const NamedRecipe> device_recipes() {
  static constexpr std::array kRecipes = std::to_array<NamedRecipe>({
      {"replica-id", write_id},
      {"partition-id", write_id},
      {"all-gather", write_all_gather},
      {"all-gather-start", write_all_gather},
      {"all-gather-done", write_all_gather},
      {"all-reduce", write_all_reduce},
      {"all-reduce-start", write_all_reduce},
      {"all-reduce-done", write_all_reduce},
      {"reduce-scatter", write_reduce_scatter},
      {"all-to-all", write_all_to_all},
      {"collective-permute", write_collective_permute},
      {"collective-permute-start", write_collective_permute},
      {"collective-permute-done", write_collective_permute},
      {"collective-broadcast", write_collective_broadcast},
      {"ragged-all-to-all", write_ragged_all_to_all},
      {"send", write_send_and_recv},
      {"send-done", write_send_and_recv},
      {"recv", write_send_and_recv},
      {"recv-done", write_send_and_recv},
      {"infeed", write_infeed},
      {"outfeed", write_outfeed},
  });
  return kRecipes;
}

}  // namespace hlo::conformance
