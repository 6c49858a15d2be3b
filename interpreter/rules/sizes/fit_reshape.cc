#include "interpreter/rules/sizes/fit_reshape.h"

#include <algorithm>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo {
namespace {

/// Dimensions [first, last) of an array.
struct Range {
  size_t first = 0;
  size_t last = 0;
};

int64_t product(const Ints& dims, const Range& range) {
  int64_t result = 1;
  for (size_t d = range.first; d < range.last; ++d) result *= dims[d];
  return result;
}

/// Dimensions of the operand that hold the same elements as those of the
/// result, and no fewer do.
struct Part {
  Range from;
  Range to;
};

/// The parts of a reshape whose arrays have elements.
std::vector<Part> parts_of(const Ints& from, const Ints& to) {
  std::vector<Part> parts;
  size_t i = 0;
  size_t j = 0;
  while (i < from.size() || j < to.size()) {
    Part part{{i, i}, {j, j}};
    int64_t left = 1;
    int64_t right = 1;
    do {
      const bool takes_left =
          i < from.size() && (left <= right || j == to.size());
      takes_left ? left *= from[i++] : right *= to[j++];
    } while (left != right);
    part.from.last = i;
    part.to.last = j;
    parts.push_back(part);
  }
  return parts;
}

/// The dimension of the result's part that is shorter: the only one, the one
/// that inferred_dimension names, the only one that is dynamic, or the only one
/// of more than one element; -1 where none of these is.
int64_t open_dimension(const Instruction& reshape, const Range& range) {
  const Shape& result = reshape.shape;
  const auto inferred =
      static_cast<size_t>(reshape.get_or<int64_t>("inferred_dimension", -1));
  if (inferred >= range.first && inferred < range.last) {
    return static_cast<int64_t>(inferred);
  }
  const auto only = [&](const auto& accept) {
    int64_t found = -1;
    for (size_t k = range.first; k < range.last; ++k) {
      const auto d = static_cast<int64_t>(k);
      if (!accept(d)) continue;
      if (found >= 0) return int64_t{-1};
      found = d;
    }
    return found;
  };
  if (range.last - range.first == 1) return static_cast<int64_t>(range.first);
  const int64_t marked = only([&](int64_t d) { return result.is_dynamic(d); });
  if (marked >= 0) return marked;
  return only(
      [&](int64_t d) { return result.dims[static_cast<size_t>(d)] != 1; });
}

/// Gives the open dimension of a part the size that `count` elements take.
void shorten(const Instruction& reshape, const Range& range, int64_t count,
             Ints& sizes) {
  const int64_t open = open_dimension(reshape, range);
  require_evaluable(open >= 0, "evaluate.sizes",
                    {reshape.op->name, ": dimensions ", range.first, " to ",
                     range.last, " (exclusive) of the result hold ",
                     Count{count, "element"}, " at run time"},
                    "the text must say which of them changes its size");
  const auto d = static_cast<size_t>(open);
  const int64_t others = product(sizes, range) / sizes[d];
  require_evaluable(count % others == 0, "evaluate.sizes",
                    {reshape.op->name, ": there are ", Count{count, "element"},
                     " at run time, and ", others,
                     " for each place of dimension ", open, " of the result"},
                    "their number must be a multiple of that");
  sizes[d] = count / others;
}

}  // namespace

void fit_reshape(const Fitting& on) {
  const Ints& from = on.instruction.operand_shape(0).dims;
  Shape& result = on.instruction.shape;
  Ints sizes = result.dims;
  const auto parts = std::ranges::count(from, 0) > 0
                         ? std::vector<Part>()
                         : parts_of(from, result.dims);
  for (const Part& part : parts) {
    const int64_t count = product(on.sizes[0], part.from);
    if (count == product(from, part.from)) continue;
    shorten(on.instruction, part.to, count, sizes);
  }
  result = Shape::array(result.element_type, sizes);
}

}  // namespace hlo
