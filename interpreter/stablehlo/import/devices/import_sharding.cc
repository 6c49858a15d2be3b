#include "interpreter/stablehlo/import/devices/import_sharding.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/counted.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/import/devices/import_mesh_groups.h"
#include "interpreter/stablehlo/import/devices/sdy_sharding.h"
#include "interpreter/stablehlo/import/importer/importer.h"

// sdy.manual_computation: outside its body values are whole arrays, the same on
// every device; inside each device has its shard. So each device cuts its
// shards out of the operands, and shards of results are gathered.

namespace hlo::stablehlo {
namespace {

using Axes = std::vector<std::string>;

/// Text of the sdy dialect, read; errors stand at the operation.
template <typename Read>
auto read_text(const Conversion& c, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    c.fail("stablehlo.sharding", error.message());
  }
}

const std::string& opaque(const Conversion& c, std::string_view name) {
  const Attribute* attribute = c.find(name);
  const auto* text =
      attribute == nullptr ? nullptr : std::get_if<Opaque>(&attribute->value);
  if (text == nullptr) {
    c.fail("stablehlo.needs",
           shortened(name) + " is no attribute of sdy, but must be one");
  }
  return text->text;
}

/// What the dimensions of operands or results are cut along, of the manual
/// axes.
class Cutting {
 public:
  Cutting(const Conversion& c, std::string_view name, size_t count)
      : c_(c),
        shardings_(
            read_text(c, [&] { return read_shardings(opaque(c, name)); })),
        manual_(
            read_text(c, [&] { return read_axes(opaque(c, "manual_axes")); })) {
    c.require(shardings_.size() == count, "stablehlo.sharding",
              {"there are ", Count{std::ssize(shardings_), "sharding"}, " for ",
               count},
              "there must be one for each operand and for each result");
  }

  /// The shard of `whole` that this device has; `local` is its shape.
  Instruction* shard(size_t i, Instruction* whole, const Shape& local) const;
  /// The whole array of this device's and the others' shards.
  Instruction* gathered(size_t i, Instruction* local) const;

 private:
  Axes manual_axes(size_t i, int64_t d) const;
  Mesh mesh(size_t i) const;
  void check_rank(size_t i, const Shape& shape) const;
  Instruction* table_entry(const Ints& table) const;

  const Conversion& c_;
  std::vector<Sharding> shardings_;
  Axes manual_;
};

Axes Cutting::manual_axes(size_t i, int64_t d) const {
  Axes axes;
  for (const std::string& axis : shardings_[i].dims[static_cast<size_t>(d)]) {
    if (std::ranges::find(manual_, axis) != manual_.end()) axes.push_back(axis);
  }
  return axes;
}

/// The mesh of the module, which has as many devices as run the program.
Mesh Cutting::mesh(size_t i) const {
  const Dictionary& module = c_.importer.program().attributes;
  const std::string& name = shardings_[i].mesh;
  const Attribute* attribute = find(module, "sdy.mesh @" + name);
  c_.require(attribute != nullptr, "stablehlo.sharding",
             {"the module has no mesh @", name},
             "it must have each that is named");
  Mesh mesh = read_text(
      c_, [&] { return read_mesh(std::get<Opaque>(attribute->value).text); });
  const auto count_of = [&](std::string_view key) {
    const Attribute* value = find(module, key);
    const auto* number =
        value == nullptr ? nullptr : std::get_if<int64_t>(&value->value);
    return number == nullptr ? 1 : *number;
  };
  const int64_t partitions = count_of("mhlo.num_partitions");
  c_.require(
      std::ssize(mesh.devices) == partitions &&
          count_of("mhlo.num_replicas") == 1,
      "stablehlo.sharding",
      {"the mesh has ", Count{std::ssize(mesh.devices), "device"},
       ", mhlo.num_partitions is ", partitions, " and mhlo.num_replicas ",
       count_of("mhlo.num_replicas")},
      "with a mesh there must be a partition for each device and one replica");
  return mesh;
}

void Cutting::check_rank(size_t i, const Shape& shape) const {
  c_.require(
      std::ssize(shardings_[i].dims) == (shape.is_array() ? shape.rank() : 0),
      "stablehlo.sharding",
      {"a sharding has ",
       Count{std::ssize(shardings_[i].dims), "entry", "entries"}, " for ",
       shape},
      "it must have one for each dimension");
}

/// The entry of this device.
Instruction* Cutting::table_entry(const Ints& table) const {
  InstructionBuilder& builder = c_.build();
  const Shape shape = Shape::array(ElementType::kS32, {std::ssize(table)});
  Literal literal = Literal::uninitialized(shape);
  std::ranges::transform(table, literal.mutable_data<int32_t>().begin(),
                         [](int64_t x) { return static_cast<int32_t>(x); });
  Instruction* id = builder.add("partition-id", {});
  Instruction* entry = builder.add("dynamic-slice",
                                   {builder.constant(std::move(literal)),
                                    builder.convert(id, ElementType::kS32)},
                                   {{"dynamic_slice_sizes", Ints{1}}});
  return builder.reshape(entry, {});
}

Instruction* Cutting::shard(size_t i, Instruction* whole,
                            const Shape& local) const {
  check_rank(i, whole->shape);
  Values operands = {whole};
  bool is_cut = false;
  for (int64_t d = 0; d < std::ssize(shardings_[i].dims); ++d) {
    const Axes axes = manual_axes(i, d);
    const auto at = static_cast<size_t>(d);
    Ints starts = {0};
    int64_t count = 1;
    if (!axes.empty()) {
      const Mesh mesh = this->mesh(i);
      count = read_text(c_, [&] { return mesh.count(axes); });
      starts = read_text(c_, [&] { return mesh.shards(axes); });
    }
    c_.require(
        local.is_array() && local.rank() == whole->shape.rank() &&
            local.dims[at] * count == whole->shape.dims[at],
        "stablehlo.sharding",
        {"operand ", i, " is ", whole->shape, " and the region's argument ",
         local, ", with ", Count{count, "shard"}, " of dimension ", d},
        "the operand must have the size of all shards");
    for (int64_t& start : starts) start *= local.dims[at];
    is_cut = is_cut || count > 1;
    operands.push_back(count > 1 ? table_entry(starts)
                                 : c_.build().constant(integer(
                                       Shape::scalar(ElementType::kS32), 0)));
  }
  if (!is_cut) return whole;
  return c_.build().add("dynamic-slice", std::move(operands),
                        {{"dynamic_slice_sizes", Ints(local.dims)}});
}

Instruction* Cutting::gathered(size_t i, Instruction* local) const {
  check_rank(i, local->shape);
  Instruction* value = local;
  for (int64_t d = 0; d < std::ssize(shardings_[i].dims); ++d) {
    const Axes axes = manual_axes(i, d);
    if (axes.empty()) continue;
    const Mesh mesh = this->mesh(i);
    ReplicaGroups groups =
        make_groups(read_text(c_, [&] { return mesh.groups(axes); }));
    Shape whole = value->shape;
    whole.dims[static_cast<size_t>(d)] *= std::ssize(groups.groups[0]);
    value = c_.build().add("all-gather", whole, {value},
                           {{"replica_groups", std::move(groups)},
                            {"channel_id", int64_t{1}},
                            {"use_global_device_ids", true},
                            {"dimensions", Ints{d}}});
  }
  return value;
}

Values manual_computation(const Conversion& c) {
  const Block& body = c.region(0);
  c.require(body.arguments.size() == c.operands.size(), "stablehlo.regions",
            {"the region has ", Count{std::ssize(body.arguments), "argument"},
             " and the operation ", Count{std::ssize(c.operands), "operand"}},
            "it must have one for each");
  const Cutting in(c, "in_shardings", c.operands.size());
  const Cutting out(c, "out_shardings", c.shapes.size());
  for (size_t i = 0; i < c.operands.size(); ++i) {
    const Value& argument = *body.arguments[i];
    c.scope.bind(argument, in.shard(i, c.operand(i), argument.type.shape));
  }
  Values results = c.importer.block(body, c.scope);
  c.require(results.size() == c.shapes.size(), "stablehlo.result-count",
            {"the region returns ", Count{std::ssize(results), "value"},
             " and the operation has ", Count{std::ssize(c.shapes), "result"}},
            "it must return one for each");
  c.build().location = c.op.location;
  for (size_t i = 0; i < results.size(); ++i) {
    results[i] = out.gathered(i, results[i]);
  }
  return results;
}

constexpr ConverterRow kRows[] = {
    {"sdy.manual_computation", manual_computation, true, at_least(0),
     exactly(1)},
};

}  // namespace

ConverterRows sharding_rows() { return kRows; }

}  // namespace hlo::stablehlo
