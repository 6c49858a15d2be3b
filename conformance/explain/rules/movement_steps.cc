#include "conformance/explain/rules/movement_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/start_indices.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

using fmt::format;

/// What a step is made of.
struct Given {
  const Instruction& instruction;
  Operands operands;
  const Index& index;

  const Ints& dims(size_t operand) const {
    return operands[operand].shape().dims;
  }
};

int64_t at(const Ints& list, int64_t d) { return list[static_cast<size_t>(d)]; }

Steps broadcast_steps(const Given& given) {
  const Ints dimensions = given.instruction.get_or<Ints>("dimensions", {});
  Steps steps{.lines = {}, .index = Index{}};
  for (size_t d = 0; d < dimensions.size(); ++d) {
    const int64_t i = at(given.index, dimensions[d]);
    steps.index->push_back(i);
    steps.lines.push_back(
        format("dimension {} of the operand is dimension {} of the result: {}",
               d, dimensions[d], i));
  }
  if (dimensions.empty()) {
    steps.lines.emplace_back("a scalar is repeated for every index");
  }
  return steps;
}

Steps transpose_steps(const Given& given) {
  const Ints& dimensions = given.instruction.get<Ints>("dimensions");
  Steps steps{.lines = {}, .index = Index(dimensions.size())};
  for (size_t d = 0; d < dimensions.size(); ++d) {
    (*steps.index)[static_cast<size_t>(dimensions[d])] = given.index[d];
    steps.lines.push_back(
        format("dimension {} of the result is dimension {} of the operand: {}",
               d, dimensions[d], given.index[d]));
  }
  return steps;
}

Steps reshape_steps(const Given& given) {
  const Shape& shape = given.instruction.shape;
  const int64_t position = linearize(given.index, shape.dims);
  return {.lines = {format("row-major position {} of both", position)},
          .index = delinearize(position, given.operands[0].shape().dims)};
}

Steps slice_steps(const Given& given) {
  const auto& dims = given.instruction.get<SliceConfig>("slice").dims;
  Steps steps{.lines = {}, .index = Index{}};
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t start = std::min(dims[d].start, given.dims(0)[d]);
    steps.index->push_back(start + given.index[d] * dims[d].stride);
    steps.lines.push_back(format("dimension {}: start {} + {} * stride {} = {}",
                                 d, start, given.index[d], dims[d].stride,
                                 steps.index->back()));
  }
  return steps;
}

Steps reverse_steps(const Given& given) {
  const Ints& dimensions = given.instruction.get<Ints>("dimensions");
  Steps steps{.lines = {}, .index = given.index};
  for (size_t d = 0; d < given.index.size(); ++d) {
    if (std::ranges::count(dimensions, static_cast<int64_t>(d)) == 0) continue;
    const int64_t last = given.dims(0)[d] - 1;
    (*steps.index)[d] = last - given.index[d];
    steps.lines.push_back(format("dimension {} is reversed: {} - {} = {}", d,
                                 last, given.index[d], (*steps.index)[d]));
  }
  return steps;
}

/// What a pad does in one dimension: the index in the operand, or -1 and why
/// not.
struct PadStep {
  int64_t index;
  std::string line;
};

PadStep pad_step(const PaddingDimension& padding, int64_t size, int64_t i) {
  const int64_t step = padding.interior + 1;
  const int64_t inner = i - padding.low;
  const std::string text = format("({} - low {}) / (interior {} + 1)", i,
                                  padding.low, padding.interior);
  if (inner < 0) return {-1, text + " is before the first element: padding"};
  if (inner / step >= size) {
    return {-1, text + " is behind the last element: padding"};
  }
  if (inner % step != 0) return {-1, text + " is between elements: padding"};
  return {inner / step, text + " = " + std::to_string(inner / step)};
}

Steps pad_steps(const Given& given) {
  const auto& dims = given.instruction.get<PaddingConfig>("padding").dims;
  Steps steps{.lines = {}, .index = Index{}};
  bool inside = true;
  for (size_t d = 0; d < dims.size(); ++d) {
    PadStep step = pad_step(dims[d], given.dims(0)[d], given.index[d]);
    inside = inside && step.index >= 0;
    steps.index->push_back(step.index);
    steps.lines.push_back(format("dimension {}: {}", d, step.line));
  }
  if (inside) return steps;
  steps.lines.emplace_back("the padding value, operand 1");
  steps.index = Index{};
  return steps;
}

Steps concatenate_steps(const Given& given) {
  const int64_t d = given.instruction.get<Ints>("dimensions")[0];
  const int64_t i = at(given.index, d);
  int64_t begin = 0;
  for (size_t k = 0; k < given.operands.size(); ++k) {
    const int64_t size = at(given.dims(k), d);
    if (i < begin + size) {
      Steps steps{.lines = {}, .index = given.index};
      (*steps.index)[static_cast<size_t>(d)] = i - begin;
      steps.lines.push_back(
          format("dimension {}: operand {} begins at {}: {} - {} = {}", d, k,
                 begin, i, begin, i - begin));
      return steps;
    }
    begin += size;
  }
  return {};
}

/// The start of the box of `sizes` in an array of `dims`, clamped: operands
/// from `first` on are its scalars, or one vector.
Index clamped_starts(const Given& given, size_t first, const Ints& dims,
                     const Ints& sizes, std::vector<std::string>& lines) {
  const bool is_vector = given.operands.size() > first &&
                         !given.operands[first].shape().is_scalar();
  Index starts;
  for (size_t d = 0; d < dims.size(); ++d) {
    const Literal& operand = given.operands[is_vector ? first : first + d];
    const int64_t position = is_vector ? static_cast<int64_t>(d) : 0;
    const int64_t most = dims[d] - sizes[d];
    starts.push_back(clamped_start(operand, position, dims[d], sizes[d]));
    lines.push_back(
        format("dimension {}: start {}, clamped into [0, {}], is {}", d,
               text::print(operand.at(position)), most, starts.back()));
  }
  return starts;
}

Index sum_of(const Index& a, const Index& b) {
  Index sum = a;
  for (size_t d = 0; d < a.size(); ++d) sum[d] += b[d];
  return sum;
}

Steps dynamic_slice_steps(const Given& given) {
  Steps steps;
  const Index starts =
      clamped_starts(given, 1, given.operands[0].shape().dims,
                     given.instruction.shape.dims, steps.lines);
  steps.index = sum_of(starts, given.index);
  return steps;
}

Steps dynamic_update_slice_steps(const Given& given) {
  Steps steps;
  const Ints& sizes = given.operands[1].shape().dims;
  const Index starts = clamped_starts(given, 2, given.operands[0].shape().dims,
                                      sizes, steps.lines);
  Index inside = given.index;
  bool is_inside = true;
  for (size_t d = 0; d < inside.size(); ++d) {
    inside[d] -= starts[d];
    is_inside = is_inside && inside[d] >= 0 && inside[d] < sizes[d];
  }
  steps.index = is_inside ? inside : given.index;
  steps.lines.emplace_back(is_inside ? "inside of the update, operand 1"
                                     : "outside of the update: operand 0");
  return steps;
}

/// The position along each dimension of the start indices, but for the index
/// vector's.
Index batch_index(const Given& given, const Ints& offset_dims) {
  Index batch;
  for (size_t d = 0; d < given.index.size(); ++d) {
    if (std::ranges::count(offset_dims, static_cast<int64_t>(d)) == 0) {
      batch.push_back(given.index[d]);
    }
  }
  return batch;
}

/// The element of the start indices that holds entry k of the index vector.
Index entry_index(const Index& batch, int64_t vector_dim, int64_t rank,
                  int64_t k) {
  Index index = batch;
  if (vector_dim < rank) index.insert(index.begin() + vector_dim, k);
  return index;
}

/// The first element of the slice, by dimension of the operand.
Index gather_starts(const Given& given, const Index& batch,
                    std::vector<std::string>& lines) {
  const Instruction& gather = given.instruction;
  const Literal& indices = given.operands[1];
  const Ints& dims = given.operands[0].shape().dims;
  const Ints& sizes = gather.get<Ints>("slice_sizes");
  const Ints& map = gather.get<Ints>("start_index_map");
  const auto vector_dim = gather.get<int64_t>("index_vector_dim");
  Index starts(dims.size(), 0);
  for (size_t k = 0; k < map.size(); ++k) {
    const Index from = entry_index(batch, vector_dim, indices.shape().rank(),
                                   static_cast<int64_t>(k));
    const int64_t position = linearize(from, indices.shape().dims);
    const auto d = static_cast<size_t>(map[k]);
    starts[d] = clamped_start(indices, position, dims[d], sizes[d]);
    lines.push_back(format(
        "dimension {}: start %{}[{}] = {}, clamped into [0, {}], is {}", d,
        gather.operands[1]->name, fmt::join(from, ","),
        text::print(indices.at(position)), dims[d] - sizes[d], starts[d]));
  }
  return starts;
}

Steps gather_steps(const Given& given) {
  const Instruction& gather = given.instruction;
  const Ints& offset_dims = gather.get<Ints>("offset_dims");
  const Ints batching = gather.get_or<Ints>("operand_batching_dims", {});
  const Ints paired = gather.get_or<Ints>("start_indices_batching_dims", {});
  const auto vector_dim = gather.get<int64_t>("index_vector_dim");
  const Index batch = batch_index(given, offset_dims);
  Steps steps;
  Index index = gather_starts(given, batch, steps.lines);
  for (size_t b = 0; b < batching.size(); ++b) {
    const int64_t place =
        at(batch, paired[b] - (paired[b] > vector_dim ? 1 : 0));
    index[static_cast<size_t>(batching[b])] = place;
    steps.lines.push_back(
        format("dimension {} is a batch: {}", batching[b], place));
  }
  const Ints window =
      remaining(given.operands[0].shape().rank(),
                gather.get<Ints>("collapsed_slice_dims"), batching);
  for (size_t i = 0; i < window.size(); ++i) {
    const auto d = static_cast<size_t>(window[i]);
    const int64_t offset = at(given.index, offset_dims[i]);
    steps.lines.push_back(
        format("dimension {}: {} + {} (dimension {} of the result) = {}", d,
               index[d], offset, offset_dims[i], index[d] + offset));
    index[d] += offset;
  }
  steps.index = index;
  return steps;
}

struct Rule {
  std::string_view name;
  Steps (*steps)(const Given&);
};

constexpr auto kRules = std::to_array<Rule>({
    {"broadcast", broadcast_steps},
    {"concatenate", concatenate_steps},
    {"dynamic-slice", dynamic_slice_steps},
    {"dynamic-update-slice", dynamic_update_slice_steps},
    {"gather", gather_steps},
    {"pad", pad_steps},
    {"reshape", reshape_steps},
    {"reverse", reverse_steps},
    {"slice", slice_steps},
    {"transpose", transpose_steps},
});

}  // namespace

Steps movement_steps(const Instruction& instruction, Operands operands,
                     const Index& index) {
  const auto* const rule =
      std::ranges::find(kRules, instruction.op->name, &Rule::name);
  if (rule == kRules.end()) return {};
  return rule->steps({instruction, operands, index});
}

}  // namespace hlo::conformance
