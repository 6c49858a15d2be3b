#include "backends/cpu/functions/convolution_functions.h"

#include <algorithm>
#include <complex>

#include "backends/cpu/arrays/add_product.h"
#include "backends/cpu/arrays/offsets.h"

namespace hlo::cpu {
namespace {

int64_t size_of(const Shape& shape, int64_t d) {
  return shape.dims[static_cast<size_t>(d)];
}

/// One side of a convolution with its dimensions in the order that the loops
/// want: the outermost, the spatial ones, the innermost.
struct Order {
  std::vector<int64_t> outer;  // offsets of all but the innermost dimension
  std::vector<int64_t> inner;  // offsets along the innermost
  bool natural = false;        // it is the order of the elements already

  Order(const Shape& shape, Ints dimensions) {
    natural = std::ranges::is_sorted(dimensions);
    if (natural) return;
    inner = offsets(shape, {dimensions.back()});
    dimensions.pop_back();
    outer = offsets(shape, dimensions);
  }

  template <typename T>
  std::vector<T> arranged(std::vector<T> values) const {
    if (natural) return values;
    std::vector<T> result;
    result.reserve(values.size());
    for (const int64_t o : outer) {
      for (const int64_t i : inner) {
        result.push_back(values[static_cast<size_t>(o + i)]);
      }
    }
    return result;
  }

  /// The inverse of arranged().
  template <typename T>
  std::vector<T> restored(std::vector<T> values) const {
    if (natural) return values;
    std::vector<T> result(values.size());
    size_t next = 0;
    for (const int64_t o : outer) {
      for (const int64_t i : inner) {
        result[static_cast<size_t>(o + i)] = values[next++];
      }
    }
    return result;
  }
};

/// Batch, spatial dimensions, feature.
Ints feature_last(const ConvolutionSide& side) {
  Ints dimensions = {side.batch_or_input};
  dimensions.insert(dimensions.end(), side.spatial.begin(), side.spatial.end());
  dimensions.push_back(side.feature);
  return dimensions;
}

/// Spatial dimensions, input feature, output feature.
Ints output_last(const ConvolutionSide& side) {
  Ints dimensions = side.spatial;
  dimensions.push_back(side.batch_or_input);
  dimensions.push_back(side.feature);
  return dimensions;
}

std::vector<int64_t> sizes(const Shape& shape, const ConvolutionSide& side) {
  std::vector<int64_t> result;
  for (const int64_t d : side.spatial) result.push_back(size_of(shape, d));
  return result;
}

int64_t product(const std::vector<int64_t>& numbers) {
  return Shape::array(ElementType::kPred, numbers).element_count();
}

struct Geometry {
  Window window;
  std::vector<int64_t> input_places, kernel_places, output_places;
  size_t inputs = 0;    // features that each output sums over
  size_t outputs = 0;   // features of the result
  size_t features = 0;  // features of the input
  size_t batches = 0;   // of the result
  size_t groups = 1;
  size_t batch_groups = 1;

  Geometry(const Instruction& convolution, const Shape& lhs, const Shape& rhs)
      : window(convolution.get_or<Window>("window", Window{})) {
    const auto& labels = convolution.get<DimLabels>("dim_labels");
    const auto size = [](const Shape& shape, int64_t d) {
      return static_cast<size_t>(size_of(shape, d));
    };
    input_places = sizes(lhs, labels.input);
    kernel_places = sizes(rhs, labels.kernel);
    output_places = sizes(convolution.shape, labels.output);
    inputs = size(rhs, labels.kernel.batch_or_input);
    outputs = size(rhs, labels.kernel.feature);
    features = size(lhs, labels.input.feature);
    batches = size(convolution.shape, labels.output.batch_or_input);
    const auto number = [&](std::string_view name) {
      return static_cast<size_t>(convolution.get_or<int64_t>(name, 1));
    };
    groups = number("feature_group_count");
    batch_groups = number("batch_group_count");
  }
};

/// A kernel place and the input place that it meets.
struct Tap {
  int64_t input = 0;
  int64_t kernel = 0;
};

/// The taps along one dimension for an output place there.
std::vector<Tap> line_taps(const WindowDimension& w, int64_t place,
                           int64_t inputs) {
  std::vector<Tap> taps;
  for (int64_t k = 0; k < w.size; ++k) {
    const int64_t where = place * w.stride - w.low + k * w.window_dilation;
    if (where < 0 || where % w.base_dilation != 0) continue;
    const int64_t i = where / w.base_dilation;
    if (i < inputs) taps.push_back({i, w.reversal ? w.size - 1 - k : k});
  }
  return taps;
}

/// The taps of one output place that lie inside of the input.
std::vector<Tap> taps_of(const Geometry& g, const Index& place) {
  std::vector<Tap> taps{Tap{}};
  for (size_t s = 0; s < place.size(); ++s) {
    const std::vector<Tap> line =
        line_taps(g.window.dims[s], place[s], g.input_places[s]);
    std::vector<Tap> more;
    more.reserve(taps.size() * line.size());
    for (const Tap& tap : taps) {
      for (const Tap& last : line) {
        more.push_back({tap.input * g.input_places[s] + last.input,
                        tap.kernel * g.kernel_places[s] + last.kernel});
      }
    }
    taps = std::move(more);
  }
  return taps;
}

/// Every output has one input feature of its own.
template <typename T>
void add_depthwise(Rows<const T> x, const T* y, size_t outputs, size_t rows,
                   Rows<T> sums) {
  constexpr size_t kWide = 8;
  for (size_t m = 0; m < rows; ++m) {
    const T* left = x.row(m);
    T* sum = sums.row(m);
    size_t o = 0;
    for (; o + kWide <= outputs; o += kWide) {
      T wide[kWide];
      for (size_t n = 0; n < kWide; ++n) {
        wide[n] = accumulate(sum[o + n], left[o + n], y[o + n]);
      }
      std::copy_n(wide, kWide, sum + o);
    }
    for (; o < outputs; ++o) sum[o] = accumulate(sum[o], left[o], y[o]);
  }
}

/// All batches and output features of one place.
template <typename T>
void convolve_place(const Geometry& g, const std::vector<Tap>& taps, const T* x,
                    const T* y, Rows<T> sums) {
  const auto places = static_cast<size_t>(product(g.input_places));
  const size_t per_group = g.outputs / g.groups;
  const size_t per_batch_group = g.outputs / g.batch_groups;
  const size_t columns = std::min(per_group, per_batch_group);
  const bool depthwise = g.inputs == 1 && per_group == 1 && g.batch_groups == 1;
  for (const Tap& tap : taps) {
    const Rows<const T> from{x + static_cast<size_t>(tap.input) * g.features,
                             places * g.features};
    const T* weights =
        y + static_cast<size_t>(tap.kernel) * g.inputs * g.outputs;
    if (depthwise) {
      add_depthwise<T>(from, weights, g.outputs, g.batches, sums);
      continue;
    }
    for (size_t o = 0; o < g.outputs; o += columns) {
      const T* group =
          from.row(o / per_batch_group * g.batches) + o / per_group * g.inputs;
      add_product<T>({group, from.step}, g.batches, g.inputs,
                     {weights + o, g.outputs}, columns,
                     {sums.first + o, sums.step});
    }
  }
}

template <typename T>
std::vector<T> convolve(const Geometry& g, const std::vector<T>& x,
                        const std::vector<T>& y) {
  const int64_t places = product(g.output_places);
  const auto count = static_cast<size_t>(places);
  std::vector<T> result(g.batches * count * g.outputs);
  if (x.empty() || y.empty()) return result;
  for (int64_t p = 0; p < places; ++p) {
    const Index place = delinearize(p, g.output_places);
    T* const first = result.data() + static_cast<size_t>(p) * g.outputs;
    convolve_place<T>(g, taps_of(g, place), x.data(), y.data(),
                      {first, count * g.outputs});
  }
  return result;
}

Array convolution(const Instruction& instruction, Operands operands) {
  const Shape& shape = instruction.shape;
  const ElementType type = shape.element_type;
  if (instruction.find("sparsity_config") != nullptr) {
    throw Unsupported("sparse convolutions");
  }
  if (shape.element_count() == 0) return Array(shape);
  const auto& labels = instruction.get<DimLabels>("dim_labels");
  const Geometry geometry(instruction, operands[0]->shape, operands[1]->shape);
  const Order input(operands[0]->shape, feature_last(labels.input));
  const Order kernel(operands[1]->shape, output_last(labels.kernel));
  const Order output(shape, feature_last(labels.output));
  return with_host_type(type, [&](auto tag) {
    using T = decltype(tag);
    const std::vector<T> x =
        input.arranged(operand_values<T>(*operands[0], type));
    const std::vector<T> y =
        kernel.arranged(operand_values<T>(*operands[1], type));
    return store<T>(shape, output.restored(convolve(geometry, x, y)));
  });
}

}  // namespace

Functions convolution_functions() { return {{"convolution", convolution}}; }

}  // namespace hlo::cpu
