#include "backends/cpu/routines/byte_product_routines.h"

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
#include "backends/cpu/kernels/windows.h"
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

/// A convolution of batches, places, features, which lie in that order.
struct ByteConvolution {
  View input;  // as the operand has it
  bool input_signed;
  Windows windows;
  int64_t batch_step;  // bytes of the input
  int64_t inputs;      // features of a group
  int64_t outputs;     // features of a group of the result
  int64_t groups;
  Places depth;    // of the kernel: taps, then features of a group
  Places columns;  // of the kernel: features of the result
  bool kernel_signed;
  View result;  // of what is computed: as the instruction has it

  int64_t rows() const { return input.dims[0] * windows.places(); }

  /// Features k ... k + count - 1 of the taps of a row; zeros where those lie
  /// outside of the input.
  void read_row(const std::byte* batch, const int64_t* taps, int64_t k,
                int64_t count, uint8_t* to) const {
    for (const int64_t last = k + count; k < last;) {
      const int64_t feature = k % inputs;
      const int64_t n = std::min(inputs - feature, last - k);
      const int64_t at = taps[k / inputs];
      const auto size = static_cast<size_t>(n);
      at < 0 ? std::memset(to, 0, size)
             : std::memcpy(to, batch + at + feature, size);
      to += n;
      k += n;
    }
  }

  void read_rows(const std::byte* from, int64_t first, int64_t count, int64_t k,
                 int64_t depth_read, int64_t step, uint8_t* to) const {
    const int64_t taps = windows.taps();
    Places at(static_cast<size_t>(count * taps));
    for (int64_t i = 0; i < count;) {
      const int64_t place = (first + i) % windows.places();
      const int64_t n = std::min(count - i, windows.places() - place);
      windows.offsets(place, n, at.data() + i * taps);
      const std::byte* const batch =
          from + (first + i) / windows.places() * batch_step;
      for (const int64_t end = i + n; i < end; ++i) {
        read_row(batch, at.data() + i * taps, k, depth_read, to + i * step);
      }
    }
  }

  void run_dense(const std::byte* x, const std::byte* y, int32_t* to) const {
    for (int64_t g = 0; g < groups; ++g) {
      const auto read = [this, from = x + g * inputs](
                            int64_t first, int64_t count, int64_t k, int64_t n,
                            int64_t step, uint8_t* bytes) {
        read_rows(from, first, count, k, n, step, bytes);
      };
      const std::span<const int64_t> all(columns);
      multiply_bytes({rows(), input_signed, read},
                     {y, kernel_signed, depth,
                      all.subspan(static_cast<size_t>(g * outputs),
                                  static_cast<size_t>(outputs))},
                     to + g * outputs, outputs * groups);
    }
  }

  void run(const std::byte* x, const std::byte* y, std::byte* to) const {
    AlignedBytes arranged;
    if (!input.is_contiguous()) {
      arranged = aligned_bytes(static_cast<size_t>(input.count()));
      copy_view(input, 1, x, arranged.get());
      x = arranged.get();
    }
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
  constexpr int64_t kFewest = 8;  // features of a group of the result
  const auto& labels = convolution.get<DimLabels>("dim_labels");
  const auto window = convolution.get_or<Window>("window", {});
  if (!takes_types(convolution) || !is_plain_convolution(convolution)) {
    return std::nullopt;
  }
  const Shape& from = convolution.operand_shape(0);
  const Shape& kernel = convolution.operand_shape(1);
  const auto groups = convolution.get_or<int64_t>("feature_group_count", 1);
  const Ints places = features_last(labels.output);
  const View input =
      View::dense(from.dims).permuted(features_last(labels.input));
  const View dense = View::dense(input.dims);
  const View output = View::dense(convolution.shape.dims).permuted(places);
  Ints depth = labels.kernel.spatial;
  depth.push_back(labels.kernel.batch_or_input);
  const int64_t outputs = output.dims.back() / groups;
  if (groups > 1 && outputs < kFewest) return std::nullopt;
  const auto own = std::make_shared<const ByteConvolution>(ByteConvolution{
      input, is_signed(from.element_type),
      Windows(window_lines(window, dense, output)), dense.strides[0],
      dense.dims.back() / groups, outputs, groups, offsets(kernel, depth),
      offsets(kernel, {labels.kernel.feature}), is_signed(kernel.element_type),
      View::dense(output.dims).permuted(inverse(places))});
  return Routine{[own](auto operands, auto to) {
    own->run(operands[0], operands[1], to[0]);
  }};
}

}  // namespace hlo::cpu
