#include "interpreter/plans/contraction/convolution_map.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace hlo {
namespace {

/// One spatial dimension.
struct Spatial {
  WindowDimension window;
  int64_t size;    // of the input
  int64_t stride;  // between its elements
  int64_t places;
  int64_t result_stride;

  /// What a cell at a place adds to an input element's position, -1 where
  /// there is no element.
  int64_t step(int64_t place, int64_t cell) const {
    const int64_t dilated =
        place * window.stride - window.low + cell * window.window_dilation;
    if (dilated < 0) return -1;
    if (window.base_dilation == 1) {
      return dilated < size ? dilated * stride : -1;
    }
    const int64_t position = dilated / window.base_dilation;
    return position < size && dilated % window.base_dilation == 0
               ? position * stride
               : -1;
  }
};

/// A dimension number's size or stride.
int64_t at(const Ints& values, int64_t d) {
  return values[static_cast<size_t>(d)];
}

struct Map {
  std::vector<Spatial> spatial;
  Ints kernel_cells{0};  // positions in the kernel, row-major
  int64_t batches;       // of one group
  int64_t features;      // input features of one group
  int64_t columns;       // output features of one group
  int64_t groups;
  int64_t rows = 1;
  int64_t batch_stride;
  int64_t feature_stride;
  int64_t group_step;  // of the input
  int64_t kernel_input_stride;
  int64_t kernel_output_stride;
  int64_t result_batch_stride;
  int64_t result_feature_stride;

  Map(const Shape& lhs, const Shape& rhs, const Shape& result,
      const ConvolutionConfig& config);
  void add_spatial(const Shape& lhs, const Shape& rhs, const Shape& result,
                   const ConvolutionConfig& config, size_t d);

  int64_t cells() const { return static_cast<int64_t>(kernel_cells.size()); }

  // The positions of each cell's first input feature.
  void lhs_starts(int64_t g, int64_t m, int64_t* positions) const;
  void rhs_starts(int64_t g, int64_t n, int64_t* positions) const;
  int64_t result_row(int64_t m) const;
};

Map::Map(const Shape& lhs, const Shape& rhs, const Shape& result,
         const ConvolutionConfig& config) {
  const auto& [input, kernel, output] = config.labels;
  const Ints from = row_major_strides(lhs.dims);
  const Ints by = row_major_strides(rhs.dims);
  const Ints to = row_major_strides(result.dims);
  batches = at(lhs.dims, input.batch_or_input) / config.batch_groups;
  features = at(lhs.dims, input.feature) / config.feature_groups;
  groups = std::max(config.feature_groups, config.batch_groups);
  columns = at(rhs.dims, kernel.feature) / groups;
  batch_stride = at(from, input.batch_or_input);
  feature_stride = at(from, input.feature);
  group_step = config.batch_groups > 1 ? batches * batch_stride
                                       : features * feature_stride;
  kernel_input_stride = at(by, kernel.batch_or_input);
  kernel_output_stride = at(by, kernel.feature);
  result_batch_stride = at(to, output.batch_or_input);
  result_feature_stride = at(to, output.feature);
  rows = batches;
  for (size_t d = 0; d < input.spatial.size(); ++d) {
    add_spatial(lhs, rhs, result, config, d);
  }
}

void Map::add_spatial(const Shape& lhs, const Shape& rhs, const Shape& result,
                      const ConvolutionConfig& config, size_t d) {
  const int64_t i = config.labels.input.spatial[d];
  const int64_t k = config.labels.kernel.spatial[d];
  const int64_t o = config.labels.output.spatial[d];
  const WindowDimension& window = config.window.dims[d];
  spatial.push_back({.window = window,
                     .size = at(lhs.dims, i),
                     .stride = at(row_major_strides(lhs.dims), i),
                     .places = at(result.dims, o),
                     .result_stride = at(row_major_strides(result.dims), o)});
  rows *= at(result.dims, o);
  const int64_t stride = at(row_major_strides(rhs.dims), k);
  Ints longer;
  for (const int64_t cell : kernel_cells) {
    for (int64_t c = 0; c < window.size; ++c) {
      longer.push_back(cell +
                       (window.reversal ? window.size - 1 - c : c) * stride);
    }
  }
  kernel_cells = std::move(longer);
}

/// positions[0, count) becomes, for each of them, its sums with the steps of
/// all cells at the place, -1 being absorbing. From the back, so that it works
/// in place.
void expand(int64_t* positions, int64_t count, const Spatial& spatial,
            int64_t place) {
  const int64_t cells = spatial.window.size;
  for (int64_t i = count; i-- > 0;) {
    const int64_t base = positions[i];
    for (int64_t k = cells; k-- > 0;) {
      const int64_t step = spatial.step(place, k);
      positions[i * cells + k] = base < 0 || step < 0 ? -1 : base + step;
    }
  }
}

void Map::lhs_starts(int64_t g, int64_t m, int64_t* positions) const {
  int64_t inner = rows / std::max<int64_t>(1, batches);
  positions[0] = g * group_step + m / inner * batch_stride;
  int64_t count = 1;
  for (const Spatial& dimension : spatial) {
    m %= inner;
    inner /= dimension.places;
    expand(positions, count, dimension, m / inner);
    count *= dimension.window.size;
  }
}

void Map::rhs_starts(int64_t g, int64_t n, int64_t* positions) const {
  const int64_t base = (g * columns + n) * kernel_output_stride;
  for (const int64_t cell : kernel_cells) *positions++ = base + cell;
}

int64_t Map::result_row(int64_t m) const {
  int64_t position = 0;
  for (size_t d = spatial.size(); d-- > 0;) {
    position += m % spatial[d].places * spatial[d].result_stride;
    m /= spatial[d].places;
  }
  return position + m * result_batch_stride;
}

/// Which group, row and column the element at a position of the result is of.
void locate(const Map& map, int64_t position, int64_t gmn[3]) {
  const auto coordinate = [&](int64_t stride, int64_t size) {
    return position / stride % size;
  };
  const int64_t feature =
      coordinate(map.result_feature_stride, map.groups * map.columns);
  gmn[0] = feature / map.columns;
  gmn[2] = feature % map.columns;
  gmn[1] = coordinate(map.result_batch_stride, map.batches);
  for (const Spatial& dimension : map.spatial) {
    gmn[1] = gmn[1] * dimension.places +
             coordinate(dimension.result_stride, dimension.places);
  }
}

}  // namespace

Contraction convolve(const Shape& lhs, const Shape& rhs, const Shape& result,
                     const ConvolutionConfig& config) {
  const auto map = std::make_shared<const Map>(lhs, rhs, result, config);
  Contraction sums;
  sums.groups = map->groups;
  sums.rows = map->rows;
  sums.columns = map->columns;
  sums.depth = map->cells() * map->features;
  sums.lhs = {.starts = [map](int64_t g, int64_t m,
                              int64_t* p) { map->lhs_starts(g, m, p); },
              .count = map->cells(),
              .length = map->features,
              .stride = map->feature_stride};
  sums.rhs = {.starts = [map](int64_t g, int64_t n,
                              int64_t* p) { map->rhs_starts(g, n, p); },
              .count = map->cells(),
              .length = map->features,
              .stride = map->kernel_input_stride};
  sums.result_row = [map](int64_t, int64_t m) { return map->result_row(m); };
  sums.result_column = [map](int64_t g, int64_t n) {
    return (g * map->columns + n) * map->result_feature_stride;
  };
  sums.locate = [map](int64_t position, int64_t gmn[3]) {
    locate(*map, position, gmn);
  };
  return sums;
}

}  // namespace hlo
