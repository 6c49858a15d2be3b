#include "backends/cpu/kernels/other_products/multiply_bytes.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/cpu/kernels/other_products/quad_panels.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/threads/share_loop.h"

// The machine multiplies numbers from 0 to 255 by those from -128 to 127, so
// one of a sign the other way is moved by 128 first: with x = x' - a, y = y' +
// b the sum of x y is that of x' y', less a times the sum of y', and b times
// the sum of x more.

namespace hlo::cpu {
namespace {

constexpr int64_t kQuad = 4;
constexpr int64_t kBlock = 128;          // quads of a panel, in L1
constexpr int64_t kMostQuads = 4 << 20;  // of the right matrix at once
constexpr int64_t kMostDepth = 1 << 17;  // of rows that are packed
constexpr int64_t kMostPanels = 6;       // of rows in a task
constexpr int64_t kFewTasks = 8;         // that threads share evenly
constexpr int64_t kShared = 1 << 20;     // products worth another thread
constexpr uint32_t kMoved = 128;
constexpr uint8_t kSign = 0x80;  // to change it moves a number by 128

int64_t rounded_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit; }

/// Whether places are one after the other.
bool is_run(std::span<const int64_t> places) {
  for (size_t i = 1; i < places.size(); ++i) {
    if (places[i] != places[0] + static_cast<int64_t>(i)) return false;
  }
  return true;
}

/// So many columns of the right matrix: for each block of quads panels one
/// after the other, quad by quad, kQuadColumns of each; zero beyond the ends.
class PackedColumns {
 public:
  PackedColumns(const ByteColumns& matrix, bool moves_left)
      : matrix_(matrix),
        moved_(moves_left ? kMoved : 0),
        depth_(std::ssize(matrix.depth)),
        quads_(rounded_up(depth_, kQuad)),
        panels_(rounded_up(std::ssize(matrix.columns), kQuadColumns)),
        runs_(is_run(matrix.columns)),
        words_(reinterpret_cast<uint32_t*>(scratch_bytes(
            Scratch::kRight,
            sizeof(uint32_t) *
                static_cast<size_t>(quads_ * panels_ * kQuadColumns)))),
        starts_(static_cast<size_t>(panels_ * kQuadColumns)) {
    share_loop(panels_, [&](int64_t c) { pack(c); });
  }

  int64_t panels() const { return panels_; }

  int64_t quads() const { return quads_; }

  const uint32_t* panel(int64_t q, int64_t index) const {
    return line(q, index);
  }

  /// What the sums of each column begin with: less a times that of y'.
  std::span<const uint32_t> starts() const { return starts_; }

 private:
  uint32_t* line(int64_t q, int64_t index) const {
    const int64_t begin = q / kBlock * kBlock;
    const int64_t block = std::min(kBlock, quads_ - begin);
    return words_ +
           (begin * panels_ + index * block + q - begin) * kQuadColumns;
  }

  void pack(int64_t index) {
    const auto first = static_cast<size_t>(index * kQuadColumns);
    const size_t n =
        std::min<size_t>(kQuadColumns, matrix_.columns.size() - first);
    uint32_t sums[kQuadColumns] = {};
    for (int64_t q = 0; q < quads_; ++q) {
      uint8_t bytes[kQuad][kQuadColumns] = {};
      for (int64_t j = 0; j < std::min(kQuad, depth_ - q * kQuad); ++j) {
        read(q * kQuad + j, first, n, bytes[j]);
      }
      uint32_t* const to = line(q, index);
      for (size_t i = 0; i < kQuadColumns; ++i) {
        to[i] = uint32_t{bytes[0][i]} | uint32_t{bytes[1][i]} << 8 |
                uint32_t{bytes[2][i]} << 16 | uint32_t{bytes[3][i]} << 24;
      }
      for (const auto& row : bytes) {
        for (size_t i = 0; i < kQuadColumns; ++i) {
          sums[i] += static_cast<uint32_t>(static_cast<int8_t>(row[i]));
        }
      }
    }
    for (size_t i = 0; i < kQuadColumns; ++i) {
      starts_[first + i] = 0 - moved_ * sums[i];
    }
  }

  /// y' of some columns at k.
  void read(int64_t k, size_t first, size_t n, uint8_t* to) const {
    const std::byte* const row =
        matrix_.first + matrix_.depth[static_cast<size_t>(k)];
    if (runs_) {
      std::memcpy(to, row + matrix_.columns[first], n);
    } else {
      for (size_t i = 0; i < n; ++i) {
        to[i] = std::to_integer<uint8_t>(row[matrix_.columns[first + i]]);
      }
    }
    if (matrix_.is_signed) return;
    for (size_t i = 0; i < n; ++i) to[i] ^= kSign;
  }

  const ByteColumns& matrix_;
  uint32_t moved_;  // a
  int64_t depth_;
  int64_t quads_;
  int64_t panels_;
  bool runs_;  // columns are one after the other
  uint32_t* words_;
  std::vector<uint32_t> starts_;
};

/// b times the sum of x, of a row as it is read.
uint32_t moved_sum(const ByteRows& left, const ByteColumns& right,
                   const uint8_t* row) {
  if (right.is_signed) return 0;
  uint32_t sum = 0;
  for (size_t k = 0; k < right.depth.size(); ++k) {
    sum += left.is_signed ? static_cast<uint32_t>(static_cast<int8_t>(row[k]))
                          : uint32_t{row[k]};
  }
  return kMoved * sum;
}

/// Makes x' of x. What stands behind the depth meets zeros.
void move_signs(uint32_t* words, int64_t count) {
  constexpr int64_t kTogether = 64;
  constexpr uint32_t kSigns = 0x80808080;
  int64_t i = 0;
  for (; i + kTogether <= count; i += kTogether) {
    for (int64_t k = 0; k < kTogether; ++k) words[i + k] ^= kSigns;
  }
  for (; i < count; ++i) words[i] ^= kSigns;
}

/// Adds what the products lack to the sums of a row.
void begin_row(uint32_t more, std::span<const uint32_t> starts, int64_t columns,
               int32_t* to) {
  int64_t n = 0;
  for (; n + kQuadColumns <= columns; n += kQuadColumns) {
    const uint32_t* const own = starts.data() + n;
    for (int64_t i = 0; i < kQuadColumns; ++i) {
      const auto before = static_cast<uint32_t>(to[n + i]);
      to[n + i] = static_cast<int32_t>(before + more + own[i]);
    }
  }
  for (; n < columns; ++n) {
    const auto before = static_cast<uint32_t>(to[n]);
    to[n] =
        static_cast<int32_t>(before + more + starts[static_cast<size_t>(n)]);
  }
}

/// Where the sums are, and which part of the depth is added to them.
struct Sums {
  int32_t* first;
  int64_t step;
  int64_t k;  // the first number along the depth
};

/// Rows first ... first + rows - 1 of the sums.
void multiply_rows(const ByteRows& left, const ByteColumns& right,
                   const PackedColumns& packed, int64_t first, int64_t rows,
                   const Sums& sums) {
  const int64_t quads = packed.quads();
  const auto columns = std::ssize(right.columns);
  auto* const words = reinterpret_cast<uint32_t*>(scratch_bytes(
      Scratch::kLeft, sizeof(uint32_t) * static_cast<size_t>(rows * quads)));
  left.read(first, rows, sums.k, std::ssize(right.depth), quads * kQuad,
            reinterpret_cast<uint8_t*>(words));
  int32_t* const result = sums.first + first * sums.step;
  for (int64_t m = 0; m < rows; ++m) {
    const auto* const row = reinterpret_cast<const uint8_t*>(words + m * quads);
    int32_t* const to = result + m * sums.step;
    if (sums.k == 0) std::fill_n(to, columns, 0);
    begin_row(moved_sum(left, right, row), packed.starts(), columns, to);
  }
  if (left.is_signed) move_signs(words, rows * quads);
  for (int64_t q = 0; q < quads; q += kBlock) {
    for (int64_t c = 0; c < packed.panels(); ++c) {
      const int64_t column = c * kQuadColumns;
      for (int64_t m = 0; m < rows; m += kQuadRows) {
        multiply_quad_panels({words + m * quads + q, quads, packed.panel(q, c),
                              std::min(kBlock, quads - q),
                              result + m * sums.step + column, sums.step,
                              std::min(kQuadRows, rows - m),
                              std::min(kQuadColumns, columns - column)});
      }
    }
  }
}

void multiply_some(const ByteRows& left, const ByteColumns& right,
                   const Sums& sums) {
  const PackedColumns packed(right, left.is_signed);
  const int64_t panels = rounded_up(left.count, kQuadRows);
  const int64_t chunk =
      kQuadRows *
      std::clamp<int64_t>(rounded_up(panels, kFewTasks), 1, kMostPanels);
  const auto body = [&](int64_t i) {
    multiply_rows(left, right, packed, i * chunk,
                  std::min(chunk, left.count - i * chunk), sums);
  };
  const int64_t each =
      chunk * packed.quads() * kQuad * std::ssize(right.columns);
  share_loop(rounded_up(left.count, chunk),
             std::max<int64_t>(1, kShared / each), body);
}

}  // namespace

void multiply_bytes(const ByteRows& left, const ByteColumns& right,
                    int32_t* result, int64_t step) {
  const auto depth = std::min(size_t{kMostDepth}, right.depth.size());
  const int64_t quads = rounded_up(static_cast<int64_t>(depth), kQuad);
  const auto some = static_cast<size_t>(
      std::max<int64_t>(kMostQuads / quads / kQuadColumns, 1) * kQuadColumns);
  for (size_t n = 0; n < right.columns.size(); n += some) {
    ByteColumns part = right;
    part.columns =
        right.columns.subspan(n, std::min(some, right.columns.size() - n));
    for (size_t k = 0; k < right.depth.size(); k += depth) {
      part.depth =
          right.depth.subspan(k, std::min(depth, right.depth.size() - k));
      multiply_some(left, part, {result + n, step, static_cast<int64_t>(k)});
    }
  }
}

}  // namespace hlo::cpu
