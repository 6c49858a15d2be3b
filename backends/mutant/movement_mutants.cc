#include "backends/mutant/movement_mutants.h"

#include <algorithm>
#include <array>
#include <functional>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo {
namespace {

/// The array of that shape whose element at each index lies in `source` at
/// the index that `place` makes of it.
template <typename Place>
Literal rearranged(const Literal& source, const Shape& shape,
                   const Place& place) {
  Literal result(shape);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    Index index = delinearize(i, shape.dims);
    place(index);
    result.set(i, source.at(index));
  }
  return result;
}

Literal reversed(const Literal& source, int64_t dimension) {
  const auto d = static_cast<size_t>(dimension);
  return rearranged(source, source.shape(), [&](Index& index) {
    index[d] = source.shape().dims[d] - 1 - index[d];
  });
}

Literal shift_window(const Instruction& fold, Operands in, Evaluator& run) {
  Window window = fold.get<Window>("window");
  if (window.dims.empty()) return original(fold, in, run);
  --window.dims.back().low;
  ++window.dims.back().high;
  return original_with(fold, "window", window, in, run);
}

Literal wrap_start(const Instruction& slice, Operands in, Evaluator& run) {
  if (slice.shape.element_count() == 0) return original(slice, in, run);
  const std::vector<int64_t>& dims = in[0].shape().dims;
  const bool one_vector = in.size() > 1 && in[1].shape().rank() == 1;
  return rearranged(in[0], slice.shape, [&](Index& index) {
    for (size_t d = 0; d < index.size(); ++d) {
      const int64_t start = (one_vector ? in[1].integer(static_cast<int64_t>(d))
                                        : in[d + 1].integer(0)) %
                            dims[d];
      index[d] = (index[d] + start + dims[d]) % dims[d];
    }
  });
}

Literal start_at_zero(const Instruction& update, Operands in, Evaluator& run) {
  std::vector<Literal> operands(in.begin(), in.end());
  const bool one_vector =
      operands.size() > 2 && operands[2].shape().rank() == 1;
  if (one_vector) return original(update, operands, run);
  for (size_t i = 2; i < operands.size(); ++i) {
    if (operands[i].integer(0) < 0 ||
        operands[i].integer(0) >= in[0].shape().dims[i - 2]) {
      return in[0];
    }
  }
  return original(update, operands, run);
}

Literal transpose_index(const Instruction& gather, Operands in,
                        Evaluator& run) {
  Ints map = gather.get<Ints>("start_index_map");
  std::ranges::reverse(map);
  return original_with(gather, "start_index_map", map, in, run);
}

Literal ignore_interior(const Instruction& pad, Operands in, Evaluator& run) {
  PaddingConfig padding = pad.get<PaddingConfig>("padding");
  for (size_t d = 0; d < padding.dims.size(); ++d) {
    const int64_t gaps = std::max<int64_t>(in[0].shape().dims[d] - 1, 0);
    padding.dims[d].high += gaps * padding.dims[d].interior;
    padding.dims[d].interior = 0;
  }
  return original_with(pad, "padding", padding, in, run);
}

Literal crop_first(const Instruction& pad, Operands in, Evaluator& run) {
  PaddingConfig padding = pad.get<PaddingConfig>("padding");
  for (PaddingDimension& d : padding.dims) {
    if (d.low >= 0 || d.interior == 0) continue;
    ++d.low;
    --d.high;
  }
  return original_with(pad, "padding", padding, in, run);
}

Literal unstable_sort(const Instruction& sort, Operands in, Evaluator& run) {
  const int64_t dimension = sort.get<Ints>("dimensions").at(0);
  std::vector<Literal> operands;
  for (const Literal& operand : in) {
    operands.push_back(reversed(operand, dimension));
  }
  return original(sort, operands, run);
}

Literal skip_last(const Instruction& reduce, Operands in, Evaluator& run) {
  const Ints& dims = reduce.get<Ints>("dimensions");
  if (dims.empty()) return original(reduce, in, run);
  std::vector<Literal> operands(in.begin(), in.end());
  const size_t inputs = in.size() / 2;
  for (size_t i = 0; i < inputs; ++i) {
    Literal& operand = operands[i];
    const auto d = static_cast<size_t>(dims.front());
    for (int64_t p = 0; p < operand.element_count(); ++p) {
      const Index index = delinearize(p, operand.shape().dims);
      if (index[d] + 1 == operand.shape().dims[d]) {
        operand.set(p, in[inputs + i].at(int64_t{0}));
      }
    }
  }
  return original(reduce, operands, run);
}

Literal wrong_dimension(const Instruction& broadcast, Operands in,
                        Evaluator& run) {
  Ints dims = broadcast.get_or<Ints>("dimensions", {});
  if (dims.size() != 1) return original(broadcast, in, run);
  const std::vector<int64_t>& sizes = broadcast.shape.dims;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const auto other = static_cast<int64_t>(d);
    if (other != dims[0] && sizes[d] == in[0].shape().dims[0]) {
      dims[0] = other;
      return original_with(broadcast, "dimensions", dims, in, run);
    }
  }
  return original(broadcast, in, run);
}

Literal count_from_one(const Instruction& iota, Operands in, Evaluator& run) {
  Literal result = original(iota, in, run);
  const ElementType type = result.type();
  if (!is_integer(type)) return result;
  const uint64_t mask =
      bits(type) == 64 ? ~uint64_t{0} : (uint64_t{1} << bits(type)) - 1;
  for (int64_t i = 0; i < result.element_count(); ++i) {
    Scalar element = result.at(i);
    element.bits[0] = (element.bits[0] + 1) & mask;
    result.set(i, element);
  }
  return result;
}

Literal swap_operands(const Instruction& concatenate, Operands in,
                      Evaluator& run) {
  std::vector<Literal> operands(in.begin(), in.end());
  if (in.size() >= 2 && same_dims(in[0].shape(), in[1].shape())) {
    std::swap(operands[0], operands[1]);
  }
  return original(concatenate, operands, run);
}

Literal dense_slice(const Instruction& slice, Operands in, Evaluator&) {
  const auto& config = slice.get<SliceConfig>("slice");
  return rearranged(in[0], slice.shape, [&](Index& index) {
    for (size_t d = 0; d < index.size(); ++d) index[d] += config.dims[d].start;
  });
}

Literal inverse_transpose(const Instruction& transpose, Operands in,
                          Evaluator&) {
  const Ints& dims = transpose.get<Ints>("dimensions");
  const std::vector<int64_t>& sizes = in[0].shape().dims;
  return rearranged(in[0], transpose.shape, [&](Index& index) {
    const Index result = index;
    for (size_t d = 0; d < dims.size(); ++d) {
      index[d] = result[static_cast<size_t>(dims[d])] % sizes[d];
    }
  });
}

Literal reverse_one(const Instruction& reverse, Operands in, Evaluator& run) {
  Ints dims = reverse.get<Ints>("dimensions");
  if (dims.size() > 1) dims.resize(1);
  return original_with(reverse, "dimensions", dims, in, run);
}

Literal quiet_nans(const Instruction& movement, Operands in, Evaluator& run) {
  Literal result = original(movement, in, run);
  if (!is_float(result.type())) return result;
  const numeric::FloatFormat& format = numeric::format(result.type());
  for (int64_t i = 0; i < result.element_count(); ++i) {
    Scalar element = result.at(i);
    if (!format.has_nan() || !numeric::is_nan(element.bits[0], format)) {
      continue;
    }
    element.bits[0] = format.quiet_nan();
    result.set(i, element);
  }
  return result;
}

Literal swap_window_padding(const Instruction& convolution, Operands in,
                            Evaluator& run) {
  auto window = convolution.get_or<Window>("window", {});
  for (WindowDimension& d : window.dims) std::swap(d.low, d.high);
  return original_with(convolution, "window", window, in, run);
}

Literal ignore_reversal(const Instruction& convolution, Operands in,
                        Evaluator& run) {
  auto window = convolution.get_or<Window>("window", {});
  for (WindowDimension& d : window.dims) d.reversal = false;
  return original_with(convolution, "window", window, in, run);
}

constexpr std::array kMutants = {
    Mutant{"shift-window", "windows lie one element too late", "reduce-window",
           shift_window},
    Mutant{"wrap-start", "start indices wrap instead of being clamped",
           "dynamic-slice", wrap_start},
    Mutant{"drop-update", "an update that starts outside is dropped",
           "dynamic-update-slice", start_at_zero},
    Mutant{"transpose-index", "the components of index vectors are swapped",
           "gather", transpose_index},
    Mutant{"ignore-interior", "interior padding goes to the end", "pad",
           ignore_interior},
    Mutant{"crop-first", "negative padding removes padding, not elements",
           "pad", crop_first},
    Mutant{"unstable-sort", "equal elements are reversed", "sort",
           unstable_sort},
    Mutant{"skip-last", "the last element of a reduced dimension is left out",
           "reduce", skip_last},
    Mutant{"wrong-dimension", "the operand lies along another dimension",
           "broadcast", wrong_dimension},
    Mutant{"count-from-one", "integers count from one", "iota", count_from_one},
    Mutant{"swap-operands", "the first two operands change places",
           "concatenate", swap_operands},
    Mutant{"dense-slice", "strides are ignored", "slice", dense_slice},
    Mutant{"inverse-transpose", "the permutation is inverted", "transpose",
           inverse_transpose},
    Mutant{"reverse-one", "only the first of several dimensions is reversed",
           "reverse", reverse_one},
    Mutant{"quiet-nans", "moving a NaN makes it the canonical one",
           "reshape select pad slice concatenate transpose reverse",
           quiet_nans},
    Mutant{"swap-padding", "padding before and after change places",
           "convolution", swap_window_padding},
    Mutant{"ignore-reversal", "kernels are never reversed", "convolution",
           ignore_reversal},
};

}  // namespace

std::span<const Mutant> movement_mutants() { return kMutants; }

}  // namespace hlo
