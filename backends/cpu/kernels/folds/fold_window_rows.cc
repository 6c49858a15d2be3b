#include "backends/cpu/kernels/folds/fold_window_rows.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "backends/cpu/kernels/fold.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kNumbersOfTask = int64_t{32} * 1024;  // that are combined

/// What changes no number that is combined with it, init among them.
template <Combine kHow, typename T>
T neutral(T init) {
  if constexpr (kHow == Combine::kAdd) {
    if constexpr (std::is_integral_v<T>) return T{};
    // That of a complex number has both parts so.
    if constexpr (!std::is_integral_v<T>) return -T{};
  } else if constexpr (kHow == Combine::kMultiply) {
    return T{1};
  } else if constexpr (kHow == Combine::kAnd) {
    return static_cast<T>(~T{});
  } else if constexpr (kHow == Combine::kOr) {
    return T{};
  } else {
    return init;
  }
}

/// Whether numbers may be combined in any order, with the same bits.
template <Combine kHow, typename T>
constexpr bool kIsExact =
    std::is_integral_v<T> || kHow == Combine::kMaximum ||
    kHow == Combine::kMinimum || kHow == Combine::kAnd || kHow == Combine::kOr;

/// So many columns, from `column` on.
template <Combine kHow, int64_t kBeside, typename T>
void fold_beside(const std::vector<const T*>& lines, int64_t column, T init,
                 T* to) {
  T sums[kBeside];
  std::fill_n(sums, kBeside, init);
  for (const T* const line : lines) {
    // What cannot be where the sums are, becomes vectors.
    T own[kBeside];
    std::copy_n(line + column, kBeside, own);
    for (int64_t k = 0; k < kBeside; ++k) {
      sums[k] = combined<kHow>(sums[k], own[k]);
    }
  }
  std::copy_n(sums, kBeside, to + column);
}

/// n columns, of which there are at least kBeside: some of the last ones twice.
template <Combine kHow, int64_t kBeside, typename T>
void fold_blocks_of(const std::vector<const T*>& lines, T init, T* to,
                    int64_t n) {
  int64_t i = 0;
  for (; i + kBeside <= n; i += kBeside) {
    fold_beside<kHow, kBeside>(lines, i, init, to);
  }
  if (i < n) fold_beside<kHow, kBeside>(lines, n - kBeside, init, to);
}

/// to[i] = init with lines[0][i], lines[1][i], ... in order.
template <Combine kHow, typename T>
void fold_columns_of(const std::vector<const T*>& lines, T init, T* to,
                     int64_t n) {
  // As many as a line of the cache has, and as the shortest vectors have.
  constexpr auto kMany = static_cast<int64_t>(64 / sizeof(T));
  constexpr int64_t kFew = std::max<int64_t>(kMany / 4, 1);
  if (n >= kMany) return fold_blocks_of<kHow, kMany>(lines, init, to, n);
  if (n >= kFew) return fold_blocks_of<kHow, kFew>(lines, init, to, n);
  for (int64_t i = 0; i < n; ++i) fold_beside<kHow, 1>(lines, i, init, to);
}

/// That of f32 by vectors, where there is such a fold.
template <Combine kHow>
void fold_columns_of(const std::vector<const float*>& lines, float init,
                     float* to, int64_t n) requires(kHow == Combine::kAdd ||
                                                    kHow == Combine::kMaximum ||
                                                    kHow == Combine::kMinimum) {
  constexpr Fold kFold = kHow == Combine::kAdd       ? Fold::kAdd
                         : kHow == Combine::kMaximum ? Fold::kMaximum
                                                     : Fold::kMinimum;
  fold_lines(kFold, lines.data(), std::ssize(lines), init, to, n);
}

/// The places of a phase of the padded last line: those of a tap, moved by as
/// many as a later tap is behind the first.
int64_t phase_of(const WindowLine& line) {
  return line.output + (line.window - 1) * line.window_dilation / line.stride +
         1;
}

/// The rows of the last line, on one thread.
template <Combine kHow, typename T>
class RowFold {
 public:
  RowFold(const Windows& windows, std::span<const WindowLine> lines,
          const T* from, T init, T* to)
      : windows_(windows),
        line_(lines.back()),
        from_(from),
        init_(init),
        to_(to),
        begins_(static_cast<size_t>(windows.taps() / line_.window)),
        phase_(phase_of(line_)),
        rows_(begins_.size() * static_cast<size_t>(phase_ * line_.stride)) {}

  /// Row `place` of the result.
  void run(int64_t place) {
    windows_.outer_offsets(place, begins_);
    lines_of_row_.clear();
    if (kIsExact<kHow, T> && line_.step == 1 && begins_.size() > 1) {
      add_taps(joined(), rows_.data());
    } else {
      T* row = rows_.data();
      for (const int64_t begin : begins_) {
        if (begin < 0) continue;
        add_taps(from_ + begin, row);
        row += phase_ * line_.stride;
      }
    }
    fold_columns_of<kHow>(lines_of_row_, init_, to_ + place * line_.output,
                          line_.output);
  }

 private:
  /// All rows that the window covers as one.
  const T* joined() {
    covered_.clear();
    for (const int64_t begin : begins_) {
      if (begin >= 0) covered_.push_back(from_ + begin);
    }
    one_row_.resize(static_cast<size_t>(line_.input));
    fold_columns_of<kHow>(covered_, neutral<kHow>(init_), one_row_.data(),
                          line_.input);
    return one_row_.data();
  }

  /// Lists what the taps have of a row, of whose phases `row` is the memory.
  void add_taps(const T* from, T* row) {
    spread(from, row);
    for (int64_t tap = 0; tap < line_.window; ++tap) {
      const int64_t at = tap * line_.window_dilation;
      lines_of_row_.push_back(row + at % line_.stride * phase_ +
                              at / line_.stride);
    }
  }

  /// Number i of the padded line becomes number i / stride of phase i % stride,
  /// where the places of a tap lie one after the other.
  void spread(const T* from, T* row) const {
    std::fill_n(row, phase_ * line_.stride, neutral<kHow>(init_));
    if (line_.base_dilation == 1) return spread_phases(from, row);
    for (int64_t i = first(); i < line_.input; ++i) {
      const int64_t at = i * line_.base_dilation + line_.low;
      if (at >= phase_ * line_.stride) break;
      row[at % line_.stride * phase_ + at / line_.stride] =
          from[i * line_.step];
    }
  }

  /// Without numbers between those of the line.
  void spread_phases(const T* from, T* row) const {
    for (int64_t p = 0; p < line_.stride; ++p, row += phase_) {
      const int64_t before = line_.low - p;
      int64_t k = before <= 0 ? 0 : (before - 1) / line_.stride + 1;
      int64_t i = k * line_.stride - before;
      if (line_.stride == 1 && line_.step == 1) {
        const int64_t n = std::min(line_.input - i, phase_ - k);
        if (n > 0) std::copy_n(from + i, n, row + k);
        return;
      }
      if (i >= line_.input) continue;
      const int64_t n = std::min(
          phase_ - k, (line_.input - i + line_.stride - 1) / line_.stride);
      const int64_t step = line_.stride * line_.step;
      const T* const own = from + i * line_.step;
      for (int64_t j = 0; j < n; ++j) row[k + j] = own[j * step];
    }
  }

  /// The first number that is not before the padded line.
  int64_t first() const {
    return line_.low >= 0 ? 0 : (-line_.low - 1) / line_.base_dilation + 1;
  }

  const Windows& windows_;
  WindowLine line_;
  const T* from_;
  T init_;
  T* to_;
  std::vector<int64_t> begins_;  // of the rows that a window covers
  int64_t phase_;
  std::vector<T> rows_;
  std::vector<const T*> lines_of_row_;
  std::vector<const T*> covered_;
  std::vector<T> one_row_;  // they as one
};

template <Combine kHow, typename T>
void fold_rows_of(std::span<const WindowLine> lines, const T* from, T init,
                  T* to) {
  const Windows windows({lines.begin(), lines.end()});
  const int64_t rows = windows.places() / lines.back().output;
  const int64_t work = lines.back().output * windows.taps();
  const int64_t some =
      std::max<int64_t>(1, kNumbersOfTask / std::max<int64_t>(1, work));
  share_loop((rows + some - 1) / some, [&](int64_t task) {
    RowFold<kHow, T> fold(windows, lines, from, init, to);
    const int64_t last = std::min(rows, (task + 1) * some);
    for (int64_t row = task * some; row < last; ++row) fold.run(row);
  });
}

}  // namespace

int64_t window_row_numbers(std::span<const WindowLine> lines) {
  int64_t numbers = phase_of(lines.back()) * lines.back().stride;
  for (const WindowLine& line : lines.first(lines.size() - 1)) {
    numbers = std::min(numbers, INT64_MAX / line.window) * line.window;
  }
  return numbers;
}

bool fold_window_rows(Combine how, ElementType type,
                      std::span<const WindowLine> lines, const std::byte* from,
                      const std::byte* init, std::byte* to) {
  return with_loops<false>(how, type, [&](auto number, auto constant) {
    using T = decltype(number);
    fold_rows_of<decltype(constant)::value>(
        lines, reinterpret_cast<const T*>(from),
        *reinterpret_cast<const T*>(init), reinterpret_cast<T*>(to));
  });
}

}  // namespace hlo::cpu
