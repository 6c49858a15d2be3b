#include "backends/cpu/kernels/products/multiply_pairs.h"

#include <algorithm>
#include <atomic>

#include "backends/cpu/kernels/products/pair_packing.h"
#include "backends/cpu/kernels/products/pair_panels.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kBlock = 256;           // pairs of a panel, in L1
constexpr int64_t kStep = kBlock + 16;    // from a packed row to the next
constexpr int64_t kMostPairs = 4 << 20;   // of the right matrix at once
constexpr int64_t kLeastProducts = 4096;  // for which packing pays
constexpr int64_t kMostPanels = 6;        // of rows in a task
constexpr int64_t kFewTasks = 8;          // that threads share evenly

int64_t rounded_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit; }

/// One row or column: numbers of bf16, `step` apart.
struct Line {
  const uint16_t* first;
  int64_t step;

  uint16_t at(int64_t k) const { return first[k * step]; }

  bool has_small(int64_t count) const {
    if (step == 1) return cpu::has_small(first, count);
    bool small = false;
    for (int64_t k = 0; k < count; ++k) small |= is_small(at(k));
    return small;
  }
};

Line row_of(const Matrix& matrix, int64_t row) {
  return {static_cast<const uint16_t*>(matrix.first) + row * matrix.row_step,
          matrix.column_step};
}

/// Whether one of so many rows has one.
bool has_small(const Matrix& matrix, int64_t rows, int64_t columns) {
  std::atomic<bool> found{false};
  const int64_t some = std::max<int64_t>(1, (int64_t{64} << 10) / columns);
  share_loop(rows, some, [&](int64_t m) {
    if (row_of(matrix, m).has_small(columns)) found = true;
  });
  return found;
}

/// Pairs along the depth, from pair p on, of so many; zero behind the last one.
void pack_row(const Line& row, int64_t depth, int64_t p, int64_t pairs,
              uint32_t* to) {
  const int64_t whole = row.step == 1 ? std::min(pairs, depth / 2 - p) : 0;
  pair_neighbours(row.first + 2 * p, whole, to);
  for (int64_t i = whole; i < pairs; ++i) {
    const int64_t k = 2 * (p + i);
    const uint16_t second = k + 1 < depth ? row.at(k + 1) : uint16_t{0};
    to[i] = pair_of(row.at(k), second);
  }
}

/// Some columns of the right matrix: for each block of pairs panels one after
/// the other, pair by pair, kPairColumns of each.
class PackedRight {
 public:
  PackedRight(const Matrix& matrix, int64_t depth, int64_t columns)
      : matrix_(matrix),
        depth_(depth),
        columns_(columns),
        pairs_(rounded_up(depth, 2)),
        panels_(rounded_up(columns, kPairColumns)),
        words_(reinterpret_cast<uint32_t*>(scratch_bytes(
            Scratch::kRight,
            sizeof(uint32_t) *
                static_cast<size_t>(pairs_ * panels_ * kPairColumns)))) {
    constexpr int64_t kTogether = 32;  // pairs of a task
    share_loop(pairs_, kTogether, [&](int64_t p) { pack(p); });
  }

  int64_t panels() const { return panels_; }

  int64_t pairs() const { return pairs_; }

  const uint32_t* panel(int64_t p, int64_t index) const {
    return line(p, index);
  }

 private:
  /// Columns of panel `index` at pair p.
  uint32_t* line(int64_t p, int64_t index) const {
    const int64_t begin = p / kBlock * kBlock;
    const int64_t block = std::min(kBlock, pairs_ - begin);
    return words_ +
           (begin * panels_ + index * block + p - begin) * kPairColumns;
  }

  void pack(int64_t p) const {
    const Line first = row_of(matrix_, 2 * p);
    const bool has_second = 2 * p + 1 < depth_;
    const Line second = has_second ? row_of(matrix_, 2 * p + 1) : first;
    for (int64_t c = 0; c < panels_; ++c) {
      uint32_t* const to = line(p, c);
      const int64_t begin = c * kPairColumns;
      const int64_t n = std::min(kPairColumns, columns_ - begin);
      if (has_second && matrix_.column_step == 1) {
        pair_lines(first.first + begin, second.first + begin, n, to);
      } else {
        for (int64_t j = 0; j < n; ++j) {
          to[j] = pair_of(first.at(begin + j),
                          has_second ? second.at(begin + j) : uint16_t{0});
        }
      }
      std::fill(to + n, to + kPairColumns, 0U);
    }
  }

  Matrix matrix_;
  int64_t depth_;
  int64_t columns_;
  int64_t pairs_;
  int64_t panels_;
  uint32_t* words_;
};

/// Where the result lies.
struct Result {
  float* first;
  int64_t step;
  int64_t columns;
};

/// Rows first ... first + rows - 1 of the result.
void multiply_rows(const LeftMatrix& left, const PackedRight& right,
                   const Result& result, int64_t first, int64_t rows) {
  auto* const packed = reinterpret_cast<uint32_t*>(scratch_bytes(
      Scratch::kLeft, sizeof(uint32_t) * static_cast<size_t>(rows * kStep)));
  for (int64_t p = 0; p < right.pairs(); p += kBlock) {
    const int64_t pairs = std::min(kBlock, right.pairs() - p);
    for (int64_t m = 0; m < rows; ++m) {
      pack_row(row_of(left.memory, first + m), left.depth, p, pairs,
               packed + m * kStep);
    }
    for (int64_t c = 0; c < right.panels(); ++c) {
      const int64_t column = c * kPairColumns;
      for (int64_t m = 0; m < rows; m += kPairRows) {
        multiply_pair_panels({packed + m * kStep, kStep, right.panel(p, c),
                              pairs, p > 0,
                              result.first + (first + m) * result.step + column,
                              result.step, std::min(kPairRows, rows - m),
                              std::min(kPairColumns, result.columns - column)});
      }
    }
  }
}

void multiply_some(const LeftMatrix& left, const Matrix& matrix,
                   const Result& result) {
  const PackedRight right(matrix, left.depth, result.columns);
  const int64_t panels = rounded_up(left.rows, kPairRows);
  const int64_t chunk =
      kPairRows *
      std::clamp<int64_t>(rounded_up(panels, kFewTasks), 1, kMostPanels);
  share_loop(rounded_up(left.rows, chunk), [&](int64_t i) {
    multiply_rows(left, right, result, i * chunk,
                  std::min(chunk, left.rows - i * chunk));
  });
}

}  // namespace

bool multiply_pairs(const LeftMatrix& left, const Matrix& right,
                    int64_t columns, float* result, int64_t result_step) {
  if (left.list || left.memory.stored != Stored::kBf16 ||
      right.stored != Stored::kBf16 || !has_pair_products() ||
      left.rows < kPairRows || columns < kPairColumns ||
      left.depth * columns < kLeastProducts ||
      has_small(left.memory, left.rows, left.depth) ||
      has_small(right, left.depth, columns)) {
    return false;
  }
  const int64_t some =
      std::max<int64_t>(kMostPairs / rounded_up(left.depth, 2) / kPairColumns,
                        1) *
      kPairColumns;
  for (int64_t n = 0; n < columns; n += some) {
    const auto* const first =
        static_cast<const uint16_t*>(right.first) + n * right.column_step;
    multiply_some(left,
                  {first, right.row_step, right.column_step, right.stored},
                  {result + n, result_step, std::min(some, columns - n)});
  }
  return true;
}

}  // namespace hlo::cpu
