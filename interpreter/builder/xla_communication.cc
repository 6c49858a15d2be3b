#include "interpreter/builder/xla_communication.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "interpreter/builder/xla_constants.h"
#include "interpreter/builder/xla_control.h"
#include "interpreter/builder/xla_reduction.h"
#include "interpreter/builder/xla_shaping.h"
#include "interpreter/error.h"

namespace hlo::builder {
namespace {

ReplicaGroups listed(const std::vector<Ints>& groups) {
  std::vector<std::string> texts;
  texts.reserve(groups.size());
  for (const Ints& group : groups) {
    texts.push_back(fmt::format("{{{}}}", fmt::join(group, ",")));
  }
  return {groups, fmt::format("{{{}}}", fmt::join(texts, ","))};
}

void append_channel(Attributes& attributes, std::optional<int64_t> channel_id) {
  if (channel_id) attributes.emplace_back("channel_id", *channel_id);
}

Attributes with(Attributes attributes, const Participants& participants) {
  append_channel(attributes, participants.channel_id);
  if (!participants.replica_groups.empty()) {
    attributes.emplace_back("replica_groups",
                            listed(participants.replica_groups));
  }
  if (participants.use_global_device_ids) {
    attributes.emplace_back("use_global_device_ids", true);
  }
  return attributes;
}

XlaOps elements(XlaOp operand) {
  if (!operand.shape().is_tuple()) return {operand};
  XlaOps result;
  for (size_t i = 0; i < operand.shape().tuple_shapes.size(); ++i) {
    result.push_back(GetTupleElement(operand, static_cast<int64_t>(i)));
  }
  return result;
}

/// The tuple again, where the operation returns an array for a tuple of one.
XlaOp again_tuple(XlaOp result, XlaOp operand) {
  if (!operand.shape().is_tuple() || result.shape().is_tuple()) return result;
  return Tuple(&result.builder(), {result});
}

/// The shape with another size in the dimension; what it has none of is left to
/// the rules of the operation.
template <typename Resize>
Shape resized(Shape shape, int64_t dimension, const Resize& resize) {
  shape.layout.reset();
  if (dimension >= 0 && dimension < shape.rank()) {
    int64_t& size = shape.dims[static_cast<size_t>(dimension)];
    size = resize(size);
  }
  return shape;
}

Shape one_or_tuple(std::vector<Shape> shapes) {
  return shapes.size() == 1 ? shapes[0] : Shape::tuple(std::move(shapes));
}

void require_split(bool condition, int64_t size, int64_t count) {
  require(condition, "builder.C9",
          {"a dimension of size ", size, " has ", Count{count, "part"}},
          "what is split must have at least one part, and parts of one size");
}

int64_t times(int64_t size, int64_t count) {
  int64_t product = 0;
  require_split(count >= 1 && !__builtin_mul_overflow(size, count, &product),
                size, count);
  return product;
}

int64_t divided(int64_t size, int64_t count) {
  require_split(count >= 1 && size % count == 0, size, count);
  return size / count;
}

/// Puts the parts, which have come in place of the ones along `split`, together
/// along `concat`.
XlaOp exchange_dimensions(XlaOp parts, int64_t split, int64_t concat,
                          int64_t count) {
  Ints dims = parts.shape().dims;
  const auto s = static_cast<size_t>(split);
  const auto c = static_cast<size_t>(concat);
  Ints sizes = dims;
  sizes[s] = dims[s] / count;
  sizes.insert(sizes.begin() + split, count);
  Ints order;
  for (int64_t d = 0; d < std::ssize(dims); ++d) {
    if (d == concat) order.push_back(split);
    order.push_back(d < split ? d : d + 1);
  }
  dims[s] /= count;
  dims[c] = times(dims[c], count);
  return Reshape(Transpose(Reshape(parts, sizes), order), dims);
}

}  // namespace

XlaOp ReplicaId(XlaBuilder* builder) { return builder->add("replica-id", {}); }

XlaOp PartitionId(XlaBuilder* builder) {
  return builder->add("partition-id", {});
}

XlaOp AllReduce(XlaOp operand, const XlaComputation& computation,
                const Participants& participants) {
  XlaBuilder& builder = operand.builder();
  return again_tuple(
      builder.add(
          "all-reduce", elements(operand),
          with({{"to_apply", builder.embed(computation)}}, participants)),
      operand);
}

XlaOp CrossReplicaSum(XlaOp operand, const Participants& participants) {
  const std::vector<const Shape*> arrays = leaves(operand.shape());
  require(!arrays.empty(), "text.operand-count", {"the operand has no arrays"},
          "the operation needs one");
  const ElementType type = arrays[0]->element_type;
  const XlaComputation sum = type == ElementType::kPred
                                 ? CreateScalarOrComputation(ElementType::kPred)
                                 : CreateScalarAddComputation(type);
  return AllReduce(operand, sum, participants);
}

XlaOp AllGather(XlaOp operand, int64_t all_gather_dimension,
                int64_t shard_count, const Participants& participants) {
  const XlaOps arrays = elements(operand);
  std::vector<Shape> shapes;
  for (const XlaOp& array : arrays) {
    shapes.push_back(resized(
        array.shape(), all_gather_dimension,
        [shard_count](int64_t size) { return times(size, shard_count); }));
  }
  return again_tuple(
      operand.builder().add(
          "all-gather", arrays,
          with({{"dimensions", Ints{all_gather_dimension}}}, participants),
          one_or_tuple(std::move(shapes))),
      operand);
}

XlaOp ReduceScatter(XlaOp operand, const XlaComputation& computation,
                    int64_t scatter_dimension, int64_t shard_count,
                    const Participants& participants) {
  XlaBuilder& builder = operand.builder();
  const XlaOps arrays = elements(operand);
  std::vector<Shape> shapes;
  for (const XlaOp& array : arrays) {
    shapes.push_back(resized(
        array.shape(), scatter_dimension,
        [shard_count](int64_t size) { return divided(size, shard_count); }));
  }
  return again_tuple(
      builder.add("reduce-scatter", arrays,
                  with({{"dimensions", Ints{scatter_dimension}},
                        {"to_apply", builder.embed(computation)}},
                       participants),
                  one_or_tuple(std::move(shapes))),
      operand);
}

XlaOp AllToAll(XlaOp operand, int64_t split_dimension, int64_t concat_dimension,
               int64_t split_count, const Participants& participants) {
  const Ints& dims = operand.shape().dims;
  const auto is_dimension = [&](int64_t d) {
    return d >= 0 && d < std::ssize(dims);
  };
  require(is_dimension(split_dimension) && is_dimension(concat_dimension),
          "builder.C7",
          {"dimensions ", split_dimension, " and ", concat_dimension,
           " are named of ", operand.shape()},
          "they must be dimensions of the operand");
  divided(dims[static_cast<size_t>(split_dimension)], split_count);
  const XlaOp parts = operand.builder().add(
      "all-to-all", {operand},
      with({{"dimensions", Ints{split_dimension}}}, participants));
  if (split_dimension == concat_dimension) return parts;
  return exchange_dimensions(parts, split_dimension, concat_dimension,
                             split_count);
}

XlaOp AllToAllTuple(XlaBuilder* builder, const XlaOps& operands,
                    const Participants& participants) {
  return builder->add("all-to-all", operands, with({}, participants));
}

XlaOp CollectivePermute(XlaOp operand, const IntPairs& source_target_pairs,
                        std::optional<int64_t> channel_id) {
  Attributes attributes = {{"source_target_pairs", source_target_pairs}};
  append_channel(attributes, channel_id);
  return operand.builder().add("collective-permute", {operand},
                               std::move(attributes));
}

XlaOp CollectiveBroadcast(XlaOp operand,
                          const std::vector<Ints>& replica_groups,
                          std::optional<int64_t> channel_id) {
  Attributes attributes = {{"replica_groups", listed(replica_groups)}};
  append_channel(attributes, channel_id);
  return operand.builder().add("collective-broadcast", {operand},
                               std::move(attributes));
}

XlaOp RaggedAllToAll(XlaOp input, XlaOp output, const RaggedRows& rows,
                     const Participants& participants) {
  return input.builder().add(
      "ragged-all-to-all",
      {input, output, rows.input_offsets, rows.send_sizes, rows.output_offsets,
       rows.recv_sizes},
      with({}, participants));
}

}  // namespace hlo::builder
