#include "backends/cpu/routines/products/number_convolution_routine.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "backends/cpu/arrays/contraction_form.h"
#include "backends/cpu/kernels/other_products/multiply_numbers.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/tiles/tile_program.h"
#include "backends/cpu/routines/products/patch_rows.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kRoom = int64_t{1} << 22;  // bytes of rows at a time

template <typename T>
bool are_finite(const std::byte* first, size_t bytes) {
  return std::ranges::all_of(
      std::span(reinterpret_cast<const T*>(first), bytes / sizeof(T)),
      [](T x) { return std::isfinite(x); });
}

/// Whether 0 times each of the numbers is 0.
bool vanish_with_zero(ElementType type, const std::byte* first, size_t bytes) {
  if (type == ElementType::kC64) return are_finite<float>(first, bytes);
  const bool has_doubles =
      type == ElementType::kF64 || type == ElementType::kC128;
  return !has_doubles || are_finite<double>(first, bytes);
}

/// One group of features, as a product of matrices.
struct Group {
  const PatchRows& patches;
  ElementType type;
  const std::byte* input;    // its features of the first element
  const std::byte* weights;  // depth rows of its outputs
  bool skips;                // taps that are outside of the input

  /// Writes rows of outputs, one after the other.
  void write(int64_t first, int64_t rows, std::byte* to) const {
    if (!skips) return multiply(first, rows, to);
    share_loop(rows, [&](int64_t i) {
      multiply_inside(first + i, to + i * patches.outputs * patches.width);
    });
  }

  /// With a 0 for each tap that is outside of the input.
  void multiply(int64_t first, int64_t rows, std::byte* to) const {
    const int64_t depth = patches.depth();
    const int64_t width = patches.width;
    const AlignedBytes left =
        aligned_bytes(static_cast<size_t>(rows * depth * width));
    constexpr int64_t kSome = 16;
    share_loop((rows + kSome - 1) / kSome, [&](int64_t task) {
      const int64_t row = task * kSome;
      patches.read(input, first + row, std::min(kSome, rows - row), 0, depth,
                   depth, left.get() + row * depth * width);
    });
    multiply_numbers(type, {1, rows, depth, patches.outputs}, left.get(),
                     weights, to);
  }

  /// Writes one row, without the taps that are outside of the input.
  void multiply_inside(int64_t row, std::byte* to) const {
    const int64_t taps = patches.windows.taps();
    const int64_t width = patches.width;
    const int64_t of_tap = patches.inputs * patches.outputs * width;
    std::vector<int64_t> at(static_cast<size_t>(taps));
    const int64_t places = patches.windows.places();
    patches.windows.offsets(row % places, 1, at.data());
    std::vector<std::byte> left;
    std::vector<std::byte> right;
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t place = at[static_cast<size_t>(tap)];
      if (place < 0) continue;
      const std::byte* const own =
          input + (row / places * patches.batch_step + place) * width;
      left.insert(left.end(), own, own + patches.inputs * width);
      const std::byte* const its = weights + tap * of_tap;
      right.insert(right.end(), its, its + of_tap);
    }
    const int64_t depth = std::ssize(left) / width;
    multiply_numbers(type, {1, 1, depth, patches.outputs}, left.data(),
                     right.data(), to);
  }
};

class Convolution {
 public:
  explicit Convolution(const Instruction& convolution)
      : patches_(convolution), type_(convolution.shape.element_type) {
    const auto& labels = convolution.get<DimLabels>("dim_labels");
    Ints order = labels.kernel.spatial;
    order.insert(order.end(),
                 {labels.kernel.batch_or_input, labels.kernel.feature});
    weights_ = View::dense(convolution.operand_shape(1).dims).permuted(order);
  }

  void run(const std::byte* x, const std::byte* y, std::byte* to) const {
    AlignedBytes arranged;
    x = patches_.arranged(x, arranged);
    const bool is_in_place = patches_.result.is_contiguous();
    AlignedBytes sums;
    if (!is_in_place) sums = aligned_bytes(bytes_of(patches_.result.count()));
    std::byte* const rows = is_in_place ? to : sums.get();
    for (int64_t g = 0; g < patches_.groups; ++g) run_group(g, x, y, rows);
    if (!is_in_place) {
      copy_view(patches_.result, bytes_of(1), sums.get(), to);
    }
  }

 private:
  size_t bytes_of(int64_t elements) const {
    return static_cast<size_t>(elements * patches_.width);
  }

  /// Writes the group's part of rows of all outputs.
  void run_group(int64_t g, const std::byte* x, const std::byte* y,
                 std::byte* rows) const {
    View own = weights_;
    own.dims.back() = patches_.outputs;
    own.offset += g * patches_.outputs * own.strides.back();
    const size_t bytes = bytes_of(own.count());
    const AlignedBytes weights = aligned_bytes(bytes);
    copy_view(own, bytes_of(1), y, weights.get());
    const bool skips = patches_.windows.reach_outside() &&
                       !vanish_with_zero(type_, weights.get(), bytes);
    const Group group{patches_, type_, x + bytes_of(g * patches_.inputs),
                      weights.get(), skips};
    const int64_t all = patches_.rows();
    const int64_t some = std::clamp<int64_t>(
        kRoom / (patches_.depth() * patches_.width), 1, all);
    for (int64_t first = 0; first < all; first += some) {
      write_rows(group, g, first, std::min(some, all - first), rows);
    }
  }

  /// Rows that have one group are written where they belong, and those of
  /// several beside each other.
  void write_rows(const Group& group, int64_t g, int64_t first, int64_t count,
                  std::byte* rows) const {
    const size_t bytes = bytes_of(patches_.outputs);
    if (patches_.groups == 1) {
      return group.write(first, count,
                         rows + static_cast<size_t>(first) * bytes);
    }
    const AlignedBytes part = aligned_bytes(static_cast<size_t>(count) * bytes);
    group.write(first, count, part.get());
    for (int64_t i = 0; i < count; ++i) {
      const auto place = static_cast<size_t>((first + i) * patches_.groups + g);
      std::memcpy(rows + place * bytes,
                  part.get() + static_cast<size_t>(i) * bytes, bytes);
    }
  }

  PatchRows patches_;
  View weights_;  // taps, features of a group, all outputs
  ElementType type_;
};

}  // namespace

std::optional<Routine> number_convolution_routine(
    const Instruction& convolution) {
  const ElementType type = convolution.shape.element_type;
  if (!multiplies(type) || !is_plain_convolution(convolution) ||
      convolution.operands.size() != 2 ||
      convolution.operand_shape(0).element_type != type ||
      convolution.operand_shape(1).element_type != type) {
    return std::nullopt;
  }
  if (PatchRows(convolution).has_narrow_groups()) return std::nullopt;
  const auto own = std::make_shared<const Convolution>(convolution);
  return Routine{[own](auto operands, auto results) {
    own->run(operands[0], operands[1], results[0]);
  }};
}

}  // namespace hlo::cpu
