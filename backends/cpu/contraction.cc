#include <algorithm>
#include <complex>
#include <type_traits>

#include "backends/cpu/engine.h"

namespace hlo::cpu {
namespace {

template <typename T, typename From>
T cast(From x) {
  if constexpr (std::is_arithmetic_v<T> && std::is_arithmetic_v<From>) {
    return static_cast<T>(x);
  } else if constexpr (std::is_arithmetic_v<From>) {
    return T(static_cast<typename T::value_type>(x));
  } else if constexpr (std::is_constructible_v<T, From>) {
    return static_cast<T>(x);
  } else {
    throw Unsupported("a contraction of those types");
  }
}

/// The operand in the result's element type, as host numbers.
template <typename T>
std::vector<T> converted(const Array& operand, ElementType type) {
  if (operand.shape.element_type == type) return load<T>(operand);
  return with_host_type(operand.shape.element_type, [&](auto tag) {
    using From = decltype(tag);
    std::vector<T> values;
    for (const From x : load<From>(operand)) values.push_back(cast<T>(x));
    Shape shape = operand.shape;
    shape.element_type = type;
    return load<T>(store<T>(shape, values));  // rounded to the type
  });
}

/// x * y + sum, integers wrapping.
template <typename T>
T accumulate(T sum, T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(sum) +
                          static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
  } else {
    return sum + x * y;
  }
}

/// Offsets of all indices over some dimensions, the last fastest.
std::vector<int64_t> offsets(const Shape& shape, const Ints& dimensions) {
  const std::vector<int64_t> own = row_major_strides(shape.dims);
  std::vector<int64_t> found{0};
  for (const int64_t dimension : dimensions) {
    const auto d = static_cast<size_t>(dimension);
    std::vector<int64_t> more;
    more.reserve(found.size() * static_cast<size_t>(shape.dims[d]));
    for (const int64_t base : found) {
      for (int64_t i = 0; i < shape.dims[d]; ++i) {
        more.push_back(base + i * own[d]);
      }
    }
    found = std::move(more);
  }
  return found;
}

Ints others(const Shape& shape, const Ints& some, const Ints& more) {
  Ints rest;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (std::ranges::find(some, d) == some.end() &&
        std::ranges::find(more, d) == more.end()) {
      rest.push_back(d);
    }
  }
  return rest;
}

/// The offsets that a dot walks over in one operand.
struct Side {
  std::vector<int64_t> batch, free, contracted;

  Side(const Instruction& dot, const Shape& shape, const std::string& name) {
    const Ints batches = dot.get_or<Ints>(name + "_batch_dims", {});
    const Ints contracting = dot.get_or<Ints>(name + "_contracting_dims", {});
    batch = offsets(shape, batches);
    free = offsets(shape, others(shape, batches, contracting));
    contracted = offsets(shape, contracting);
  }
};

template <typename T>
std::vector<T> dot_values(const Side& left, const Side& right,
                          const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<T> result;
  std::vector<T> row(right.free.size());
  for (size_t b = 0; b < left.batch.size(); ++b) {
    for (const int64_t m : left.free) {
      std::fill(row.begin(), row.end(), T{});
      for (size_t k = 0; k < left.contracted.size(); ++k) {
        const T factor =
            x[static_cast<size_t>(left.batch[b] + m + left.contracted[k])];
        const int64_t base = right.batch[b] + right.contracted[k];
        for (size_t n = 0; n < row.size(); ++n) {
          row[n] = accumulate(row[n], factor,
                              y[static_cast<size_t>(base + right.free[n])]);
        }
      }
      result.insert(result.end(), row.begin(), row.end());
    }
  }
  return result;
}

Array dot(const Instruction& instruction, Operands operands) {
  const ElementType type = instruction.shape.element_type;
  const Side left(instruction, operands[0]->shape, "lhs");
  const Side right(instruction, operands[1]->shape, "rhs");
  return with_host_type(type, [&](auto tag) {
    using T = decltype(tag);
    return store<T>(instruction.shape,
                    dot_values(left, right, converted<T>(*operands[0], type),
                               converted<T>(*operands[1], type)));
  });
}

/// Sizes and strides of a convolution, whatever the order of dimensions.
struct Geometry {
  const Window& window;
  const Shape& input;
  const Shape& kernel;
  const Shape& output;
  const DimLabels& labels;
  std::vector<int64_t> input_strides, kernel_strides, output_strides;
  int64_t groups, batch_groups, inputs, outputs;

  Geometry(const Instruction& convolution, const Shape& lhs, const Shape& rhs,
           const Window& its_window)
      : window(its_window),
        input(lhs),
        kernel(rhs),
        output(convolution.shape),
        labels(convolution.get<DimLabels>("dim_labels")),
        input_strides(row_major_strides(lhs.dims)),
        kernel_strides(row_major_strides(rhs.dims)),
        output_strides(row_major_strides(output.dims)),
        groups(convolution.get_or<int64_t>("feature_group_count", 1)),
        batch_groups(convolution.get_or<int64_t>("batch_group_count", 1)),
        inputs(size_of(rhs, labels.kernel.batch_or_input)),
        outputs(size_of(rhs, labels.kernel.feature)) {}

  static int64_t size_of(const Shape& shape, int64_t d) {
    return shape.dims[static_cast<size_t>(d)];
  }
};

int64_t at(const std::vector<int64_t>& strides, int64_t d) {
  return strides[static_cast<size_t>(d)];
}

/// A kernel tap that lies inside of the input for one output place.
struct Tap {
  int64_t input = 0;   // offset of the input place
  int64_t kernel = 0;  // offset of the kernel place
};

std::vector<Tap> taps_of(const Geometry& g, const Index& place) {
  std::vector<Tap> taps{Tap{}};
  for (size_t s = 0; s < place.size(); ++s) {
    const WindowDimension& w = g.window.dims[s];
    const int64_t d_in = g.labels.input.spatial[s];
    const int64_t d_kernel = g.labels.kernel.spatial[s];
    std::vector<Tap> more;
    for (const Tap& tap : taps) {
      for (int64_t k = 0; k < w.size; ++k) {
        const int64_t where =
            place[s] * w.stride - w.low + k * w.window_dilation;
        if (where < 0 || where % w.base_dilation != 0) continue;
        const int64_t i = where / w.base_dilation;
        if (i >= Geometry::size_of(g.input, d_in)) continue;
        const int64_t kept = w.reversal ? w.size - 1 - k : k;
        more.push_back({tap.input + i * at(g.input_strides, d_in),
                        tap.kernel + kept * at(g.kernel_strides, d_kernel)});
      }
    }
    taps = std::move(more);
  }
  return taps;
}

/// All output features of one batch entry and place.
template <typename T>
void convolve_place(const Geometry& g, const std::vector<Tap>& taps,
                    const std::vector<T>& x, const std::vector<T>& y,
                    int64_t batch, std::vector<T>& sums) {
  std::fill(sums.begin(), sums.end(), T{});
  const int64_t per_group = g.outputs / g.groups;
  const int64_t per_batch_group = g.outputs / g.batch_groups;
  const int64_t batches =
      Geometry::size_of(g.output, g.labels.output.batch_or_input);
  const int64_t step_o = at(g.kernel_strides, g.labels.kernel.feature);
  const int64_t step_i = at(g.kernel_strides, g.labels.kernel.batch_or_input);
  const int64_t step_f = at(g.input_strides, g.labels.input.feature);
  const int64_t step_b = at(g.input_strides, g.labels.input.batch_or_input);
  for (const Tap& tap : taps) {
    for (int64_t first = 0; first < g.outputs;
         first += std::min(per_group, per_batch_group)) {
      const int64_t group = first / per_group;
      const int64_t last = first + std::min(per_group, per_batch_group);
      const int64_t from = tap.input + group * g.inputs * step_f +
                           (batch + first / per_batch_group * batches) * step_b;
      for (int64_t i = 0; i < g.inputs; ++i) {
        const T factor = x[static_cast<size_t>(from + i * step_f)];
        const int64_t weights = tap.kernel + i * step_i;
        for (int64_t o = first; o < last; ++o) {
          T& sum = sums[static_cast<size_t>(o)];
          sum = accumulate(sum, factor,
                           y[static_cast<size_t>(weights + o * step_o)]);
        }
      }
    }
  }
}

template <typename T>
std::vector<T> convolve(const Geometry& g, const std::vector<T>& x,
                        const std::vector<T>& y) {
  std::vector<T> result(static_cast<size_t>(g.output.element_count()));
  std::vector<int64_t> places;
  for (const int64_t d : g.labels.output.spatial) {
    places.push_back(Geometry::size_of(g.output, d));
  }
  const int64_t batches =
      Geometry::size_of(g.output, g.labels.output.batch_or_input);
  const int64_t count =
      Shape::array(ElementType::kPred, places).element_count();
  std::vector<T> sums(static_cast<size_t>(g.outputs));
  for (int64_t p = 0; p < count; ++p) {
    const Index place = delinearize(p, places);
    const std::vector<Tap> taps = taps_of(g, place);
    int64_t base = 0;
    for (size_t s = 0; s < place.size(); ++s) {
      base += place[s] * at(g.output_strides, g.labels.output.spatial[s]);
    }
    for (int64_t b = 0; b < batches; ++b) {
      convolve_place(g, taps, x, y, b, sums);
      const int64_t row =
          base + b * at(g.output_strides, g.labels.output.batch_or_input);
      for (size_t o = 0; o < sums.size(); ++o) {
        const int64_t step = at(g.output_strides, g.labels.output.feature);
        result[static_cast<size_t>(row + static_cast<int64_t>(o) * step)] =
            sums[o];
      }
    }
  }
  return result;
}

Array convolution(const Instruction& instruction, Operands operands) {
  const ElementType type = instruction.shape.element_type;
  const auto window = instruction.get_or<Window>("window", Window{});
  const Geometry geometry(instruction, operands[0]->shape, operands[1]->shape,
                          window);
  if (instruction.shape.element_count() == 0) return Array(instruction.shape);
  return with_host_type(type, [&](auto tag) {
    using T = decltype(tag);
    return store<T>(instruction.shape,
                    convolve(geometry, converted<T>(*operands[0], type),
                             converted<T>(*operands[1], type)));
  });
}

}  // namespace

Functions contraction_functions() {
  return {{"dot", dot}, {"convolution", convolution}};
}

}  // namespace hlo::cpu
