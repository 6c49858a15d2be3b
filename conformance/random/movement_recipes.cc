#include "conformance/random/movement_recipes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace hlo::conformance {

namespace {

using Sizes = std::vector<int64_t>;

int64_t product(const Sizes& dims) {
  int64_t result = 1;
  for (const int64_t size : dims) result *= size;
  return result;
}

// Dimensions of the same number of elements.
Sizes other_dims(Draw& draw, const Sizes& dims) {
  int64_t left = product(dims);
  if (left == 0) {
    Sizes result = dims;
    std::ranges::reverse(result);
    return result;
  }
  Sizes result;
  for (int64_t factor = 2; factor <= left; ++factor) {
    while (left % factor == 0) {
      left /= factor;
      if (!result.empty() && draw.one_in(2)) {
        result.back() *= factor;
      } else {
        result.push_back(factor);
      }
    }
  }
  while (result.size() > 5) {
    result[0] *= result.back();
    result.pop_back();
  }
  if (draw.one_in(3)) result.insert(result.begin(), 1);
  return result;
}

Names starts(ProgramWriter& writer, int64_t n) {
  constexpr std::array kTypes = {ElementType::kS32, ElementType::kS64,
                                 ElementType::kU8, ElementType::kU32,
                                 ElementType::kS8};
  const ElementType type = writer.draw.of(kTypes);
  Names names;
  for (int64_t i = 0; i < n; ++i) {
    names.push_back(writer.draw.one_in(2)
                        ? writer.operand(Shape::scalar(type))
                        : writer.number(type, writer.draw.between(0, 4)));
  }
  return names;
}

void write_same(ProgramWriter& writer, const Op& op) {
  writer.add("", op.name, {writer.array().name});
}

void write_copy(ProgramWriter& writer, const Op& op) {
  const Value x = writer.any_value();
  Shape shape = x.shape;
  if (shape.is_array() && writer.draw.one_in(2)) {
    shape.layout = default_layout(shape.rank());
    shape.layout->minor_to_major = writer.draw.permutation(shape.rank());
    if (shape.rank() > 0 && writer.draw.one_in(2)) {
      shape.layout->tiles.push_back(
          Tile{{writer.draw.between(1, 4), writer.draw.between(1, 4)}});
      if (shape.rank() == 1) shape.layout->tiles[0].dims.pop_back();
    }
  }
  writer.add(to_string(shape), op.name, {x.name});
}

void write_reshape(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  writer.add(spell(x.shape.element_type, other_dims(writer.draw, x.shape.dims)),
             op.name, {x.name});
}

void write_dynamic_reshape(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const Sizes dims = other_dims(writer.draw, x.shape.dims);
  Names operands = {x.name};
  Shape shape = Shape::array(x.shape.element_type, dims);
  for (size_t d = 0; d < dims.size(); ++d) {
    operands.push_back(writer.number(ElementType::kS32, dims[d]));
    shape.set_dynamic(static_cast<int64_t>(d), writer.draw.one_in(2));
  }
  writer.add(to_string(shape, false), op.name, operands);
}

void write_bitcast_convert(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const ElementType type = writer.draw.type();
  Sizes dims = x.shape.dims;
  const int from = bits(x.shape.element_type);
  const int to = bits(type);
  if (from > to) dims.push_back(from / to);
  if (from < to && !dims.empty()) dims.pop_back();
  writer.add(spell(type, dims), op.name, {x.name});
}

void write_broadcast(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const int64_t rank = x.shape.rank() + writer.draw.between(0, 2);
  Sizes at = writer.draw.distinct(rank, x.shape.rank());
  if (writer.draw.one_in(2)) std::ranges::sort(at);
  Sizes dims(static_cast<size_t>(rank));
  for (int64_t& size : dims) size = writer.draw.between(0, 4);
  for (size_t d = 0; d < at.size(); ++d) {
    dims[static_cast<size_t>(at[d])] = x.shape.dims[d];
  }
  writer.add(spell(x.shape.element_type, dims), op.name, {x.name},
             "dimensions=" + list(at));
}

void write_concatenate(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array_of_rank(1);
  const int64_t d = writer.draw.between(0, x.shape.rank() - 1);
  Names operands = {x.name};
  for (int64_t n = writer.draw.between(0, 2); n > 0; --n) {
    Sizes dims = x.shape.dims;
    dims[static_cast<size_t>(d)] = writer.draw.between(0, 4);
    operands.push_back(writer.operand(x.shape.element_type, dims));
  }
  writer.add("", op.name, operands, fmt::format("dimensions={{{}}}", d));
}

void write_iota(ProgramWriter& writer, const Op& op) {
  Sizes dims = writer.draw.dims();
  if (dims.empty()) dims = {writer.draw.between(0, 9)};
  const ElementType type = writer.draw.type();
  const auto last = static_cast<int64_t>(dims.size()) - 1;
  writer.add(spell(type, dims), op.name, {},
             fmt::format("iota_dimension={}", writer.draw.between(0, last)));
}

void write_pad(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array_of_rank(1);
  std::vector<std::string> padding;
  for (int64_t d = 0; d < x.shape.rank(); ++d) {
    const int64_t low = writer.draw.between(-2, 3);
    const int64_t high = writer.draw.between(-2, 3);
    const int64_t interior = writer.draw.between(0, 2);
    padding.push_back(fmt::format("{}_{}_{}", low, high, interior));
  }
  writer.add("", op.name,
             {x.name, writer.operand(Shape::scalar(x.shape.element_type))},
             fmt::format("padding={}", fmt::join(padding, "x")));
}

void write_reverse(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  writer.add("", op.name, {x.name},
             "dimensions=" + list(writer.draw.subset(x.shape.rank())));
}

void write_transpose(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  writer.add("", op.name, {x.name},
             "dimensions=" + list(writer.draw.permutation(x.shape.rank())));
}

void write_slice(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  std::vector<std::string> slices;
  for (const int64_t size : x.shape.dims) {
    const int64_t start = writer.draw.between(0, size);
    const int64_t end = writer.draw.between(start, size);
    slices.push_back(
        fmt::format("[{}:{}:{}]", start, end, writer.draw.between(1, 3)));
  }
  writer.add("", op.name, {x.name},
             fmt::format("slice={{{}}}", fmt::join(slices, ", ")));
}

void write_dynamic_slice(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  Sizes sizes;
  for (const int64_t size : x.shape.dims) {
    sizes.push_back(writer.draw.between(0, size));
  }
  Names operands = starts(writer, x.shape.rank());
  operands.insert(operands.begin(), x.name);
  writer.add("", op.name, operands, "dynamic_slice_sizes=" + list(sizes));
}

void write_dynamic_update_slice(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  Sizes sizes;
  for (const int64_t size : x.shape.dims) {
    sizes.push_back(writer.draw.between(0, size));
  }
  Names operands = {x.name, writer.operand(x.shape.element_type, sizes)};
  for (const std::string& start : starts(writer, x.shape.rank())) {
    operands.push_back(start);
  }
  writer.add("", op.name, operands);
}

void write_get_dimension_size(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array_of_rank(1);
  writer.add("", op.name, {x.name},
             fmt::format("dimensions={{{}}}",
                         writer.draw.between(0, x.shape.rank() - 1)));
}

void write_set_dimension_size(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array_of_rank(1);
  const int64_t d = writer.draw.between(0, x.shape.rank() - 1);
  const int64_t bound = x.shape.dims[static_cast<size_t>(d)];
  writer.add(
      "", op.name,
      {x.name, writer.number(ElementType::kS32, writer.draw.between(0, bound))},
      fmt::format("dimensions={{{}}}", d));
}

void write_topk(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array_of_rank(1);
  const int64_t k = writer.draw.between(0, x.shape.dims.back());
  writer.add("", op.name, {x.name},
             fmt::format("k={}, largest={}", k, writer.draw.one_in(2)));
}

}  // namespace

std::span<const NamedRecipe> movement_recipes() {
  static constexpr std::array kRecipes = std::to_array<NamedRecipe>({
      {"copy", write_copy},
      {"reshape", write_reshape},
      {"bitcast", write_reshape},
      {"dynamic-reshape", write_dynamic_reshape},
      {"bitcast-convert", write_bitcast_convert},
      {"broadcast", write_broadcast},
      {"concatenate", write_concatenate},
      {"iota", write_iota},
      {"pad", write_pad},
      {"reverse", write_reverse},
      {"transpose", write_transpose},
      {"slice", write_slice},
      {"dynamic-slice", write_dynamic_slice},
      {"dynamic-update-slice", write_dynamic_update_slice},
      {"get-dimension-size", write_get_dimension_size},
      {"set-dimension-size", write_set_dimension_size},
      {"topk", write_topk},
      {"opt-barrier", write_same},
  });
  return kRecipes;
}

}  // namespace hlo::conformance
