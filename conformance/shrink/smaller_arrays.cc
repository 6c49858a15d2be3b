#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

#include "conformance/shrink/candidates.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

/// A dimension of the arrays of that rank, or of any.
struct Place {
  int64_t d = -1;  // any
  int64_t rank = -1;
};

/// What becomes of dimensions of `from` elements.
struct Resizing {
  int64_t from;
  int64_t to;
  int64_t start;  // of what is kept
  Place place = {};
  /// Dimensions of several times as many become as many times smaller, as where
  /// the arrays of a group are joined.
  bool multiples = false;
};

/// How many times the size is what becomes smaller; 0 where it stays.
int64_t times(const Resizing& resizing, int64_t size) {
  if (!resizing.multiples) return size == resizing.from ? 1 : 0;
  return size % resizing.from == 0 ? size / resizing.from : 0;
}

bool concerns(const Resizing& resizing, const Shape& shape, int64_t d) {
  const Place& place = resizing.place;
  return times(resizing, shape.dims[static_cast<size_t>(d)]) > 0 &&
         (place.d < 0 || (place.d == d && place.rank == shape.rank()));
}

void resize(Shape& shape, const Resizing& resizing) {
  if (shape.is_array()) {
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (!concerns(resizing, shape, d)) continue;
      int64_t& size = shape.dims[static_cast<size_t>(d)];
      size = times(resizing, size) * resizing.to;
    }
  }
  for (Shape& element : shape.tuple_shapes) resize(element, resizing);
}

Literal resized(Literal array, const Resizing& resizing) {
  for (int64_t d = 0; d < array.shape().rank(); ++d) {
    if (!concerns(resizing, array.shape(), d)) continue;
    const int64_t many =
        times(resizing, array.shape().dims[static_cast<size_t>(d)]);
    array = part_of(array, d, many * resizing.start, many * resizing.to);
  }
  return array;
}

void resize_constant(Instruction& constant, const Resizing& resizing) {
  if (constant.literal == nullptr || !constant.literal->shape().is_array()) {
    return;
  }
  constant.literal =
      std::make_shared<Literal>(resized(*constant.literal, resizing));
}

/// Sizes that attributes repeat.
template <typename T>
void resize_attribute(T& value, const Resizing& resizing) {
  const auto change = [&](int64_t& number) {
    if (number == resizing.from) number = resizing.to;
  };
  if constexpr (std::is_same_v<T, int64_t>) {
    change(value);
  } else if constexpr (std::is_same_v<T, Ints>) {
    for (int64_t& number : value) change(number);
  } else if constexpr (std::is_same_v<T, Window>) {
    for (WindowDimension& dimension : value.dims) change(dimension.size);
  } else if constexpr (std::is_same_v<T, Shape>) {
    resize(value, resizing);
  }
}

/// What is sliced ends with the array.
void clip_slice(Instruction& instruction, const Resizing& resizing) {
  for (auto& [name, value] : instruction.attributes) {
    auto* const slice = std::get_if<SliceConfig>(&value);
    if (slice == nullptr || instruction.operands.empty()) continue;
    const Shape& operand = instruction.operands[0]->shape;
    const int64_t rank = std::min(operand.rank(), std::ssize(slice->dims));
    for (int64_t d = 0; d < rank; ++d) {
      if (!concerns(resizing, operand, d)) continue;
      int64_t& limit = slice->dims[static_cast<size_t>(d)].limit;
      limit = std::min(
          limit, times(resizing, operand.dims.at(static_cast<size_t>(d))) *
                     resizing.to);
    }
  }
}

void resize_attributes(Instruction& instruction, const Resizing& resizing) {
  for (auto& [name, value] : instruction.attributes) {
    std::visit([&](auto& one) { resize_attribute(one, resizing); },
               static_cast<AnyAttribute&>(value));
  }
}

/// All dimensions of that size, in every computation.
void resize_all(Edit& edit, const Resizing& resizing, bool attributes) {
  for (const auto& computation : edit.module().computations) {
    for (const auto& instruction : computation->instructions) {
      clip_slice(*instruction, resizing);
    }
    for (const auto& instruction : computation->instructions) {
      resize(instruction->shape, resizing);
      resize_constant(*instruction, resizing);
      if (attributes) resize_attributes(*instruction, resizing);
    }
  }
  for (const Instruction* parameter : edit.entry().parameters) {
    for (Literal& leaf : edit.leaves(*parameter))
      leaf = resized(leaf, resizing);
  }
}

/// One dimension of an array.
void resize_one(Edit& edit, Instruction& instruction, int64_t d,
                const Resizing& resizing) {
  instruction.shape.dims.at(static_cast<size_t>(d)) = resizing.to;
  const auto part = [&](const Literal& array) {
    return part_of(array, d, resizing.start, resizing.to);
  };
  if (instruction.literal != nullptr) {
    instruction.literal = std::make_shared<Literal>(part(*instruction.literal));
  }
  if (instruction.parameter_number < 0) return;
  for (Literal& leaf : edit.leaves(instruction)) leaf = part(leaf);
}

/// What may be kept of a dimension, the least first. `hint`: where it failed.
std::vector<Resizing> resizings(int64_t size, int64_t hint) {
  std::vector<Resizing> found;
  const auto add = [&](int64_t to, int64_t start) {
    start = std::clamp<int64_t>(start, 0, size - to);
    const bool is_known = std::ranges::any_of(found, [&](const Resizing& one) {
      return one.to == to && one.start == start;
    });
    if (to < size && !is_known) found.push_back({size, to, start});
  };
  for (const int64_t to : {int64_t{1}, int64_t{2}, size / 4, size / 2,
                           size - size / 4, size - 1}) {
    if (to < 1) continue;
    for (const int64_t start : {hint, hint - to + 1, int64_t{0}, size - to}) {
      add(to, start);
    }
  }
  return found;
}

/// The index that the failure has in a dimension, of whichever array.
int64_t hint_of(const Judgement& judgement, int64_t d) {
  if (!judgement.difference) return 0;
  const Index& index = judgement.difference->index;
  return d < std::ssize(index) ? index[static_cast<size_t>(d)] : 0;
}

/// Takes a dimension of one element away from all arrays that have it.
void remove_dimension(Edit& edit, size_t d) {
  const auto shorter = [&](Shape shape) {
    if (!shape.is_array() || d >= shape.dims.size() || shape.dims[d] != 1 ||
        shape.has_dynamic_dimensions()) {
      return shape;
    }
    shape.dims.erase(shape.dims.begin() + static_cast<std::ptrdiff_t>(d));
    shape.layout.reset();
    return shape;
  };
  edit.module().entry_layout.reset();
  for (const auto& instruction : edit.entry().instructions) {
    instruction->shape = shorter(instruction->shape);
    if (instruction->literal != nullptr) {
      const Literal& old = *instruction->literal;
      instruction->literal =
          std::make_shared<Literal>(old.with_shape(shorter(old.shape())));
    }
  }
  for (const Instruction* parameter : edit.entry().parameters) {
    for (Literal& leaf : edit.leaves(*parameter)) {
      leaf = leaf.with_shape(shorter(leaf.shape()));
    }
  }
}

using Shared = std::shared_ptr<const Program>;

/// What may be kept of dimensions of that size, the least first.
std::vector<Resizing> resizings_of_all(int64_t size, int64_t rank,
                                       const Failing& failing) {
  std::vector<Resizing> all;
  for (int64_t d = 0; d < rank; ++d) {
    const auto some = resizings(size, hint_of(failing.judgement, d));
    all.insert(all.end(), some.begin(), some.end());
  }
  std::ranges::stable_sort(all, {}, &Resizing::to);
  return all;
}

/// All dimensions of a size at once, the largest first, and what attributes say
/// of it likewise.
void add_common_sizes(const Module& module, const Failing& failing,
                      const Shared& program, Candidates& candidates) {
  std::set<int64_t, std::greater<>> sizes;
  int64_t rank = 0;
  for (const auto& instruction : module.entry->instructions) {
    for (const Shape* leaf : leaves(instruction->shape)) {
      sizes.insert(leaf->dims.begin(), leaf->dims.end());
      rank = std::max(rank, leaf->rank());
    }
  }
  for (const int64_t size : sizes) {
    for (const Resizing& one : resizings_of_all(size, rank, failing)) {
      for (const bool attributes : {true, false}) {
        candidates.emplace_back([program, one, attributes] {
          Edit edit(*program);
          resize_all(edit, one, attributes);
          return edit.finish();
        });
      }
      candidates.emplace_back([program, one] {
        Edit edit(*program);
        Resizing all = one;
        all.multiples = true;
        resize_all(edit, all, /*attributes=*/false);
        return edit.finish();
      });
    }
  }
}

/// One dimension of all arrays of a rank, where it has that size.
void add_shared_dimensions(const Module& module, const Failing& failing,
                           const Shared& program, Candidates& candidates) {
  std::set<std::tuple<int64_t, int64_t, int64_t>, std::greater<>> found;
  for (const auto& instruction : module.entry->instructions) {
    for (const Shape* leaf : leaves(instruction->shape)) {
      for (int64_t d = 0; leaf->is_array() && d < leaf->rank(); ++d) {
        found.emplace(leaf->dims[static_cast<size_t>(d)], leaf->rank(), d);
      }
    }
  }
  for (const auto& [size, rank, d] : found) {
    for (Resizing one : resizings(size, hint_of(failing.judgement, d))) {
      one.place = {d, rank};
      candidates.emplace_back([program, one] {
        Edit edit(*program);
        resize_all(edit, one, /*attributes=*/false);
        return edit.finish();
      });
    }
  }
}

void add_dimension(size_t i, int64_t d, const std::vector<Resizing>& all,
                   const Shared& program, Candidates& candidates) {
  for (const Resizing& one : all) {
    candidates.emplace_back([program, i, d, one] {
      Edit edit(*program);
      resize_one(edit, *edit.entry().instructions.at(i), d, one);
      return edit.finish();
    });
  }
}

void add_single_sizes(const Module& module, const Failing& failing,
                      const Shared& program, Candidates& candidates) {
  const auto& instructions = module.entry->instructions;
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Shape& shape = instructions[i]->shape;
    for (int64_t d = 0; shape.is_array() && d < shape.rank(); ++d) {
      const int64_t size = shape.dims[static_cast<size_t>(d)];
      add_dimension(i, d, resizings(size, hint_of(failing.judgement, d)),
                    program, candidates);
    }
  }
}

}  // namespace

Candidates smaller_arrays(const Failing& failing) {
  Candidates candidates;
  const auto program = std::make_shared<const Program>(failing.program);
  const Module module = text::parse(failing.program.hlo);
  add_common_sizes(module, failing, program, candidates);
  add_shared_dimensions(module, failing, program, candidates);
  add_single_sizes(module, failing, program, candidates);
  size_t rank = 0;
  for (const auto& instruction : module.entry->instructions) {
    rank = std::max(rank, instruction->shape.dims.size());
  }
  for (size_t d = 0; d < rank; ++d) {
    candidates.emplace_back([program, d] {
      Edit edit(*program);
      remove_dimension(edit, d);
      return edit.finish();
    });
  }
  return candidates;
}

}  // namespace hlo::conformance
