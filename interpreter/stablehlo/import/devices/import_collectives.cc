#include "interpreter/stablehlo/import/devices/import_collectives.h"

#include <fmt/format.h>

#include <numeric>

#include "interpreter/stablehlo/import/devices/group_order.h"
#include "interpreter/stablehlo/import/devices/import_mesh_groups.h"
#include "interpreter/stablehlo/import/importer/applied_region.h"
#include "interpreter/stablehlo/import/importer/import_attributes.h"
#include "interpreter/stablehlo/import/importer/importer.h"
#include "interpreter/stablehlo/import/operations/import_captures.h"

namespace hlo::stablehlo {
namespace {

/// Rows of ids; -1 fills up rows that are shorter.
ReplicaGroups replica_groups(const Conversion& c) {
  const Attribute* attribute = c.find("replica_groups");
  const auto* structure = attribute == nullptr
                              ? nullptr
                              : std::get_if<Structure>(&attribute->value);
  if (structure != nullptr) return mesh_groups(c, *structure);
  const auto* literal =
      attribute == nullptr ? nullptr : std::get_if<Literal>(&attribute->value);
  if (literal == nullptr || literal->shape().rank() != 2) {
    c.fail("stablehlo.needs",
           "replica_groups is of another kind: it must be a literal of two "
           "dimensions, or axes of a mesh");
  }
  const int64_t width = literal->shape().dims[1];
  std::vector<Ints> groups;
  for (int64_t row = 0; row < literal->shape().dims[0] && width > 0; ++row) {
    Ints& group = groups.emplace_back();
    for (int64_t k = 0; k < width; ++k) {
      const int64_t id = literal->integer(row * width + k);
      if (id != -1) group.push_back(id);
    }
  }
  return make_groups(std::move(groups));
}

/// The channel, where there is one.
void add_channel(const Conversion& c, Attributes& attributes) {
  const Attribute* attribute = c.find("channel_handle");
  int64_t id = c.integer("channel_id", 0);
  if (attribute != nullptr) {
    id = c.field(c.fields("channel_handle", "channel_handle"), "handle", 0);
  }
  if (id > 0) attributes.emplace_back("channel_id", id);
}

Attributes group_attributes(const Conversion& c) {
  Attributes attributes = {{"replica_groups", replica_groups(c)}};
  add_channel(c, attributes);
  return attributes;
}

Attributes global_attributes(const Conversion& c) {
  Attributes attributes = group_attributes(c);
  if (c.flag("use_global_device_ids")) {
    attributes.emplace_back("use_global_device_ids", true);
  } else {
    order_by_partition(c, attributes);
  }
  return attributes;
}

Values all_gather(const Conversion& c) {
  Attributes attributes = global_attributes(c);
  attributes.emplace_back("dimensions", Ints{c.integer("all_gather_dim")});
  return c.make("all-gather", std::move(attributes));
}

/// Operands in the type of the combiner, which is the region.
Values combined(const Conversion& c, std::string_view opcode,
                Attributes attributes) {
  const ElementType type = argument_type(c, c.region(0), 0);
  Values operands;
  for (Instruction* operand : c.operands) {
    operands.push_back(c.build().convert(operand, type));
  }
  attributes.emplace_back("to_apply", applied_region(c, 0));
  return c.make(opcode, std::move(operands), std::move(attributes));
}

bool uses_outside(const Conversion& c) {
  return !captures({&c.region(0)}, c.scope).empty();
}

/// The device's own slices, along the dimension, of what is combined.
Values own_slices(const Conversion& c, const Attributes& groups,
                  int64_t dimension) {
  InstructionBuilder& builder = c.build();
  const Values combined = combined_of_outside(c, groups);
  Instruction* place = place_in_group(c, groups);
  Instruction* zero = builder.constant(integer(place->shape, 0));
  c.require(c.shapes.size() == combined.size(), "stablehlo.result-count",
            {"it has ", Count{std::ssize(c.shapes), "result"}, " for ",
             Count{std::ssize(combined), "operand"}},
            "it must have as many");
  Values results;
  for (size_t i = 0; i < combined.size(); ++i) {
    const Shape& whole = combined[i]->shape;
    const Shape own = Shape::array(whole.element_type, c.shapes[i].dims);
    c.require(dimension >= 0 && dimension < whole.rank() &&
                  own.rank() == whole.rank(),
              "stablehlo.needs",
              {"scatter_dimension is ", dimension, " for ", whole,
               " and the result is ", own},
              "it must be a dimension of both");
    const auto d = static_cast<size_t>(dimension);
    Instruction* size = builder.constant(integer(place->shape, own.dims[d]));
    Values operands(1 + own.dims.size(), zero);
    operands[0] = combined[i];
    operands[1 + d] = builder.add("multiply", place->shape, {place, size});
    results.push_back(builder.add("dynamic-slice", own, std::move(operands),
                                  {{"dynamic_slice_sizes", Ints(own.dims)}}));
  }
  return results;
}

Values all_reduce(const Conversion& c) {
  if (uses_outside(c)) return combined_of_outside(c, global_attributes(c));
  return combined(c, "all-reduce", global_attributes(c));
}

Values reduce_scatter(const Conversion& c) {
  Attributes attributes = global_attributes(c);
  const int64_t dimension = c.integer("scatter_dimension");
  if (uses_outside(c)) return own_slices(c, attributes, dimension);
  attributes.emplace_back("dimensions", Ints{dimension});
  return combined(c, "reduce-scatter", std::move(attributes));
}

/// The deprecated operation: all_reduce that adds.
Values cross_replica_sum(const Conversion& c) {
  const Shape scalar = Shape::scalar(c.operand_shape(0).element_type);
  Computation* sum =
      c.importer.computation("sum", c.op.location, nullptr, [&](Scope& scope) {
        Instruction* x = scope.builder.parameter(scalar, "x");
        Instruction* y = scope.builder.parameter(scalar, "y");
        return scope.builder.add("add", scalar, {x, y});
      });
  Attributes attributes = group_attributes(c);
  attributes.emplace_back("to_apply", sum);
  return c.make("all-reduce", std::move(attributes));
}

/// HLO splits and joins along one dimension: the parts that came are moved to
/// the other behind it.
Instruction* exchange(const Conversion& c, Instruction* operand,
                      const Attributes& attributes) {
  const int64_t split = c.integer("split_dimension");
  const int64_t join = c.integer("concat_dimension");
  const int64_t count = c.integer("split_count");
  InstructionBuilder& builder = c.build();
  const Shape shape = operand->shape;
  const auto inside = [&](int64_t d) { return d >= 0 && d < shape.rank(); };
  c.require(inside(split) && inside(join) && count > 0 &&
                shape.dims[static_cast<size_t>(split)] % count == 0,
            "stablehlo.needs",
            {"split_dimension is ", split, ", concat_dimension ", join,
             " and split_count ", count, " for ", shape},
            "the dimensions must be those of the operand, and split_count must "
            "divide one of them");
  Attributes all = attributes;
  all.emplace_back("dimensions", Ints{split});
  Instruction* exchanged = builder.add("all-to-all", shape, {operand}, all);
  if (split == join) return exchanged;
  // [.., count, size / count, ..] with the parts' dimension before the one that
  // they are joined along.
  std::vector<int64_t> dims = shape.dims;
  dims[static_cast<size_t>(split)] /= count;
  dims.insert(dims.begin() + split, count);
  Ints order;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (d == join) order.push_back(split);
    order.push_back(d < split ? d : d + 1);
  }
  Instruction* parts = builder.add(
      "transpose", {builder.reshape(exchanged, dims)}, {{"dimensions", order}});
  std::vector<int64_t> joined = shape.dims;
  joined[static_cast<size_t>(split)] /= count;
  joined[static_cast<size_t>(join)] *= count;
  return builder.reshape(parts, joined);
}

/// Each member of a group gets one of the parts.
void check_parts(const Conversion& c, const Attributes& attributes) {
  const int64_t count = c.integer("split_count");
  for (const auto& group :
       std::get<ReplicaGroups>(attributes[0].second).groups) {
    c.require(std::ssize(group) == count, "stablehlo.needs",
              {"split_count is ", count, " in a group of ",
               Count{std::ssize(group), "device"}},
              "it must be the size of each group");
  }
}

Values all_to_all(const Conversion& c) {
  const Attributes attributes = group_attributes(c);
  check_parts(c, attributes);
  Values results;
  for (Instruction* operand : c.operands) {
    results.push_back(exchange(c, operand, attributes));
  }
  return results;
}

Values collective_broadcast(const Conversion& c) {
  Attributes attributes = group_attributes(c);
  if (c.flag("has_dynamic_root")) {
    attributes.emplace_back("has_dynamic_root", true);
  }
  return c.make("collective-broadcast", std::move(attributes));
}

Values collective_permute(const Conversion& c) {
  c.need({"source_target_pairs"});
  Attributes attributes = {
      {"source_target_pairs", c.pairs("source_target_pairs")}};
  add_channel(c, attributes);
  return c.make("collective-permute", std::move(attributes));
}

Values partition_id(const Conversion& c) { return c.make("partition-id"); }

Values replica_id(const Conversion& c) { return c.make("replica-id"); }

/// Data of several values is a tuple; the last operand is the token.
Instruction* joined_data(const Conversion& c) {
  const auto tokens = std::ranges::count_if(
      c.operands, [](const auto* one) { return one->shape.is_token(); });
  c.require(tokens <= 1, "stablehlo.operand-count",
            {"there are ", Count{tokens, "token"}},
            "only the last operand can be one");
  return c.build().join({c.operands.begin(), c.operands.end() - 1});
}

/// The shape of the data among the results, of which the last is a token.
Shape received_shape(const Conversion& c) {
  c.require(!c.shapes.empty(), "stablehlo.result-count",
            {"there are no results"}, "the last one must be a token");
  std::vector<Shape> data(c.shapes.begin(), c.shapes.end() - 1);
  return data.size() == 1 ? data[0] : Shape::tuple(std::move(data));
}

/// The elements of the pair of data and token.
Values received(const Conversion& c, Instruction* pair) {
  Values results =
      c.build().split(c.build().element(pair, 0), c.shapes.size() - 1);
  results.push_back(c.build().element(pair, 1));
  return results;
}

Values infeed(const Conversion& c) {
  Attributes attributes;
  const std::string config = c.text("infeed_config", "");
  if (!config.empty()) attributes.emplace_back("infeed_config", config);
  const auto* layouts = c.list("layout");
  c.require(layouts == nullptr || layouts->size() + 1 == c.shapes.size(),
            "stablehlo.needs", {"layout has fewer or more items than arrays"},
            "it must have one for each result but the token");
  Instruction* pair =
      c.build().add("infeed", Shape::tuple({received_shape(c), Shape::token()}),
                    {c.operand(0)}, std::move(attributes));
  return received(c, pair);
}

Values outfeed(const Conversion& c) {
  Attributes attributes;
  const std::string config = c.text("outfeed_config", "");
  if (!config.empty()) attributes.emplace_back("outfeed_config", config);
  Instruction* data = joined_data(c);
  return {c.build().add("outfeed", Shape::token(), {data, c.operands.back()},
                        std::move(attributes))};
}

/// Whether the host hands on what another program sends over the channel.
bool is_passed_on(const Conversion& c, const Attributes& attributes) {
  return !attributes.empty() && c.importer.devices().passed_by_host.contains(
                                    std::get<int64_t>(attributes[0].second));
}

Attributes transfer_attributes(const Conversion& c) {
  c.need({"channel_handle"});
  Attributes attributes;
  add_channel(c, attributes);
  if (c.flag("is_host_transfer") && !is_passed_on(c, attributes)) {
    attributes.emplace_back("is_host_transfer", true);
  }
  return attributes;
}

Shape transfer_shape(const Shape& data) {
  return Shape::tuple({data, Shape::scalar(ElementType::kU32), Shape::token()});
}

constexpr const char* kFrontend = "mhlo.frontend_attributes";
constexpr const char* kPairs = "_xla_send_recv_source_target_pairs";

/// Who sends to whom, as a frontend attribute says it (spec/collectives.md);
/// empty where the operation does not say it.
std::string pairs_text(const Conversion& c) {
  std::string text;
  for (const auto& [source, target] : c.pairs("source_target_pairs")) {
    text +=
        (text.empty() ? "{" : ",") + fmt::format("{{{},{}}}", source, target);
  }
  return text.empty() ? text : text + "}";
}

/// What frontend attributes add to the pairs of the operation, which they may
/// have said already.
Dictionary named_pairs(const Conversion& c, const Attribute* frontend) {
  const std::string text = pairs_text(c);
  if (text.empty()) return {};
  const auto* named =
      frontend == nullptr ? nullptr : std::get_if<Dictionary>(&frontend->value);
  const Attribute* said = named == nullptr ? nullptr : find(*named, kPairs);
  if (said == nullptr) {
    Dictionary pairs;
    pairs.emplace_back(kPairs, Attribute{text, {}, {}});
    return pairs;
  }
  c.require(printed(*said) == text, "stablehlo.needs",
            {"source_target_pairs are ", text, " and the frontend attribute ",
             kPairs, " is ", printed(*said)},
            "both must be the same");
  return {};
}

/// Has both halves say what the operation says of its transfer. What stands in
/// its frontend attributes the second half gets as the last instruction.
void mark_halves(const Conversion& c, Instruction& state, Instruction& done) {
  const Attribute* frontend = c.find(kFrontend);
  if (frontend != nullptr) {
    keep_attributes(Dictionary{{kFrontend, *frontend}}, state);
  }
  const Dictionary pairs = named_pairs(c, frontend);
  if (pairs.empty()) return;
  for (Instruction* half : {&state, &done}) {
    keep_attributes(Dictionary{{kFrontend, Attribute{pairs, {}, {}}}}, *half);
  }
}

Values send(const Conversion& c) {
  Instruction* data = joined_data(c);
  Instruction* state =
      c.build().add("send", transfer_shape(data->shape),
                    {data, c.operands.back()}, transfer_attributes(c));
  Instruction* done = c.build().add("send-done", Shape::token(), {state},
                                    transfer_attributes(c));
  mark_halves(c, *state, *done);
  return {done};
}

Values recv(const Conversion& c) {
  const Shape data = received_shape(c);
  Instruction* state = c.build().add("recv", transfer_shape(data),
                                     {c.operand(0)}, transfer_attributes(c));
  Instruction* done =
      c.build().add("recv-done", Shape::tuple({data, Shape::token()}), {state},
                    transfer_attributes(c));
  mark_halves(c, *state, *done);
  return received(c, done);
}

/// One name of a function in a row of `programs`, or in `infeed`.
Computation* program(const Conversion& c, const Attribute& item) {
  const auto* symbol = std::get_if<Symbol>(&item.value);
  c.require(symbol != nullptr, "stablehlo.needs",
            {"an item of programs or infeed is not a name"},
            "it must be the name of a function");
  return c.importer.function(symbol->name, c.op.location);
}

const std::vector<Attribute>& list_of(const Conversion& c,
                                      const Attribute* attribute) {
  static const std::vector<Attribute> none;
  if (attribute == nullptr) return none;
  const auto* list = std::get_if<std::vector<Attribute>>(&attribute->value);
  c.require(list != nullptr, "stablehlo.needs",
            {"programs or infeed, or an item of programs, is no list"},
            "it must be a list of functions");
  return *list;
}

Values run_parallel(const Conversion& c) {
  const auto& rows = list_of(c, c.find("programs"));
  Grid grid{.replicas = std::ssize(rows), .partitions = 0};
  Computations computations;
  for (const Attribute& row : rows) {
    const auto& programs = list_of(c, &row);
    if (grid.partitions == 0) grid.partitions = std::ssize(programs);
    c.require(std::ssize(programs) == grid.partitions && grid.partitions > 0,
              "stablehlo.needs",
              {"a replica has ", Count{std::ssize(programs), "program"},
               " and the first ", grid.partitions},
              "each must have as many, and at least one");
    for (const Attribute& item : programs) {
      computations.push_back(program(c, item));
    }
  }
  c.require(!rows.empty(), "stablehlo.needs", {"programs is empty"},
            "it must have a program");
  Ints queue;
  for (const Attribute& item : list_of(c, c.find("infeed"))) {
    queue.push_back(std::ssize(computations));
    computations.push_back(program(c, item));
  }
  c.importer.add_grid(grid);
  std::string config = fmt::format(
      R"({{"replicas":{},"partitions":{}{}}})", grid.replicas, grid.partitions,
      queue.empty() ? ""
                    : fmt::format(R"(,"infeed":[{}])", fmt::join(queue, ",")));
  const Shape shape =
      c.shapes.size() == 1 ? c.shapes[0] : Shape::tuple(c.shapes);
  Instruction* run = c.build().add(
      "custom-call", shape, c.operands,
      {{"custom_call_target", std::string("interpreter.run_parallel")},
       {"called_computations", computations},
       {"custom_call_has_side_effect", true},
       {"backend_config", Verbatim{config}}});
  return c.build().split(run, c.shapes.size());
}

constexpr ConverterRow kRows[] = {
    {"interpreter.run_parallel", run_parallel, true},
    {"stablehlo.all_gather", all_gather, true},
    {"stablehlo.all_reduce", all_reduce, true, at_least(1), exactly(1)},
    {"stablehlo.all_to_all", all_to_all, true},
    {"stablehlo.collective_broadcast", collective_broadcast, true},
    {"stablehlo.collective_permute", collective_permute, true},
    {"stablehlo.cross-replica-sum", cross_replica_sum, false, exactly(1)},
    {"stablehlo.infeed", infeed, true, exactly(1)},
    {"stablehlo.outfeed", outfeed, true, at_least(1)},
    {"stablehlo.partition_id", partition_id, false, exactly(0)},
    {"stablehlo.recv", recv, true, exactly(1)},
    {"stablehlo.reduce_scatter", reduce_scatter, true, at_least(1), exactly(1)},
    {"stablehlo.replica_id", replica_id, false, exactly(0)},
    {"stablehlo.send", send, true, at_least(1)},
};

}  // namespace

ConverterRows collective_rows() { return kRows; }

}  // namespace hlo::stablehlo
