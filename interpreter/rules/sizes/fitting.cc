#include "interpreter/rules/sizes/fitting.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {

void Fitting::pair(size_t a, int64_t d, size_t b, int64_t e) const {
  size(a, d) = size(b, e) = std::min(size(a, d), size(b, e));
}

void Fitting::join(size_t first, size_t count) const {
  for (size_t i = first + 1; i < first + count; ++i) {
    for (int64_t d = 0; d < std::ssize(sizes[i]); ++d) pair(first, d, i, d);
  }
  for (size_t i = first; i < first + count; ++i) sizes[i] = sizes[first];
}

void Fitting::require_whole(size_t operand, int64_t d,
                            std::string_view why) const {
  const Ints& bounds = instruction.operand_shape(operand).dims;
  require_evaluable(
      size(operand, d) == bounds[static_cast<size_t>(d)], "evaluate.sizes",
      {instruction.op->name, ": dimension ", d, " of operand ", operand,
       " has the size ", size(operand, d), " at run time"},
      why);
}

void fit_shapes(const Fitting& /*on*/) {}

void fit_alike(const Fitting& on) { on.join(0, on.sizes.size()); }

void fit_inputs(const Fitting& on) { on.join(0, on.sizes.size() / 2); }

void fit_contraction(const Fitting& on) {
  const DotDimensions dims = dot_dimensions(on.instruction);
  for (size_t i = 0; i < dims.lhs_batch.size(); ++i) {
    on.pair(0, dims.lhs_batch[i], 1, dims.rhs_batch[i]);
  }
  for (size_t i = 0; i < dims.lhs_contracting.size(); ++i) {
    on.pair(0, dims.lhs_contracting[i], 1, dims.rhs_contracting[i]);
  }
}

void fit_features(const Fitting& on, size_t count) {
  const auto feature = on.instruction.get<int64_t>("feature_index");
  for (size_t k = 1; k < count; ++k) on.pair(0, feature, k, 0);
  // What the last one lacks the first ones lack now.
  for (size_t k = 1; k < count; ++k) on.pair(0, feature, k, 0);
}

void fit_slice_sizes(const Fitting& on, std::string_view attribute) {
  auto slice = on.instruction.get<Ints>(attribute);
  std::ranges::transform(slice, on.sizes[0], slice.begin(),
                         [](int64_t a, int64_t b) { return std::min(a, b); });
  on.change(attribute, slice);
}

void require_index_vectors(const Fitting& on, size_t indices) {
  const auto d = on.instruction.get<int64_t>("index_vector_dim");
  if (d == on.instruction.operand_shape(indices).rank()) return;
  on.require_whole(indices, d, "index vectors must be whole");
}

Shape with_types(const Shape& sizes, const Shape& types) {
  if (!sizes.is_tuple()) return Shape::array(types.element_type, sizes.dims);
  std::vector<Shape> elements;
  for (size_t i = 0; i < sizes.tuple_shapes.size(); ++i) {
    elements.push_back(
        with_types(sizes.tuple_shapes[i], types.tuple_shapes[i]));
  }
  return Shape::tuple(std::move(elements));
}

}  // namespace hlo
