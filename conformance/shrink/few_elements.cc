#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "conformance/shrink/candidates.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

using Dims = std::vector<int64_t>;

/// The arrays of those dimensions get the others.
using NewDims = std::map<Dims, Dims>;

constexpr int64_t kFew = 8;

/// What inputs and constants have in arrays of other dimensions.
enum class Values {
  kTheirs,  // from the element on at which it failed, and again from the first
  kCounted  // 1, 2, 3, ..., as far as their type has these
};

/// Which arrays have tiles of 8 x 128: in them a few elements lie as far apart
/// as many do in an array that a backend packs as it likes.
enum class Tiled { kNone, kInputs, kResults, kAll };

/// One way to have few elements.
struct Few {
  NewDims dims;
  Values values;
  Tiled tiled;
};

/// The dimensions of the arrays of the entry computation.
std::vector<Dims> dims_of(const Module& module) {
  std::vector<Dims> found;
  for (const auto& instruction : module.entry->instructions) {
    for (const Shape* leaf : leaves(instruction->shape)) {
      if (!leaf->is_array() || leaf->rank() == 0) continue;
      if (std::ranges::find(found, leaf->dims) == found.end()) {
        found.push_back(leaf->dims);
      }
    }
  }
  return found;
}

/// Two elements in one dimension, or in two of them.
void add_twos(size_t rank, std::vector<Dims>& found) {
  for (size_t d = 0; d < rank; ++d) {
    Dims one(rank, 1);
    one[d] = 2;
    found.push_back(one);
    for (size_t e = d + 1; e < rank; ++e) {
      Dims two = one;
      two[e] = 2;
      found.push_back(std::move(two));
    }
  }
}

/// What an array of that rank may become: one element of it, another array of
/// it, or one of at most three dimensions; with as many rows as a tile has, and
/// with one more.
std::vector<Dims> choices(size_t rank, bool are_few) {
  std::vector<Dims> found = {{1}, {2}, {2, 1}, {1, 2}, {2, 1, 1}};
  if (rank > 1) found.emplace_back(rank, 1);
  if (are_few) return found;
  found.insert(found.end(),
               {{2, 2}, {8}, {8, 1}, {1, 8}, {2, 2, 2}, {9}, {9, 1}});
  if (rank > 2) add_twos(rank, found);
  return found;
}

/// All choices for all dimensions.
std::vector<NewDims> all_choices(const std::vector<Dims>& dims) {
  constexpr size_t kMost = 3;  // kinds of arrays
  if (dims.empty() || dims.size() > kMost) return {};
  std::vector<NewDims> all = {{}};
  for (const Dims& one : dims) {
    std::vector<NewDims> longer;
    for (const NewDims& some : all) {
      for (const Dims& choice : choices(one.size(), dims.size() == kMost)) {
        NewDims more = some;
        more[one] = choice;
        longer.push_back(std::move(more));
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::optional<Scalar> number(ElementType type, int64_t n) {
  try {
    std::string text = std::to_string(n);
    if (is_complex(type)) text = "(" + text + ", 0)";
    return text::parse_literal(text, Shape::scalar(type)).scalar();
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// 1, 2, 3, ... as far as the type has them.
std::vector<Scalar> numbers(ElementType type) {
  std::vector<Scalar> found;
  for (int64_t n = 1; n <= kFew; ++n) {
    if (const auto one = number(type, n)) found.push_back(*one);
  }
  if (found.size() < 2) {
    if (const auto zero = number(type, 0)) found.push_back(*zero);
  }
  return found;
}

/// An array of those dimensions in place of another one, the `nth` of the
/// program: every other one is counted down, so that no result is the same for
/// all elements.
Literal filled(const Literal& old, const Shape& shape, Values values,
               int64_t from, int64_t nth) {
  Literal array(shape);
  const std::vector<Scalar> counted =
      values == Values::kCounted ? numbers(old.type()) : std::vector<Scalar>{};
  if (counted.empty() && old.element_count() == 0) return array;
  for (int64_t i = 0; i < array.element_count(); ++i) {
    if (counted.empty()) {
      array.set(i, old.at((from + i) % old.element_count()));
      continue;
    }
    const size_t k = static_cast<size_t>(i + nth / 2) % counted.size();
    array.set(i, counted[nth % 2 == 0 ? k : counted.size() - 1 - k]);
  }
  return array;
}

Shape with_dims(Shape shape, const NewDims& dims) {
  for (Shape& element : shape.tuple_shapes) element = with_dims(element, dims);
  if (!shape.is_array()) return shape;
  const auto found = dims.find(shape.dims);
  if (found == dims.end()) return shape;
  if (found->second.size() != shape.dims.size()) shape.layout.reset();
  shape.dims = found->second;
  shape.dynamic.clear();
  return shape;
}

/// The position in row-major order at which an array of those dimensions
/// failed.
int64_t position_of(const Judgement& judgement, const Dims& dims) {
  if (!judgement.difference) return 0;
  const Index& index = judgement.difference->index;
  if (index.size() != dims.size()) return 0;
  int64_t position = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    position = position * dims[d] + std::min(index[d], dims[d] - 1);
  }
  return position;
}

/// Row-major, in tiles of 8 x 128.
Shape tiled(Shape shape) {
  for (Shape& element : shape.tuple_shapes) element = tiled(element);
  if (!shape.is_array() || shape.rank() < 2) return shape;
  shape.layout = default_layout(shape.rank());
  shape.layout->tiles = {{{8, 128}}};
  return shape;
}

void add_tiles(Edit& edit, Tiled which) {
  for (const auto& one : edit.entry().instructions) {
    const bool is_input = one->parameter_number >= 0;
    if (which == Tiled::kAll ||
        which == (is_input ? Tiled::kInputs : Tiled::kResults)) {
      one->shape = tiled(one->shape);
    }
  }
}

Program with_new_dims(const Failing& failing, const Few& few) {
  const NewDims& dims = few.dims;
  Edit edit(failing.program);
  edit.module().entry_layout.reset();
  int64_t nth = 0;
  const auto change = [&](const Literal& old) {
    const Shape shape = with_dims(old.shape(), dims);
    if (shape.dims == old.shape().dims && shape.rank() == 0) return old;
    const int64_t from = position_of(failing.judgement, old.shape().dims);
    return filled(old, shape, few.values, from, nth++);
  };
  for (const auto& computation : edit.module().computations) {
    for (const auto& one : computation->instructions) {
      one->shape = with_dims(one->shape, dims);
    }
  }
  for (const auto& one : edit.entry().instructions) {
    if (one->literal != nullptr && one->literal->shape().is_array()) {
      one->literal = std::make_shared<Literal>(change(*one->literal));
    }
    if (one->parameter_number < 0) continue;
    for (Literal& leaf : edit.leaves(*one)) leaf = change(leaf);
  }
  add_tiles(edit, few.tiled);
  return edit.finish();
}

/// Elements of the largest array.
int64_t most_elements(const NewDims& dims) {
  int64_t most = 0;
  for (const auto& [from, to] : dims) {
    most = std::max(most, std::accumulate(to.begin(), to.end(), int64_t{1},
                                          std::multiplies<>()));
  }
  return most;
}

}  // namespace

Candidates few_elements(const Failing& failing) {
  Candidates candidates;
  const int64_t before = extent_of(failing.program).elements;
  if (before <= kFew) return candidates;
  const auto shared = std::make_shared<const Failing>(failing);
  std::vector<NewDims> all =
      all_choices(dims_of(text::parse(failing.program.hlo)));
  std::erase_if(
      all, [&](const NewDims& dims) { return most_elements(dims) >= before; });
  std::ranges::stable_sort(all, {}, most_elements);
  const auto add = [&](Values values, Tiled tiled) {
    for (const NewDims& dims : all) {
      candidates.emplace_back([shared, few = Few{dims, values, tiled}] {
        return with_new_dims(*shared, few);
      });
    }
  };
  add(Values::kTheirs, Tiled::kNone);
  for (const Tiled tiled :
       {Tiled::kNone, Tiled::kInputs, Tiled::kResults, Tiled::kAll}) {
    add(Values::kCounted, tiled);
  }
  return candidates;
}

}  // namespace hlo::conformance
