#include "interpreter/contraction_block.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace hlo {
namespace {

constexpr int64_t kDepthStep = 1024;

int64_t round_up(int64_t n, int64_t step) {
  return (n + step - 1) / step * step;
}

template <typename T>
void interleave(const std::vector<T>& vector, T* lane) {
  for (size_t k = 0; k < vector.size(); ++k) {
    lane[k * size_t{kLanes}] = vector[k];
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

}  // namespace

template <typename T>
Panel<T> pack_panel(const Job& job, int64_t g, int64_t first, int64_t count) {
  const int64_t length = job.length();
  const int64_t vectors = round_up(count * job.parts, kLanes);
  Panel<T> panel{g, first, count, vectors, {}, {}};
  // Of length 0 too there is storage to point into.
  panel.numbers.resize(static_cast<size_t>(std::max(vectors * length, kLanes)));
  panel.norms.resize(static_cast<size_t>(vectors));
  VectorReader reader = job.panel_reader();
  std::vector<T> vector(static_cast<size_t>(length));
  for (int64_t i = 0; i < count * job.parts; ++i) {
    if constexpr (std::is_same_v<T, double>) {
      if (i % job.parts == 0)
        reader.read(g, first + i / job.parts, vector.data());
      if (job.parts == 2) i % 2 == 0 ? conjugate(vector) : turn(vector);
      panel.norms[static_cast<size_t>(i)] =
          std::sqrt(sum_of_squares(vector.data(), length, 1));
    } else {
      reader.read(g, first + i, vector.data());
    }
    interleave(vector, panel.numbers.data() + i / kLanes * kLanes * length +
                           i % kLanes);
  }
  return panel;
}

template <typename T>
void pack_rows(const Job& job, const Panel<T>& panel, RowBlock<T>& block,
               VectorReader& reader) {
  const int64_t length = job.length();
  block.numbers.resize(
      static_cast<size_t>(std::max<int64_t>(block.count * length, 1)));
  block.norms.resize(static_cast<size_t>(block.count));
  for (int64_t r = 0; r < block.count; ++r) {
    T* row = block.numbers.data() + r * length;
    reader.read(panel.group, block.first + r, row);
    if constexpr (std::is_same_v<T, double>) {
      block.norms[static_cast<size_t>(r)] =
          std::sqrt(sum_of_squares(row, length, 1));
    }
  }
}

template <typename T>
void multiply(const Job& job, const Panel<T>& panel, RowBlock<T>& block) {
  const int64_t length = job.length();
  block.sums.assign(static_cast<size_t>(block.count * panel.vectors), T{0});
  for (int64_t k = 0; k < length; k += kDepthStep) {
    const int64_t depth = std::min(kDepthStep, length - k);
    for (int64_t v = 0; v < panel.vectors; v += kLanes) {
      multiply_tile(block.numbers.data() + k, block.count, length,
                    panel.tile(v, length) + k * kLanes, depth,
                    block.sums.data() + v, panel.vectors);
    }
  }
}

template Panel<double> pack_panel(const Job&, int64_t, int64_t, int64_t);
template void pack_rows(const Job&, const Panel<double>&, RowBlock<double>&,
                        VectorReader&);
template void multiply(const Job&, const Panel<double>&, RowBlock<double>&);
template Panel<uint32_t> pack_panel(const Job&, int64_t, int64_t, int64_t);
template void pack_rows(const Job&, const Panel<uint32_t>&, RowBlock<uint32_t>&,
                        VectorReader&);
template void multiply(const Job&, const Panel<uint32_t>&, RowBlock<uint32_t>&);
template Panel<uint64_t> pack_panel(const Job&, int64_t, int64_t, int64_t);
template void pack_rows(const Job&, const Panel<uint64_t>&, RowBlock<uint64_t>&,
                        VectorReader&);
template void multiply(const Job&, const Panel<uint64_t>&, RowBlock<uint64_t>&);

}  // namespace hlo
