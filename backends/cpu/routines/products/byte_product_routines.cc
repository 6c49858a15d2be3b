#include "backends/cpu/routines/products/byte_product_routines.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "backends/cpu/arrays/contraction_form.h"
#include "backends/cpu/arrays/offsets.h"
#include "backends/cpu/kernels/other_products/multiply_bytes.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/tiles/tile_program.h"
#include "backends/cpu/routines/products/patch_rows.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

using Places = std::vector<int64_t>;

constexpr int64_t kPerBatchTask = int64_t{256} * 1024;  // products
constexpr int64_t kMost = int64_t{1} << 26;  // elements whose places are listed

/// Whether elements of the type are bytes in memory.
bool is_bytes(ElementType type) {
  return (is_signed(type) || is_unsigned(type)) && storage_bytes(type) == 1;
}

bool takes_types(const Instruction& product) {
  const ElementType result = product.shape.element_type;
  const auto fits = [](const Shape& shape) {
    return is_bytes(shape.element_type) && shape.element_count() <= kMost;
  };
  return (result == ElementType::kS32 || result == ElementType::kU32) &&
         fits(product.operand_shape(0)) && fits(product.operand_shape(1));
}

/// Whether each place lies behind the one before.
bool is_run(std::span<const int64_t> places) {
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i] != places[0] + static_cast<int64_t>(i)) return false;
  }
  return true;
}

/// Where the elements of one operand of a dot lie.
struct DotSide {
  bool is_signed;
  Places batch, free, depth;

  DotSide(const Instruction& dot, size_t operand)
      : is_signed(hlo::is_signed(dot.operand_shape(operand).element_type)) {
    const Shape& shape = dot.operand_shape(operand);
    const DotDimensions dimensions(dot, operand);
    batch = offsets(shape, dimensions.batch);
    free = offsets(shape, dimensions.free);
    depth = offsets(shape, dimensions.contracted);
  }
};

/// Rows of the left side of a dot.
ByteRows rows_of(const DotSide& side, const std::byte* from) {
  const bool runs = is_run(side.depth);
  const auto read = [&side, runs, from](int64_t first, int64_t rows, int64_t k,
                                        int64_t depth, int64_t step,
                                        uint8_t* to) {
    const int64_t* const places = side.depth.data() + k;
    for (int64_t i = 0; i < rows; ++i, to += step) {
      const std::byte* const row =
          from + side.free[static_cast<size_t>(first + i)];
      if (runs) {
        std::memcpy(to, row + places[0], static_cast<size_t>(depth));
        continue;
      }
      for (int64_t n = 0; n < depth; ++n) {
        to[n] = std::to_integer<uint8_t>(row[places[n]]);
      }
    }
  };
  return {std::ssize(side.free), side.is_signed, read};
}

void run_dot(const DotSide& left, const DotSide& right, const std::byte* x,
             const std::byte* y, int32_t* to) {
  const auto rows = std::ssize(left.free);
  const auto columns = std::ssize(right.free);
  const int64_t some = std::max<int64_t>(
      1, kPerBatchTask / (rows * columns * std::ssize(left.depth)));
  share_loop(std::ssize(left.batch), some, [&](int64_t b) {
    const auto batch = static_cast<size_t>(b);
    multiply_bytes(
        rows_of(left, x + left.batch[batch]),
        {y + right.batch[batch], right.is_signed, right.depth, right.free},
        to + b * rows * columns, columns);
  });
}

struct ByteConvolution {
  PatchRows patches;
  bool input_signed;
  bool kernel_signed;
  Places depth;    // of the kernel: taps, then features of a group
  Places columns;  // of the kernel: features of the result

  explicit ByteConvolution(const Instruction& convolution)
      : patches(convolution),
        input_signed(is_signed(convolution.operand_shape(0).element_type)),
        kernel_signed(is_signed(convolution.operand_shape(1).element_type)) {
    const Shape& kernel = convolution.operand_shape(1);
    const auto& labels = convolution.get<DimLabels>("dim_labels");
    Ints order = labels.kernel.spatial;
    order.push_back(labels.kernel.batch_or_input);
    depth = offsets(kernel, order);
    columns = offsets(kernel, {labels.kernel.feature});
  }

  void run_dense(const std::byte* x, const std::byte* y, int32_t* to) const {
    const int64_t outputs = patches.outputs;
    for (int64_t g = 0; g < patches.groups; ++g) {
      const auto read = [this, from = x + g * patches.inputs](
                            int64_t first, int64_t count, int64_t k, int64_t n,
                            int64_t step, uint8_t* bytes) {
        patches.read(from, first, count, k, n, step,
                     reinterpret_cast<std::byte*>(bytes));
      };
      const std::span<const int64_t> all(columns);
      multiply_bytes({patches.rows(), input_signed, read},
                     {y, kernel_signed, depth,
                      all.subspan(static_cast<size_t>(g * outputs),
                                  static_cast<size_t>(outputs))},
                     to + g * outputs, outputs * patches.groups);
    }
  }

  void run(const std::byte* x, const std::byte* y, std::byte* to) const {
    AlignedBytes arranged;
    x = patches.arranged(x, arranged);
    const View& result = patches.result;
    if (result.is_contiguous()) {
      return run_dense(x, y, reinterpret_cast<int32_t*>(to));
    }
    const AlignedBytes sums =
        aligned_bytes(sizeof(int32_t) * static_cast<size_t>(result.count()));
    run_dense(x, y, reinterpret_cast<int32_t*>(sums.get()));
    copy_view(result, sizeof(int32_t), sums.get(), to);
  }
};

}  // namespace

std::optional<Routine> byte_dot_routine(const Instruction& dot) {
  if (!takes_types(dot) || dot.find("sparsity") != nullptr) {
    return std::nullopt;
  }
  const auto left = std::make_shared<const DotSide>(dot, 0);
  const auto right = std::make_shared<const DotSide>(dot, 1);
  return Routine{[left, right](auto operands, auto to) {
    run_dot(*left, *right, operands[0], operands[1],
            reinterpret_cast<int32_t*>(to[0]));
  }};
}

std::optional<Routine> byte_convolution_routine(
    const Instruction& convolution) {
  if (!takes_types(convolution) || !is_plain_convolution(convolution) ||
      PatchRows(convolution).has_narrow_groups()) {
    return std::nullopt;
  }
  const auto own = std::make_shared<const ByteConvolution>(convolution);
  return Routine{[own](auto operands, auto to) {
    own->run(operands[0], operands[1], to[0]);
  }};
}

}  // namespace hlo::cpu
