#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/shrink/candidates.h"
#include "conformance/shrink/resizing.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

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
  // Where half is too few, the least that fails is come near to by steps.
  for (const int64_t to :
       {int64_t{1}, int64_t{2}, size / 4, size / 2, size - size / 4,
        size - size / 16, size - size / 64, size - size / 256, size - 1}) {
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

/// Without dimension d of the arrays that have one element there.
Shape without_dimension(Shape shape, size_t d) {
  for (Shape& element : shape.tuple_shapes) {
    element = without_dimension(std::move(element), d);
  }
  if (!shape.is_array() || d >= shape.dims.size() || shape.dims[d] != 1 ||
      shape.has_dynamic_dimensions()) {
    return shape;
  }
  shape.dims.erase(shape.dims.begin() + static_cast<std::ptrdiff_t>(d));
  shape.layout.reset();
  return shape;
}

/// Takes a dimension of one element away from all arrays that have it.
void remove_dimension(Edit& edit, size_t d) {
  edit.module().entry_layout.reset();
  for (const auto& instruction : edit.entry().instructions) {
    instruction->shape = without_dimension(instruction->shape, d);
    if (instruction->literal != nullptr) {
      const Literal& old = *instruction->literal;
      instruction->literal = std::make_shared<Literal>(
          old.with_shape(without_dimension(old.shape(), d)));
    }
  }
  for (const Instruction* parameter : edit.entry().parameters) {
    for (Literal& leaf : edit.leaves(*parameter)) {
      leaf = leaf.with_shape(without_dimension(leaf.shape(), d));
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

void add_resized(const Resizing& resizing, Said said, const Shared& program,
                 Candidates& candidates) {
  candidates.emplace_back([program, resizing, said] {
    Edit edit(*program);
    resize_all(edit, resizing, said);
    return edit.finish();
  });
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
    // A transform that is shorter than its array is done sooner.
    for (const int64_t to : {int64_t{1}, size / 4, size / 2}) {
      if (to < 1 || to >= size) continue;
      add_resized({size, to, 0}, Said::kByAttributes, program, candidates);
    }
    for (const Resizing& one : resizings_of_all(size, rank, failing)) {
      for (const Said said : {Said::kByBoth, Said::kByArrays}) {
        add_resized(one, said, program, candidates);
      }
      Resizing all = one;
      all.multiples = true;
      add_resized(all, Said::kByArrays, program, candidates);
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
      add_resized(one, Said::kByArrays, program, candidates);
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
