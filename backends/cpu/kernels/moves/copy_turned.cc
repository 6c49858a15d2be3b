#include "backends/cpu/kernels/moves/copy_turned.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "backends/cpu/kernels/moves/turn_words.h"
#include "backends/cpu/kernels/with_width.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kOfTask = int64_t{32} * 1024;  // elements
constexpr int64_t kFewest = 4;                   // elements beside each other

/// The dimension whose elements lie beside each other.
std::optional<size_t> near_dimension(const View& view) {
  for (size_t d = 0; d + 1 < view.dims.size(); ++d) {
    if (view.strides[d] == 1 && view.dims[d] >= kFewest) return d;
  }
  return std::nullopt;
}

/// Matrices of `near` columns of the memory, of which each becomes a row.
template <typename T>
class Turned {
 public:
  Turned(const View& view, size_t near, const T* from, T* to)
      : offset_(view.offset), from_(from), to_(to) {
    const size_t last = view.dims.size() - 1;
    rows_ = view.dims[near];
    columns_ = view.dims[last];
    column_step_ = view.strides[last];
    const View dense = View::dense(view.dims);
    row_step_ = dense.strides[near];
    for (size_t d = 0; d < last; ++d) {
      if (d == near) continue;
      outer_.dims.push_back(view.dims[d]);
      outer_.strides.push_back(dense.strides[d]);
      outer_from_.push_back(view.strides[d]);
    }
  }

  void run() const {
    const int64_t blocks = (rows_ + kLine - 1) / kLine;
    const int64_t count = outer_.count() * blocks;
    const int64_t some =
        std::max<int64_t>(1, kOfTask / (std::min(kLine, rows_) * columns_));
    share_loop((count + some - 1) / some, [&](int64_t task) {
      const int64_t end = std::min(count, (task + 1) * some);
      for (int64_t i = task * some; i < end; ++i) {
        turn(i / blocks, i % blocks * kLine);
      }
    });
  }

 private:
  // Elements of a line of the cache.
  static constexpr auto kLine = static_cast<int64_t>(64 / sizeof(T));

  void turn(int64_t outer, int64_t row) const {
    int64_t source = offset_;
    int64_t target = 0;
    for (size_t d = outer_.dims.size(); d-- > 0;) {
      const int64_t index = outer % outer_.dims[d];
      outer /= outer_.dims[d];
      source += index * outer_from_[d];
      target += index * outer_.strides[d];
    }
    const int64_t rows = std::min(kLine, rows_ - row);
    const T* const from = from_ + source + row;
    T* const to = to_ + target + row * row_step_;
    if constexpr (sizeof(T) <= sizeof(uint64_t)) {
      return turn_words(sizeof(T), {from, column_step_}, columns_, rows,
                        {to, row_step_});
    }
    for (int64_t column = 0; column < columns_; column += kLine) {
      const int64_t columns = std::min(kLine, columns_ - column);
      turn_block(from + column * column_step_, rows, columns, to + column);
    }
  }

  /// By a copy, so that each line of the memory is read and written once: lines
  /// that lie powers of two apart drive each other out of the cache.
  void turn_block(const T* from, int64_t rows, int64_t columns, T* to) const {
    T block[kLine][kLine];
    for (int64_t c = 0; c < columns; ++c) {
      std::copy_n(from + c * column_step_, rows, block[c]);
    }
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) to[r * row_step_ + c] = block[c][r];
    }
  }

  int64_t offset_;
  const T* from_;
  T* to_;
  int64_t rows_ = 0;
  int64_t columns_ = 0;
  int64_t column_step_ = 0;  // in the memory
  int64_t row_step_ = 0;     // in the result
  View outer_;               // the other dimensions in the result
  std::vector<int64_t> outer_from_;
};

}  // namespace

bool copy_turned(const View& collapsed, size_t width, const std::byte* from,
                 std::byte* to) {
  const auto near = near_dimension(collapsed);
  if (!near || collapsed.strides.back() == 0) return false;
  with_width(width, [&](auto element) {
    using T = decltype(element);
    Turned<T>(collapsed, *near, reinterpret_cast<const T*>(from),
              reinterpret_cast<T*>(to))
        .run();
  });
  return true;
}

}  // namespace hlo::cpu
