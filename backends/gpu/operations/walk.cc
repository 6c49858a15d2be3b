#include "backends/gpu/operations/walk.h"

#include <algorithm>

#include "backends/gpu/program/kernel_codes.h"

namespace hlo::gpu {
namespace {

/// Sums of that many terms are shared by a group of items, where there are too
/// few for the device else: 512 terms of 512^2 sums took four times as long.
constexpr int64_t kLongSum = 1024;
constexpr int64_t kFewSums = 8192;
constexpr int64_t kSumsOfThreads = 32;

/// Offset and type of an array; -1 and 0 where there is none.
void append_array(Ints& words, const Value* array) {
  words.push_back(array == nullptr ? -1 : array->offset());
  words.push_back(array == nullptr ? 0 : type_code(array->shape.element_type));
}

void append_groups(Ints& words, const TermGroups* groups) {
  if (groups == nullptr) return words.push_back(-1);
  append(words,
         {groups->numbers->offset(), groups->rhs_stride, groups->dimension});
  append(words, groups->view);
}

}  // namespace

void append(Ints& words, const Ints& more) {
  words.insert(words.end(), more.begin(), more.end());
}

void append(Ints& words, const WalkView& view) {
  words.push_back(view.base);
  append(words, view.o_strides);
  append(words, view.t_strides);
}

Ints Walk::words() const {
  Ints words = {elements_in(sizes), std::ssize(sizes), std::ssize(tap_sizes),
                std::ssize(windows), elements_in(tap_sizes)};
  append(words, sizes);
  append(words, tap_sizes);
  for (const WindowWalk& w : windows) {
    append(words, {w.o_dimension, w.t_dimension, w.stride, w.dilation, w.low,
                   w.base_dilation, w.size, w.element_stride});
  }
  append(words, lhs);
  return words;
}

void check_ranks(const Walk& walk) {
  if (std::ssize(walk.sizes) > kMaxRank ||
      std::ssize(walk.tap_sizes) > kMaxRank) {
    throw Unsupported("does not run arrays of more than 16 dimensions");
  }
  check_work(elements_in(walk.sizes), elements_in(walk.tap_sizes));
}

void check_work(int64_t elements, int64_t each) {
  constexpr int64_t kMost = int64_t{1} << 38;
  if (elements > 0 && each > kMost / elements) {
    throw Unsupported("does not run what takes more than 2^38 steps");
  }
}

Walk walk_of_reduce(const Shape& operand, const Ints& reduced) {
  const Ints strides = row_major_strides(operand.dims);
  Walk walk;
  for (size_t d = 0; d < strides.size(); ++d) {
    const bool is_kept =
        std::ranges::find(reduced, static_cast<int64_t>(d)) == reduced.end();
    (is_kept ? walk.sizes : walk.tap_sizes).push_back(operand.dims[d]);
    (is_kept ? walk.lhs.o_strides : walk.lhs.t_strides).push_back(strides[d]);
  }
  check_ranks(walk);
  return walk;
}

Walk walk_of_window(const Shape& operand, const Shape& result,
                    const Window& window) {
  const Ints strides = row_major_strides(operand.dims);
  Walk walk;
  walk.sizes = result.dims;
  walk.lhs.o_strides.assign(strides.size(), 0);
  walk.lhs.t_strides.assign(strides.size(), 0);
  for (size_t d = 0; d < strides.size(); ++d) {
    const WindowDimension& own = window.dims[d];
    walk.tap_sizes.push_back(own.size);
    walk.windows.push_back({static_cast<int64_t>(d), static_cast<int64_t>(d),
                            own.stride, own.window_dilation, own.low,
                            own.base_dilation, operand.dims[d], strides[d]});
  }
  check_ranks(walk);
  return walk;
}

bool is_shared_sum(int64_t count, int64_t terms) {
  return terms >= kLongSum && count <= kFewSums;
}

void launch_sums(Memory& memory, const Walk& walk, const Value& lhs,
                 const Value* rhs, const WalkView& rhs_view,
                 const SumParts& parts, const Value& result) {
  const int64_t count = elements_in(walk.sizes);
  if (count == 0) return;
  Ints words = walk.words();
  append(words, rhs_view);
  words.push_back(type_code(result.shape.element_type));
  append_array(words, &lhs);
  append_array(words, rhs);
  append(words,
         {parts.init == nullptr ? -1 : parts.init->offset(), result.offset()});
  append_array(words, parts.lhs_scale);
  append_array(words, parts.rhs_scale);
  append_groups(words, parts.groups);
  // Groups on this machine are threads that wait for each other.
  const bool has_groups = memory.device().compiles() || count <= kSumsOfThreads;
  const bool is_long = is_shared_sum(count, elements_in(walk.tap_sizes)) &&
                       is_float(result.shape.element_type) && has_groups;
  const bool is_plain = parts.lhs_scale == nullptr &&
                        parts.rhs_scale == nullptr && parts.groups == nullptr;
  if (memory.is_fast() && is_plain && is_float(result.shape.element_type)) {
    memory.device().run(Kernel::kFastSum, words, count);
    return;
  }
  memory.device().run(is_long ? Kernel::kSumTogether : Kernel::kSum, words,
                      count);
}

void launch_products(Memory& memory, const Walk& walk, const Value& operand,
                     const Value* init, const Value& result) {
  Ints words = walk.words();
  append(words, {type_code(result.shape.element_type), operand.offset(),
                 init == nullptr ? -1 : init->offset(), result.offset()});
  const int64_t count = elements_in(walk.sizes);
  if (count > 0) memory.device().run(Kernel::kProduct, words, count);
}

}  // namespace hlo::gpu
