#include "backends/cpu/kernels/products/multiply_matrices.h"

#include <algorithm>
#include <utility>

#include "backends/cpu/kernels/products/multiply_pairs.h"
#include "backends/cpu/kernels/products/packed_columns.h"
#include "backends/cpu/kernels/products/panels.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPackedFloats = 1 << 20;  // of the right matrix at once
constexpr int64_t kPanels = 6;              // of rows in a task, at most
constexpr int64_t kFewTasks = 8;            // that threads share evenly
constexpr int64_t kLines = 64;              // that a task packs
constexpr int64_t kNear = 272;              // step between lines of few pages
constexpr int64_t kFewRows = 48;            // for which nothing is packed once

int64_t rounded_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit; }

/// The right matrix: panels that are read where they lie, then others, packed.
struct Right {
  Matrix matrix;
  int64_t columns;
  int64_t direct;  // panels
  PackedColumns packed;

  /// Where panel `index` begins at k, and the step from there to the next k.
  std::pair<const float*, int64_t> panel(int64_t k, int64_t index) const {
    if (index >= direct) return {packed.line(k, index - direct), packed.width};
    return {reinterpret_cast<const float*>(matrix.at(k, index * packed.width)),
            matrix.row_step};
  }
};

/// Where rows of the result lie.
struct Rows {
  float* first;
  int64_t step;
};

/// Whether panels of rows are as good where they lie as they are packed: their
/// rows do not meet in one set of L1.
bool is_packed(const LeftMatrix& left) {
  constexpr int64_t kSameSet = 1024;
  return !left.list && left.memory.stored == Stored::kWord &&
         left.memory.column_step == 1 && left.memory.row_step % kSameSet != 0;
}

PackRows rows_of(const LeftMatrix& left, int64_t first, int64_t rows) {
  if (left.list) return left.list(first, rows);
  return
      [&left, first, rows](int64_t k, int64_t depth, int64_t step, float* to) {
        read_rows(left.memory.from(first, k), rows, depth, to, step);
      };
}

/// Some rows of the result times some columns.
struct Block {
  const LeftMatrix& left;
  const Right& right;
  Rows result;
  PanelSize size;
  int64_t chunk;  // rows that are packed together

  /// Rows first ... first + chunk - 1, panels begin ... end - 1 of columns.
  void run(int64_t first, int64_t begin, int64_t end) const {
    const int64_t rows = std::min(chunk, left.rows - first);
    if (is_packed(left)) {
      for (int64_t k = 0; k < left.depth; k += kPanelDepth) {
        multiply(reinterpret_cast<const float*>(left.memory.at(first, k)),
                 left.memory.row_step, {first, rows, k, begin, end});
      }
      return;
    }
    const int64_t panels = rounded_up(rows, size.rows);
    const int64_t step = packed_step(left.depth);
    const auto floats = static_cast<size_t>(panels * size.rows * step);
    auto* packed_left = reinterpret_cast<float*>(
        scratch_bytes(Scratch::kLeft, sizeof(float) * floats));
    const PackRows pack = rows_of(left, first, rows);
    for (int64_t k = 0; k < left.depth; k += kPanelDepth) {
      pack(k, std::min(kPanelDepth, left.depth - k), step, packed_left);
      multiply(packed_left, step, {first, rows, k, begin, end});
    }
  }

 private:
  struct Part {
    int64_t first, rows;  // of the left
    int64_t k;            // from there on a block of the depth
    int64_t begin, end;   // panels of columns
  };

  void multiply(const float* from, int64_t step, const Part& part) const {
    const int64_t depth = std::min(kPanelDepth, left.depth - part.k);
    for (int64_t c = part.begin; c < part.end; ++c) {
      const auto [panel, right_step] = right.panel(part.k, c);
      const int64_t columns =
          std::min(size.columns, right.columns - c * size.columns);
      for (int64_t p = 0; p < part.rows; p += size.rows) {
        const Factors factors{from + p * step, panel};
        multiply_panels(
            {{&factors, 1},
             step,
             right_step,
             depth,
             false,
             part.k > 0,
             result.first + (part.first + p) * result.step + c * size.columns,
             result.step,
             std::min(size.rows, part.rows - p),
             columns});
      }
    }
  }
};

/// Panels that are not packed: to read them once more for each panel of few
/// rows costs less. The last one may be, where it is not one of whole vectors.
int64_t direct_panels(const LeftMatrix& left, const Matrix& right,
                      int64_t columns, const PanelSize& size) {
  if (right.stored != Stored::kWord || right.column_step != 1 ||
      left.rows > (right.row_step <= kNear ? 4 * kFewRows : kFewRows)) {
    return 0;
  }
  const bool is_whole = columns % (size.columns / 2) == 0;
  return is_whole ? rounded_up(columns, size.columns) : columns / size.columns;
}

void multiply_some(const LeftMatrix& left, const Matrix& matrix,
                   int64_t columns, const Rows& result) {
  const PanelSize size = panel_size();
  const int64_t panels = rounded_up(columns, size.columns);
  const int64_t direct = direct_panels(left, matrix, columns, size);
  Right right{matrix,
              columns,
              direct,
              {left.depth, panels - direct, size.columns, nullptr}};
  const bool large = left.rows * columns * left.depth > 1 << 18;
  const auto each = [&](int64_t count, const auto& body) {
    if (large) return share_loop(count, body);
    for (int64_t i = 0; i < count; ++i) body(i);
  };
  if (panels > direct) {
    right.packed.floats = reinterpret_cast<float*>(scratch_bytes(
        Scratch::kRight,
        sizeof(float) * static_cast<size_t>(right.packed.count())));
    const int64_t packed_from = direct * size.columns;
    const Matrix rest = matrix.columns_from(packed_from);
    each(rounded_up(left.depth, kLines), [&](int64_t i) {
      pack_lines(rest, columns - packed_from, i * kLines,
                 std::min((i + 1) * kLines, left.depth), right.packed);
    });
  }
  const int64_t chunk =
      size.rows *
      std::clamp<int64_t>(
          rounded_up(rounded_up(left.rows, size.rows), kFewTasks), 1, kPanels);
  const Block block{left, right, result, size, chunk};
  const int64_t chunks = rounded_up(left.rows, chunk);
  // Few rows are shared by columns: each share packs the rows once more.
  const int64_t shares =
      std::clamp<int64_t>(rounded_up(kFewTasks, std::max<int64_t>(chunks, 1)),
                          1, std::max<int64_t>(panels / 4, 1));
  each(chunks * shares, [&](int64_t i) {
    const int64_t share = i % shares;
    block.run(i / shares * chunk, share * panels / shares,
              (share + 1) * panels / shares);
  });
}

}  // namespace

void multiply_matrices(const LeftMatrix& left, const Matrix& right,
                       int64_t columns, float* result, int64_t result_step) {
  if (left.depth == 0) {
    for (int64_t m = 0; m < left.rows; ++m) {
      std::fill_n(result + m * result_step, columns, 0.0F);
    }
    return;
  }
  if (multiply_pairs(left, right, columns, result, result_step)) return;
  const int64_t unit = panel_size().columns;
  const int64_t some =
      std::max<int64_t>(kPackedFloats / left.depth / unit, 1) * unit;
  for (int64_t n = 0; n < columns; n += some) {
    multiply_some(left, right.columns_from(n), std::min(some, columns - n),
                  {result + n, result_step});
  }
}

}  // namespace hlo::cpu
