#include <algorithm>
#include <utility>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/products.h"
#include "interpreter/rules/dimensions/dot_side.h"
#include "interpreter/rules/dimensions/ragged_dimension.h"

namespace hlo::gpu {
namespace {

size_t at_dimension(int64_t d) { return static_cast<size_t>(d); }

/// Gives the indices of one ragged dimension their groups, whose sizes begin at
/// `first`: the first that covers them; the others keep -1.
void fill_groups(std::span<int64_t> numbers, const Literal& sizes,
                 int64_t first) {
  __extension__ using Wide = __int128;  // sums of any sizes
  const Wide count = std::ssize(numbers);
  Wide end = 0;
  for (int64_t g = 0; g < sizes.shape().dims.back(); ++g) {
    const Wide begin = end;
    end += sizes.integer(first + g);
    const Wide last = std::min(end, count);
    for (Wide i = std::max<Wide>(begin, 0); i < last; ++i) {
      int64_t& number = numbers[static_cast<size_t>(i)];
      if (number < 0) number = g;
    }
  }
}

/// The groups for each index of the dimensions that have sizes of their own and
/// of the ragged one, which is the last.
Literal group_numbers(const Literal& sizes, Ints dims) {
  Literal numbers =
      Literal::uninitialized(Shape::array(ElementType::kS64, std::move(dims)));
  const int64_t length = numbers.shape().dims.back();
  std::vector<int64_t> all(at_dimension(numbers.element_count()), -1);
  const std::span<int64_t> rest(all);
  for (int64_t k = 0; k * length < std::ssize(all); ++k) {
    fill_groups(rest.subspan(at_dimension(k * length), at_dimension(length)),
                sizes, k * sizes.shape().dims.back());
  }
  std::ranges::copy(std::as_bytes(rest), numbers.mutable_bytes().begin());
  return numbers;
}

/// Where the groups' dimensions are among those of a walk: `lead` indices of
/// the result come before those of lhs.
WalkView view_of_groups(const Instruction& dot, const Walk& walk,
                        const Ints& dims, const Ints& strides, int64_t lead) {
  const DotSide lhs(dot, 0);
  Ints indices = lhs.batch;
  indices.insert(indices.end(), lhs.free.begin(), lhs.free.end());
  WalkView view;
  view.o_strides.assign(walk.sizes.size(), 0);
  view.t_strides.assign(walk.tap_sizes.size(), 0);
  for (size_t k = 0; k < dims.size(); ++k) {
    const auto index = std::ranges::find(indices, dims[k]);
    if (index != indices.end()) {
      view.o_strides[at_dimension(index - indices.begin() + lead)] = strides[k];
    } else {
      const auto tap = std::ranges::find(lhs.contracting, dims[k]);
      view.t_strides[at_dimension(tap - lhs.contracting.begin())] = strides[k];
    }
  }
  return view;
}

/// The dimensions of lhs that say where a term's group stands.
Ints group_dimensions(const RaggedDimension& ragged, const Shape& sizes) {
  Ints dims = sizes.rank() == 1 ? Ints{} : ragged.outer;
  dims.push_back(ragged.dimension);
  return dims;
}

Ints sizes_along(const Shape& shape, const Ints& dims) {
  Ints sizes;
  for (const int64_t d : dims) sizes.push_back(shape.dims[at_dimension(d)]);
  return sizes;
}

Value ragged_dot(Memory& memory, const Instruction& dot,
                 const Values& operands) {
  const RaggedDimension ragged = ragged_dimension(dot);
  const Literal sizes = download(memory, *operands[2]);
  const Ints own = dot.get_or<Ints>("rhs_group_dims", {});
  const bool has_groups = ragged.mode == RaggedMode::kContracting;
  Products products = products_of_dot(dot, own);
  if (has_groups) products.add_leading_index(sizes.shape().dims.back());
  check_ranks(products.walk);
  const Ints dims = group_dimensions(ragged, sizes.shape());
  const Literal numbers =
      group_numbers(sizes, sizes_along(operands[0]->shape, dims));
  const Value uploaded = upload(memory, numbers);
  const TermGroups groups{
      .numbers = &uploaded,
      .view = view_of_groups(dot, products.walk, dims,
                             row_major_strides(numbers.shape().dims),
                             has_groups ? 1 : 0),
      .rhs_stride = own.empty()
                        ? 0
                        : row_major_strides(
                              operands[1]->shape.dims)[at_dimension(own[0])],
      .dimension = has_groups ? 0 : -1};
  Value result = new_array(memory, dot.shape);
  launch_sums(memory, products.walk, *operands[0], operands[1], products.rhs,
              {.groups = &groups}, result);
  return result;
}

}  // namespace

Functions ragged_functions() { return {{"ragged-dot", ragged_dot}}; }

}  // namespace hlo::gpu
