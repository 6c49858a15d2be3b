#include "interpreter/plans/contraction/blocks/contraction_block.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "interpreter/numeric/exact/exact_block.h"

namespace hlo {
namespace {

template <typename T>
void interleave(const std::vector<T>& vector, int64_t lanes, T* lane) {
  for (const T number : vector) {
    *lane = number;
    lane += lanes;
  }
}

/// (re, im).. becomes (re, -im).., which gives real parts of products.
void conjugate(std::vector<double>& vector) {
  for (size_t k = 1; k < vector.size(); k += 2) vector[k] = -vector[k];
}

/// (re, -im).. becomes (im, re).., which gives imaginary parts of products.
void turn(std::vector<double>& vector) {
  for (size_t k = 0; k < vector.size(); k += 2) {
    vector[k + 1] = -vector[k + 1];
    std::swap(vector[k], vector[k + 1]);
  }
}

/// Norms of the vectors of a tile.
void add_norms(const double* tile, int64_t length, int64_t lanes,
               double* norms) {
  std::fill_n(norms, lanes, 0.0);
  numeric::add_squares(tile, length, lanes, norms);
  for (int64_t v = 0; v < lanes; ++v) norms[v] = std::sqrt(norms[v]);
}

double norm(const double* row, int64_t length) {
  constexpr int64_t kLanes = 8;
  double lanes[kLanes] = {};
  int64_t k = 0;
  for (; k + kLanes <= length; k += kLanes) {
    for (int64_t l = 0; l < kLanes; ++l) lanes[l] += row[k + l] * row[k + l];
  }
  double sum = 0;
  for (; k < length; ++k) sum += row[k] * row[k];
  for (const double lane : lanes) sum += lane;
  return std::sqrt(sum);
}

/// Packs one panel, a tile at a time.
template <typename T>
class Packer {
 public:
  Packer(const Job& job, Panel<T>& panel)
      : job_(job),
        panel_(panel),
        length_(job.length()),
        lanes_(best_kernel<T>().lanes),
        reader_(job.panel_reader()),
        vector_(static_cast<size_t>(length_)) {}

  void run() {
    for (int64_t v = 0; v < panel_.vectors; v += lanes_) {
      T* const tile = panel_.numbers.data() + v * length_;
      pack_tile(v, tile);
      if constexpr (std::is_same_v<T, double>) {
        add_norms(tile, length_, lanes_, panel_.norms.data() + v);
      }
    }
  }

 private:
  void pack_tile(int64_t first, T* tile) {
    const int64_t count = std::min(lanes_, panel_.count * job_.parts - first);
    if constexpr (std::is_same_v<T, double>) {
      if (reader_.read_tile(panel_.group, panel_.first + first, count, lanes_,
                            tile)) {
        return;
      }
    }
    for (int64_t v = 0; v < count; ++v) {
      load(first + v);
      interleave(vector_, lanes_, tile + v);
    }
  }

  void load(int64_t v) {
    const int64_t index = panel_.first + v / job_.parts;
    if (v % job_.parts == 0) reader_.read(panel_.group, index, vector_.data());
    if constexpr (std::is_same_v<T, double>) {
      if (job_.parts == 2) v % 2 == 0 ? conjugate(vector_) : turn(vector_);
    }
  }

  const Job& job_;
  Panel<T>& panel_;
  int64_t length_;
  int64_t lanes_;
  VectorReader reader_;
  std::vector<T> vector_;
};

}  // namespace

template <typename T>
Panel<T> pack_panel(const Job& job, int64_t g, int64_t first, int64_t count) {
  const int64_t length = job.length();
  const int64_t lanes = best_kernel<T>().lanes;
  const int64_t vectors = round_up(count * job.parts, lanes);
  Panel<T> panel{g, first, count, vectors, {}, {}, {}};
  if constexpr (std::is_same_v<T, double>) {
    panel.slices = std::make_shared<PanelSlices>();
  }
  // There is storage to point into, of length 0 too.
  panel.numbers.resize(static_cast<size_t>(std::max(vectors * length, lanes)));
  panel.norms.resize(static_cast<size_t>(vectors));
  Packer<T>(job, panel).run();
  for (int64_t c = 0; c < count; ++c) {
    const int64_t place = job.column_place(g, first + c) * job.parts;
    panel.places.push_back(place);
    if (job.parts == 2) panel.places.push_back(place + 1);
  }
  return panel;
}

template <typename T>
void pack_rows(const Job& job, int64_t g, PackedRows<T>& rows,
               VectorReader& reader) {
  const int64_t length = job.length();
  const int64_t padded = rows.count + best_kernel<T>().rows - 1;
  rows.numbers.resize(
      static_cast<size_t>(std::max<int64_t>(padded * length, 1)));
  rows.norms.resize(static_cast<size_t>(rows.count));
  for (int64_t r = 0; r < rows.count; ++r) {
    T* row = rows.numbers.data() + r * length;
    reader.read(g, rows.first + r, row);
    if constexpr (std::is_same_v<T, double>) {
      rows.norms[static_cast<size_t>(r)] = norm(row, length);
    }
  }
  std::fill(rows.numbers.begin() + rows.count * length, rows.numbers.end(),
            T{0});
}

template <typename T>
void multiply(const T* rows, int64_t count, const T* tiles, int64_t vectors,
              int64_t length, T* sums) {
  const TileKernel<T>& kernel = best_kernel<T>();
  for (int64_t k = 0; k < length; k += kBlockDepth) {
    const int64_t depth = std::min(kBlockDepth, length - k);
    for (int64_t v = 0; v < vectors; v += kernel.lanes) {
      const T* const tile = tiles + v * length + k * kernel.lanes;
      for (int64_t r = 0; r < count; r += kernel.rows) {
        kernel.multiply(rows + r * length + k, length, tile, depth,
                        sums + r * vectors + v, vectors);
      }
    }
  }
}

template Panel<double> pack_panel(const Job&, int64_t, int64_t, int64_t);
template void pack_rows(const Job&, int64_t, PackedRows<double>&,
                        VectorReader&);
template void multiply(const double*, int64_t, const double*, int64_t, int64_t,
                       double*);
template Panel<uint32_t> pack_panel(const Job&, int64_t, int64_t, int64_t);
template void pack_rows(const Job&, int64_t, PackedRows<uint32_t>&,
                        VectorReader&);
template void multiply(const uint32_t*, int64_t, const uint32_t*, int64_t,
                       int64_t, uint32_t*);
template Panel<uint64_t> pack_panel(const Job&, int64_t, int64_t, int64_t);
template void pack_rows(const Job&, int64_t, PackedRows<uint64_t>&,
                        VectorReader&);
template void multiply(const uint64_t*, int64_t, const uint64_t*, int64_t,
                       int64_t, uint64_t*);

}  // namespace hlo
