// spec/ops/gather.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/start_indices.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"offset_dims", AttributeKind::kInts, /*required=*/true},
    {"collapsed_slice_dims", AttributeKind::kInts, /*required=*/true},
    {"start_index_map", AttributeKind::kInts, /*required=*/true},
    {"operand_batching_dims", AttributeKind::kInts},
    {"start_indices_batching_dims", AttributeKind::kInts},
    {"index_vector_dim", AttributeKind::kInt, /*required=*/true},
    {"slice_sizes", AttributeKind::kInts, /*required=*/true},
    {"indices_are_sorted", AttributeKind::kBool}};

/// The attributes of a gather, and what follows from them.
struct Numbers {
  Ints offset_dims = {};
  Ints collapsed = {};
  Ints start_index_map = {};
  Ints operand_batching = {};
  Ints indices_batching = {};
  int64_t index_vector_dim = 0;
  Ints slice_sizes = {};
  Ints window = {};      // operand dimensions that offset_dims stand for
  Ints batch_dims = {};  // result dimensions that are not offset_dims
  Ints index_dims = {};  // dimensions of the indices that batch_dims stand for
};

Numbers numbers(const Instruction& gather) {
  Numbers n{gather.get<Ints>("offset_dims"),
            gather.get<Ints>("collapsed_slice_dims"),
            gather.get<Ints>("start_index_map"),
            gather.get_or<Ints>("operand_batching_dims", {}),
            gather.get_or<Ints>("start_indices_batching_dims", {}),
            gather.get<int64_t>("index_vector_dim"),
            gather.get<Ints>("slice_sizes")};
  n.window = remaining(gather.operand_shape(0).rank(), n.collapsed,
                       n.operand_batching);
  n.index_dims =
      remaining(gather.operand_shape(1).rank(), {n.index_vector_dim}, {});
  const auto result_rank =
      static_cast<int64_t>(n.offset_dims.size() + n.index_dims.size());
  n.batch_dims = remaining(result_rank, n.offset_dims, {});
  return n;
}

bool are_sorted_dimensions(const Ints& dims, int64_t rank) {
  return are_dimensions(dims, rank) && std::ranges::is_sorted(dims);
}

void check_index_vector(const Shape& operand, const Shape& indices,
                        const Numbers& n) {
  require(indices.is_array() && is_integer(indices.element_type), "gather.C1",
          {"the start indices are ", indices}, "they must be integers");
  require(n.index_vector_dim >= 0 && n.index_vector_dim <= indices.rank(),
          "gather.C2",
          {"index_vector_dim is ", n.index_vector_dim, " for start indices ",
           indices},
          "it must be one of their dimensions, or their rank");
  const int64_t length =
      n.index_vector_dim == indices.rank()
          ? 1
          : indices.dims[static_cast<size_t>(n.index_vector_dim)];
  require(static_cast<int64_t>(n.start_index_map.size()) == length, "gather.C3",
          {"start_index_map is ", n.start_index_map,
           " and an index vector has ", Count{length, "index", "indices"}},
          "there must be one entry per index");
  require(
      are_dimensions(n.start_index_map, operand.rank()), "gather.C4",
      {"start_index_map is ", n.start_index_map, " for the operand ", operand},
      "it must name different dimensions of the operand");
}

void check_slices(const Shape& operand, const Numbers& n) {
  require(static_cast<int64_t>(n.slice_sizes.size()) == operand.rank(),
          "gather.C5",
          {"slice_sizes is ", n.slice_sizes, " for the operand ", operand},
          "it must have one entry per dimension of the operand");
  for (size_t d = 0; d < n.slice_sizes.size(); ++d) {
    require(n.slice_sizes[d] >= 0 && (operand.dims[d] == kUnbounded ||
                                      n.slice_sizes[d] <= operand.dims[d]),
            "gather.C6",
            {"slice_sizes takes ", n.slice_sizes[d], " of dimension ", d,
             " of ", operand},
            "the size must be from 0 to the dimension's");
  }
  require(
      are_sorted_dimensions(n.collapsed, operand.rank()), "gather.C7",
      {"collapsed_slice_dims is ", n.collapsed, " for the operand ", operand},
      "these must be dimensions of the operand, in order");
  require(are_sorted_dimensions(n.operand_batching, operand.rank()),
          "gather.C8",
          {"operand_batching_dims is ", n.operand_batching, " for the operand ",
           operand},
          "these must be dimensions of the operand, in order");
  for (const Ints* dims : {&n.collapsed, &n.operand_batching}) {
    for (const int64_t d : *dims) {
      require(n.slice_sizes[static_cast<size_t>(d)] <= 1, "gather.C9",
              {"slices take ", n.slice_sizes[static_cast<size_t>(d)],
               " of dimension ", d},
              "they must take at most 1 of collapsed and batching dimensions");
    }
  }
}

void check_batching(const Shape& operand, const Shape& indices,
                    const Numbers& n) {
  for (const int64_t d : n.operand_batching) {
    require(std::ranges::count(n.collapsed, d) == 0, "gather.C10",
            {"dimension ", d, " is collapsed and batching"},
            "it must be one of the two");
  }
  require(n.indices_batching.size() == n.operand_batching.size() &&
              are_dimensions(n.indices_batching, indices.rank()) &&
              std::ranges::count(n.indices_batching, n.index_vector_dim) == 0,
          "gather.C11",
          {"start_indices_batching_dims is ", n.indices_batching,
           " and operand_batching_dims ", n.operand_batching,
           ", for start indices ", indices},
          "these must be as many different dimensions of the start indices, "
          "without index_vector_dim");
  for (size_t i = 0; i < n.operand_batching.size(); ++i) {
    require(operand.dims[static_cast<size_t>(n.operand_batching[i])] ==
                indices.dims[static_cast<size_t>(n.indices_batching[i])],
            "gather.C12",
            {"dimension ", n.operand_batching[i], " of ", operand,
             " goes with dimension ", n.indices_batching[i], " of ", indices},
            "batching dimensions of operand and start indices must be as long "
            "as each other");
  }
}

Shape result_shape(const Shape& operand, const Shape& indices,
                   const Numbers& n) {
  Shape result = Shape::array(operand.element_type,
                              Ints(n.offset_dims.size() + n.batch_dims.size()));
  const auto set = [&](int64_t to, const Shape& from, int64_t d, int64_t size) {
    result.dims[static_cast<size_t>(to)] = size;
    result.set_dynamic(
        to, from.is_dynamic(d) && size == from.dims[static_cast<size_t>(d)]);
  };
  for (size_t i = 0; i < n.window.size(); ++i) {
    set(n.offset_dims[i], operand, n.window[i],
        n.slice_sizes[static_cast<size_t>(n.window[i])]);
  }
  for (size_t i = 0; i < n.batch_dims.size(); ++i) {
    set(n.batch_dims[i], indices, n.index_dims[i],
        indices.dims[static_cast<size_t>(n.index_dims[i])]);
  }
  return result;
}

Shape infer(const Instruction& gather) {
  const Shape& operand = gather.operand_shape(0);
  const Shape& indices = gather.operand_shape(1);
  require(operand.is_array(), "gather.C1", {"the operand is ", operand},
          "an array must be gathered from");
  const Numbers n = numbers(gather);
  check_index_vector(operand, indices, n);
  check_slices(operand, n);
  check_batching(operand, indices, n);
  const auto rank =
      static_cast<int64_t>(n.offset_dims.size() + n.index_dims.size());
  require(are_sorted_dimensions(n.offset_dims, rank), "gather.C13",
          {"offset_dims is ", n.offset_dims, " for a result of rank ", rank},
          "these must be dimensions of the result, in order");
  require(n.offset_dims.size() == n.window.size(), "gather.C14",
          {"offset_dims is ", n.offset_dims, " for ",
           Count{std::ssize(n.window), "dimension"}, " of a slice"},
          "it must have one entry for each dimension of the operand that is "
          "neither collapsed nor batching");
  return result_shape(operand, indices, n);
}

/// How far one step along a batch dimension of the result moves.
struct Step {
  int64_t extent;
  int64_t result;   // in the result
  int64_t indices;  // in the start indices
  int64_t operand;  // in the operand, where it is a batching dimension
};

std::vector<Step> batch_steps(const Instruction& gather, const Numbers& n) {
  const Shape& indices = gather.operand_shape(1);
  const Ints result_strides = row_major_strides(gather.shape.dims);
  const Ints index_strides = row_major_strides(indices.dims);
  const Ints operand_strides = row_major_strides(gather.operand_shape(0).dims);
  std::vector<Step> steps;
  for (size_t i = 0; i < n.batch_dims.size(); ++i) {
    const auto d = static_cast<size_t>(n.index_dims[i]);
    Step step{indices.dims[d],
              result_strides[static_cast<size_t>(n.batch_dims[i])],
              index_strides[d], 0};
    const auto found = std::ranges::find(n.indices_batching, n.index_dims[i]);
    if (found != n.indices_batching.end()) {
      const auto b = static_cast<size_t>(found - n.indices_batching.begin());
      step.operand =
          operand_strides[static_cast<size_t>(n.operand_batching[b])];
    }
    steps.push_back(step);
  }
  return steps;
}

/// One entry of an index vector: where it lies in the vector, the largest start
/// that keeps the slice inside, and how far one step moves.
struct Entry {
  int64_t offset;
  int64_t limit;
  int64_t stride;
};

std::vector<Entry> vector_entries(const Instruction& gather, const Numbers& n) {
  const Ints& dims = gather.operand_shape(0).dims;
  const Ints strides = row_major_strides(dims);
  const Ints& index_dims = gather.operand_shape(1).dims;
  const auto v = static_cast<size_t>(n.index_vector_dim);
  const int64_t stride =
      v == index_dims.size() ? 0 : row_major_strides(index_dims)[v];
  std::vector<Entry> entries;
  for (size_t k = 0; k < n.start_index_map.size(); ++k) {
    const auto d = static_cast<size_t>(n.start_index_map[k]);
    // The position in the batch says it all.
    if (std::ranges::count(n.operand_batching, n.start_index_map[k]) > 0) {
      continue;
    }
    entries.push_back({static_cast<int64_t>(k) * stride,
                       dims[d] - n.slice_sizes[d], strides[d]});
  }
  return entries;
}

Block slice_block(const Instruction& gather, const Numbers& n) {
  const Ints source_strides = row_major_strides(gather.operand_shape(0).dims);
  const Ints result_strides = row_major_strides(gather.shape.dims);
  Block block;
  for (const Ints* dims : {&n.collapsed, &n.operand_batching}) {
    for (const int64_t d : *dims) {
      block.axes.push_back({n.slice_sizes[static_cast<size_t>(d)], 0, 0});
    }
  }
  for (size_t i = 0; i < n.window.size(); ++i) {
    const auto d = static_cast<size_t>(n.window[i]);
    block.axes.push_back(
        {n.slice_sizes[d], source_strides[d],
         result_strides[static_cast<size_t>(n.offset_dims[i])]});
  }
  return block;
}

Movement movement(const Instruction& gather, Operands operands) {
  const Numbers n = numbers(gather);
  const std::vector<Step> steps = batch_steps(gather, n);
  const std::vector<Entry> entries = vector_entries(gather, n);
  const std::vector<int64_t> starts = integers(operands[1]);
  int64_t count = 1;
  for (const Step& step : steps) count *= step.extent;
  Movement movement;
  movement.blocks.push_back(slice_block(gather, n));
  movement.repeats.resize(static_cast<size_t>(count));
  Step at{};  // the sums of the steps so far
  Ints index(steps.size(), 0);
  for (BlockOffsets& place : movement.repeats) {
    place = {at.operand, at.result};
    for (const Entry& entry : entries) {
      const int64_t start =
          starts[static_cast<size_t>(at.indices + entry.offset)];
      place.source_offset +=
          entry.stride * std::clamp<int64_t>(start, 0, entry.limit);
    }
    for (size_t s = steps.size(); s-- > 0;) {
      const Step& step = steps[s];
      const int64_t times = ++index[s] < step.extent ? 1 : 1 - step.extent;
      at.result += times * step.result;
      at.indices += times * step.indices;
      at.operand += times * step.operand;
      if (times == 1) break;
      index[s] = 0;
    }
  }
  if (movement.repeats.empty()) movement.blocks.clear();
  return movement;
}

}  // namespace

extern constinit const Op op_gather{.name = "gather",
                                    .min_operands = 2,
                                    .max_operands = 2,
                                    .attributes = kAttributes,
                                    .infer = infer,
                                    .movement = movement,
                                    .accuracy = {.moves_data = true}};

}  // namespace hlo
