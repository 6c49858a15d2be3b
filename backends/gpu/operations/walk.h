#pragma once

#include <cstdint>
#include <vector>

#include "backends/gpu/program/value.h"

namespace hlo::gpu {

/// One dimension of a window over an operand (kernels/fold.inc).
struct WindowWalk {
  int64_t o_dimension = 0;
  int64_t t_dimension = 0;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t low = 0;
  int64_t base_dilation = 1;
  int64_t size = 1;
  int64_t element_stride = 1;
};

/// Where an operand's element lies for an index of the result and a tap.
struct WalkView {
  int64_t base = 0;
  Ints o_strides;
  Ints t_strides;
};

/// The indices of the result, the taps of each, and the windows that say which
/// of the taps there are.
struct Walk {
  Ints sizes;
  Ints tap_sizes;
  std::vector<WindowWalk> windows;
  WalkView lhs;

  /// The kernel's parameters up to the view of the first operand.
  Ints words() const;
};

void append(Ints& words, const Ints& more);
void append(Ints& words, const WalkView& view);

/// The walk of a reduce over dimensions of an array.
Walk walk_of_reduce(const Shape& operand, const Ints& reduced);
/// The walk of a window over an array, whose results are of `result`'s sizes.
Walk walk_of_window(const Shape& operand, const Shape& result,
                    const Window& window);

/// Groups of terms: an array of s64 that gives each term its group, or -1 where
/// it is left out.
struct TermGroups {
  const Value* numbers = nullptr;
  WalkView view;
  int64_t rhs_stride = 0;  // how far the groups' elements of rhs are apart
  int64_t dimension = -1;  // of the result that has an index for each group
};

/// What a sum may have beside its operands.
struct SumParts {
  const Value* init = nullptr;
  /// Scales of the operands, with as many elements: then nothing is converted.
  const Value* lhs_scale = nullptr;
  const Value* rhs_scale = nullptr;
  const TermGroups* groups = nullptr;
};

/// The sums of products of two operands (rhs null: of the elements of lhs), in
/// the type of the result.
void launch_sums(Memory& memory, const Walk& walk, const Value& lhs,
                 const Value* rhs, const WalkView& rhs_view,
                 const SumParts& parts, const Value& result);
/// The exact products of the elements of an array of floats, and of the initial
/// value where there is one, rounded once.
void launch_products(Memory& memory, const Walk& walk, const Value& operand,
                     const Value* init, const Value& result);
/// Whether groups of items add the terms of each of so many exact sums.
bool is_shared_sum(int64_t count, int64_t terms);
/// Throws Unsupported where kernels cannot walk so far.
void check_ranks(const Walk& walk);
/// Throws Unsupported where that many steps for each element are too many.
void check_work(int64_t elements, int64_t each);

}  // namespace hlo::gpu
