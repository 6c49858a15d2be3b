#include <algorithm>

#include "backends/tpu/memory/tile_order.h"
#include "backends/tpu/operations/contraction/contraction_map.h"

namespace hlo::tpu {
namespace {

int64_t at(const std::vector<int64_t>& values, int64_t d) {
  return values[static_cast<size_t>(d)];
}

/// A spatial dimension: how far its elements lie apart, and the window there.
struct Spatial {
  WindowDimension window;
  int64_t inputs;
  int64_t places;
  int64_t input_stride;
  int64_t kernel_stride;
  int64_t result_stride;

  /// Where the window begins at a place, in the dilated input.
  int64_t begin(int64_t place) const {
    return place * window.stride - window.low;
  }

  /// What the element there adds to a position; kPadding in padding and between
  /// the elements of a dilated input.
  int64_t input(int64_t dilated) const {
    if (dilated < 0) return TileOrder::kPadding;
    int64_t i = dilated;
    if (window.base_dilation != 1) {
      if (dilated % window.base_dilation != 0) return TileOrder::kPadding;
      i = dilated / window.base_dilation;
    }
    return i < inputs ? i * input_stride : TileOrder::kPadding;
  }

  int64_t kernel(int64_t cell) const {
    return (window.reversal ? window.size - 1 - cell : cell) * kernel_stride;
  }
};

std::vector<Spatial> spatial_of(const Instruction& convolution) {
  const Shape& lhs = convolution.operand_shape(0);
  const Shape& rhs = convolution.operand_shape(1);
  const Shape& result = convolution.shape;
  const auto& labels = convolution.get<DimLabels>("dim_labels");
  const auto window = convolution.get_or("window", Window{});
  std::vector<Spatial> spatial;
  for (size_t d = 0; d < labels.input.spatial.size(); ++d) {
    const int64_t i = labels.input.spatial[d];
    const int64_t o = labels.output.spatial[d];
    spatial.push_back({.window = window.dims[d],
                       .inputs = at(lhs.dims, i),
                       .places = at(result.dims, o),
                       .input_stride = at(row_major_strides(lhs.dims), i),
                       .kernel_stride = at(row_major_strides(rhs.dims),
                                           labels.kernel.spatial[d]),
                       .result_stride = at(row_major_strides(result.dims), o)});
  }
  return spatial;
}

/// What a product of matrices is: a feature group or a batch group. Its rows
/// are the places of the window in its batches, its columns its output
/// features, and the depth runs over cells of the window and, for each, over
/// input features.
class ConvolutionMap final : public ContractionMap {
 public:
  explicit ConvolutionMap(const Instruction& convolution);

  int64_t products() const override { return groups_; }

  Extents extents(int64_t) const override {
    return {batches_ * places_, columns_, cells_ * features_};
  }

  void lhs(int64_t product, int64_t row, int64_t first,
           std::span<int64_t> into) const override;
  void rhs(int64_t product, int64_t column, int64_t first,
           std::span<int64_t> into) const override;
  int64_t result(int64_t product, int64_t row, int64_t column) const override;

  bool is_uniform() const override { return true; }

  Place place(int64_t element) const override;

 private:
  void add_cell(int64_t cell);
  template <typename Start>
  void fill(int64_t first, int64_t stride, std::span<int64_t> into,
            const Start& start_of) const;

  std::vector<Spatial> spatial_;
  std::vector<int64_t> cell_steps_;    // of each cell and spatial dimension
  std::vector<int64_t> kernel_cells_;  // positions of their first features
  int64_t groups_;
  int64_t batches_;   // of a group
  int64_t features_;  // of the input that a group has
  int64_t columns_;   // output features of a group
  int64_t places_ = 1;
  int64_t cells_ = 1;
  int64_t input_batch_stride_;
  int64_t input_feature_stride_;
  int64_t group_stride_;  // of the input
  int64_t kernel_input_stride_;
  int64_t kernel_output_stride_;
  int64_t result_batch_stride_;
  int64_t result_feature_stride_;
};

ConvolutionMap::ConvolutionMap(const Instruction& convolution)
    : spatial_(spatial_of(convolution)) {
  const Shape& lhs = convolution.operand_shape(0);
  const Shape& rhs = convolution.operand_shape(1);
  const auto& [input, kernel, output] =
      convolution.get<DimLabels>("dim_labels");
  const std::vector<int64_t> from = row_major_strides(lhs.dims);
  const std::vector<int64_t> by = row_major_strides(rhs.dims);
  const std::vector<int64_t> to = row_major_strides(convolution.shape.dims);
  const auto feature_groups =
      convolution.get_or("feature_group_count", int64_t{1});
  const auto batch_groups = convolution.get_or("batch_group_count", int64_t{1});
  groups_ = std::max(feature_groups, batch_groups);
  batches_ = at(lhs.dims, input.batch_or_input) / batch_groups;
  features_ = at(rhs.dims, kernel.batch_or_input);
  columns_ = at(rhs.dims, kernel.feature) / groups_;
  input_batch_stride_ = at(from, input.batch_or_input);
  input_feature_stride_ = at(from, input.feature);
  group_stride_ = batch_groups > 1 ? batches_ * input_batch_stride_
                                   : features_ * input_feature_stride_;
  kernel_input_stride_ = at(by, kernel.batch_or_input);
  kernel_output_stride_ = at(by, kernel.feature);
  result_batch_stride_ = at(to, output.batch_or_input);
  result_feature_stride_ = at(to, output.feature);
  for (const Spatial& dimension : spatial_) {
    places_ *= dimension.places;
    cells_ *= dimension.window.size;
  }
  for (int64_t cell = 0; cell < cells_; ++cell) add_cell(cell);
}

void ConvolutionMap::add_cell(int64_t cell) {
  const auto first = static_cast<std::ptrdiff_t>(cell_steps_.size());
  int64_t position = 0;
  for (size_t d = spatial_.size(); d-- > 0;) {
    const WindowDimension& window = spatial_[d].window;
    position += spatial_[d].kernel(cell % window.size);
    cell_steps_.push_back(cell % window.size * window.window_dilation);
    cell /= window.size;
  }
  std::reverse(cell_steps_.begin() + first, cell_steps_.end());
  kernel_cells_.push_back(position);
}

/// The positions of cells and features from a depth on: of each cell the
/// features follow the start.
template <typename Start>
void ConvolutionMap::fill(int64_t first, int64_t stride,
                          std::span<int64_t> into,
                          const Start& start_of) const {
  int64_t feature = first % features_;
  int64_t cell = first / features_;
  for (size_t k = 0; k < into.size(); ++cell, feature = 0) {
    const int64_t start = start_of(cell);
    for (; feature < features_ && k < into.size(); ++feature, ++k) {
      into[k] = start == TileOrder::kPadding ? start : start + feature * stride;
    }
  }
}

void ConvolutionMap::lhs(int64_t product, int64_t row, int64_t first,
                         std::span<int64_t> into) const {
  const size_t rank = spatial_.size();
  std::vector<int64_t> begins(rank);
  for (size_t d = rank; d-- > 0;) {
    begins[d] = spatial_[d].begin(row % spatial_[d].places);
    row /= spatial_[d].places;
  }
  const int64_t base = row * input_batch_stride_ + product * group_stride_;
  fill(first, input_feature_stride_, into, [&](int64_t cell) {
    int64_t start = base;
    for (size_t d = 0; d < rank; ++d) {
      const int64_t step = spatial_[d].input(
          begins[d] + cell_steps_[static_cast<size_t>(cell) * rank + d]);
      if (step == TileOrder::kPadding) return step;
      start += step;
    }
    return start;
  });
}

void ConvolutionMap::rhs(int64_t product, int64_t column, int64_t first,
                         std::span<int64_t> into) const {
  const int64_t base = (product * columns_ + column) * kernel_output_stride_;
  fill(first, kernel_input_stride_, into,
       [&](int64_t cell) { return base + at(kernel_cells_, cell); });
}

int64_t ConvolutionMap::result(int64_t product, int64_t row,
                               int64_t column) const {
  int64_t position = (product * columns_ + column) * result_feature_stride_;
  for (size_t d = spatial_.size(); d-- > 0;) {
    position += row % spatial_[d].places * spatial_[d].result_stride;
    row /= spatial_[d].places;
  }
  return position + row * result_batch_stride_;
}

ContractionMap::Place ConvolutionMap::place(int64_t element) const {
  const auto coordinate = [&](int64_t stride, int64_t size) {
    return element / stride % size;
  };
  const int64_t feature =
      coordinate(result_feature_stride_, groups_ * columns_);
  int64_t row = coordinate(result_batch_stride_, batches_);
  for (const Spatial& dimension : spatial_) {
    row = row * dimension.places +
          coordinate(dimension.result_stride, dimension.places);
  }
  return {feature / columns_, row, feature % columns_};
}

}  // namespace

std::unique_ptr<ContractionMap> convolution_map(
    const Instruction& convolution) {
  return std::make_unique<ConvolutionMap>(convolution);
}

}  // namespace hlo::tpu
