#include "conformance/random/contraction_recipes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace hlo::conformance {

namespace {

using Sizes = std::vector<int64_t>;

struct Sides {
  Sizes lhs;
  Sizes rhs;
  Sizes lhs_batch;
  Sizes rhs_batch;
  Sizes lhs_contracting;
  Sizes rhs_contracting;

  std::string attributes() const {
    return fmt::format(
        "lhs_batch_dims={}, lhs_contracting_dims={}, rhs_batch_dims={}, "
        "rhs_contracting_dims={}",
        list(lhs_batch), list(lhs_contracting), list(rhs_batch),
        list(rhs_contracting));
  }
};

// Rhs dimensions that fit to lhs: each of these is batched, contracted or free.
Sides choose_sides(Draw& draw, const Sizes& lhs) {
  Sides sides;
  sides.lhs = lhs;
  std::vector<std::pair<int64_t, int64_t>> pairs;  // lhs dimension, kind
  for (size_t d = 0; d < lhs.size(); ++d) {
    const int64_t kind = draw.between(0, 2);
    if (kind < 2) pairs.emplace_back(static_cast<int64_t>(d), kind);
  }
  const int64_t free = draw.between(0, 2);
  const auto rank = static_cast<int64_t>(pairs.size()) + free;
  const Sizes order = draw.permutation(rank);
  sides.rhs.resize(static_cast<size_t>(rank));
  for (int64_t& size : sides.rhs) size = draw.between(0, 4);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto [d, kind] = pairs[i];
    sides.rhs[static_cast<size_t>(order[i])] = lhs[static_cast<size_t>(d)];
    (kind == 0 ? sides.lhs_batch : sides.lhs_contracting).push_back(d);
    (kind == 0 ? sides.rhs_batch : sides.rhs_contracting).push_back(order[i]);
  }
  return sides;
}

Sizes result_dims(const Sides& sides) {
  Sizes result;
  for (const int64_t d : sides.lhs_batch) {
    result.push_back(sides.lhs[static_cast<size_t>(d)]);
  }
  const auto add_free = [&](const Sizes& dims, const Sizes& a, const Sizes& b) {
    for (size_t d = 0; d < dims.size(); ++d) {
      const auto i = static_cast<int64_t>(d);
      if (std::ranges::find(a, i) != a.end()) continue;
      if (std::ranges::find(b, i) != b.end()) continue;
      result.push_back(dims[d]);
    }
  };
  add_free(sides.lhs, sides.lhs_batch, sides.lhs_contracting);
  add_free(sides.rhs, sides.rhs_batch, sides.rhs_contracting);
  return result;
}

void write_dot(ProgramWriter& writer, const Op& op) {
  Draw& draw = writer.draw;
  const Value x = writer.array();
  const Sides sides = choose_sides(draw, x.shape.dims);
  const bool is_mixed = draw.one_in(4);
  const ElementType other = is_mixed ? draw.type() : x.shape.element_type;
  const std::string y = writer.operand(other, sides.rhs);
  std::string shape;
  if (is_mixed || draw.one_in(4))
    shape = spell(draw.type(), result_dims(sides));
  writer.add(shape, op.name, {x.name, y}, sides.attributes());
}

void write_scaled_dot(ProgramWriter& writer, const Op& op) {
  constexpr std::array kTypes = {ElementType::kF8E4M3FN, ElementType::kF8E5M2,
                                 ElementType::kF4E2M1FN, ElementType::kBF16};
  constexpr std::array kScales = {ElementType::kF8E8M0FNU, ElementType::kBF16};
  Draw& draw = writer.draw;
  const ElementType type = draw.of(kTypes);
  const int64_t rows = draw.between(1, 3);
  const int64_t columns = draw.between(1, 3);
  const int64_t blocks = draw.between(1, 3);
  const int64_t depth = blocks * draw.between(1, 3);
  const ElementType scale = draw.of(kScales);
  const std::string a = writer.operand(type, {rows, depth});
  const std::string b = writer.operand(type, {depth, columns});
  const std::string s = writer.operand(scale, {rows, blocks});
  const std::string t = draw.one_in(2)
                            ? writer.operand(Shape::scalar(scale))
                            : writer.operand(scale, {blocks, columns});
  writer.add(spell(draw.one_in(2) ? ElementType::kF32 : ElementType::kBF16,
                   {rows, columns}),
             op.name, {a, b, s, t},
             "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
}

// Rows, a contracted dimension or a batch in groups.
void write_ragged_dot(ProgramWriter& writer, const Op& op) {
  Draw& draw = writer.draw;
  const ElementType type = draw.type();
  const int64_t rows = draw.between(0, 5);
  const int64_t depth = draw.between(0, 4);
  const int64_t columns = draw.between(1, 4);
  const int64_t groups = draw.between(1, 3);
  const std::string a = writer.operand(type, {rows, depth});
  Sizes sizes;
  for (int64_t g = 0; g < groups; ++g) sizes.push_back(draw.between(0, 3));
  const std::string n = writer.numbers(ElementType::kS32, sizes);
  if (draw.one_in(2)) {
    const std::string b = writer.operand(type, {groups, depth, columns});
    writer.add(spell(type, {rows, columns}), op.name, {a, b, n},
               "lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
               "lhs_ragged_dims={0}, rhs_group_dims={0}");
  } else {
    const std::string b = writer.operand(type, {depth, columns});
    writer.add(spell(type, {groups, rows, columns}), op.name, {a, b, n},
               "lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
               "lhs_ragged_dims={1}");
  }
}

std::string convolution_window(Draw& draw, const Sizes& kernel) {
  std::vector<std::string> pads;
  Sizes strides;
  Sizes lhs;
  Sizes rhs;
  Sizes reversal;
  for (size_t d = 0; d < kernel.size(); ++d) {
    const int64_t low = draw.between(-1, 2);
    const int64_t high = draw.between(-1, 2);
    pads.push_back(fmt::format("{}_{}", low, high));
    strides.push_back(draw.between(1, 3));
    lhs.push_back(draw.between(1, 2));
    rhs.push_back(draw.between(1, 2));
    reversal.push_back(draw.between(0, 1));
  }
  if (kernel.empty()) return "window={}";
  return fmt::format(
      "window={{size={} stride={} pad={} lhs_dilate={} rhs_dilate={} "
      "rhs_reversal={}}}",
      fmt::join(kernel, "x"), fmt::join(strides, "x"), fmt::join(pads, "x"),
      fmt::join(lhs, "x"), fmt::join(rhs, "x"), fmt::join(reversal, "x"));
}

void write_convolution(ProgramWriter& writer, const Op& op) {
  Draw& draw = writer.draw;
  const ElementType type = draw.type();
  const int64_t spatial = draw.between(0, 2);
  const int64_t features = draw.between(1, 3);
  const int64_t groups = draw.one_in(3) ? draw.between(1, 3) : 1;
  const int64_t batches =
      groups == 1 && draw.one_in(3) ? draw.between(1, 3) : 1;
  const int64_t outputs = groups * batches * draw.between(1, 2);
  Sizes input = {batches * draw.between(1, 2), features * groups};
  Sizes kernel = {outputs, features};
  Sizes sizes;
  const std::string_view digits = "01";
  std::string labels[3] = {"bf", "oi", "bf"};
  for (int64_t d = 0; d < spatial; ++d) {
    input.push_back(draw.between(0, 5));
    sizes.push_back(draw.between(1, 3));
    kernel.push_back(sizes.back());
    for (std::string& label : labels) label += digits[static_cast<size_t>(d)];
  }
  const std::string x = writer.operand(type, input);
  const std::string k = writer.operand(type, kernel);
  const std::string window = convolution_window(draw, sizes);
  writer.add(
      "", op.name, {x, k},
      fmt::format("{}, dim_labels={}_{}->{}, feature_group_count={}, "
                  "batch_group_count={}",
                  window, labels[0], labels[1], labels[2], groups, batches));
}

}  // namespace

std::span<const NamedRecipe> contraction_recipes() {
  static constexpr std::array kRecipes = std::to_array<NamedRecipe>({
      {"dot", write_dot},
      {"scaled-dot", write_scaled_dot},
      {"ragged-dot", write_ragged_dot},
      {"convolution", write_convolution},
  });
  return kRecipes;
}

}  // namespace hlo::conformance
