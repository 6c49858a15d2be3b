#include "backends/cpu/kernels/folds/fold_numbers.h"

#include <algorithm>
#include <vector>

#include "backends/cpu/kernels/fold.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kLanes = 16;
constexpr int64_t kBlock = int64_t{32} * 1024;  // numbers worth another thread
constexpr int64_t kColumns = 512;               // of a task

int64_t blocks_of(int64_t count, int64_t each) {
  return (count + each - 1) / each;
}

/// The numbers of a line, at least one, as one: lanes, then these in order.
template <Combine kHow, typename T>
T fold_line_of(const T* line, int64_t length) {
  T lanes[kLanes] = {};
  const int64_t first = std::min(length, kLanes);
  std::copy_n(line, first, lanes);
  int64_t i = first;
  for (; i + kLanes <= length; i += kLanes) {
    for (int64_t k = 0; k < kLanes; ++k) {
      lanes[k] = combined<kHow>(lanes[k], line[i + k]);
    }
  }
  for (int64_t k = 0; i < length; ++i, ++k) {
    lanes[k] = combined<kHow>(lanes[k], line[i]);
  }
  T all = lanes[0];
  for (int64_t k = 1; k < first; ++k) all = combined<kHow>(all, lanes[k]);
  return all;
}

/// The blocks of all lines as one number each, in order.
template <Combine kHow, typename T>
std::vector<T> fold_blocks(const LineSizes& sizes, const T* from) {
  const int64_t blocks = blocks_of(sizes.length, kBlock);
  std::vector<T> all(static_cast<size_t>(sizes.outer * blocks));
  const int64_t some = std::max<int64_t>(1, kBlock / sizes.length);
  const auto count = std::ssize(all);
  share_loop(blocks_of(count, some), [&](int64_t task) {
    const int64_t last = std::min(count, (task + 1) * some);
    for (int64_t i = task * some; i < last; ++i) {
      const int64_t first = i % blocks * kBlock;
      all[static_cast<size_t>(i)] =
          fold_line_of<kHow>(from + i / blocks * sizes.length + first,
                             std::min(kBlock, sizes.length - first));
    }
  });
  return all;
}

template <Combine kHow, typename T>
void fold(const LineSizes& sizes, const T* from, T init, T* to) {
  const int64_t blocks = blocks_of(sizes.length, kBlock);
  const std::vector<T> all = fold_blocks<kHow>(sizes, from);
  for (int64_t i = 0; i < sizes.outer; ++i) {
    to[i] = init;
    for (int64_t b = 0; b < blocks; ++b) {
      to[i] = combined<kHow>(to[i], all[static_cast<size_t>(i * blocks + b)]);
    }
  }
}

/// Calls body(first number, count) for columns of the lines beside each other.
template <typename Body>
void each_column_block(const LineSizes& sizes, const Body& body) {
  const int64_t blocks = blocks_of(sizes.inner, kColumns);
  share_loop(sizes.outer * blocks, [&](int64_t task) {
    const int64_t column = task % blocks * kColumns;
    body(task / blocks, column, std::min(kColumns, sizes.inner - column));
  });
}

template <Combine kHow, typename T>
void fold_columns(const LineSizes& sizes, const T* from, T init, T* to) {
  each_column_block(sizes, [&](int64_t outer, int64_t column, int64_t n) {
    T* const sums = to + outer * sizes.inner + column;
    std::fill_n(sums, n, init);
    for (int64_t i = 0; i < sizes.length; ++i) {
      const T* const row =
          from + (outer * sizes.length + i) * sizes.inner + column;
      for (int64_t c = 0; c < n; ++c) {
        sums[c] = combined<kHow>(sums[c], row[c]);
      }
    }
  });
}

template <Combine kHow, typename T>
void scan_block(const T* from, int64_t count, bool reversed, T before, T* to) {
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = reversed ? count - 1 - k : k;
    before = combined<kHow>(before, from[i]);
    to[i] = before;
  }
}

template <Combine kHow, typename T>
void scan(const LineSizes& sizes, bool reversed, const T* from, T init, T* to) {
  const int64_t blocks = blocks_of(sizes.length, kBlock);
  std::vector<T> before(static_cast<size_t>(sizes.outer), init);
  if (blocks > 1) {
    // What each block begins with takes the place of its own numbers.
    before = fold_blocks<kHow>(sizes, from);
    for (int64_t i = 0; i < sizes.outer; ++i) {
      T sum = init;
      for (int64_t k = 0; k < blocks; ++k) {
        const int64_t b = reversed ? blocks - 1 - k : k;
        T& own = before[static_cast<size_t>(i * blocks + b)];
        const T next = combined<kHow>(sum, own);
        own = sum;
        sum = next;
      }
    }
  }
  const int64_t some = std::max<int64_t>(1, kBlock / sizes.length);
  const auto count = std::ssize(before);
  share_loop(blocks_of(count, some), [&](int64_t task) {
    const int64_t last = std::min(count, (task + 1) * some);
    for (int64_t i = task * some; i < last; ++i) {
      const int64_t first = i % blocks * kBlock;
      const int64_t begin = i / blocks * sizes.length + first;
      scan_block<kHow>(from + begin, std::min(kBlock, sizes.length - first),
                       reversed, before[static_cast<size_t>(i)], to + begin);
    }
  });
}

template <Combine kHow, typename T>
void scan_columns(const LineSizes& sizes, bool reversed, const T* from, T init,
                  T* to) {
  each_column_block(sizes, [&](int64_t outer, int64_t column, int64_t n) {
    std::vector<T> sums(static_cast<size_t>(n), init);
    for (int64_t k = 0; k < sizes.length; ++k) {
      const int64_t i = reversed ? sizes.length - 1 - k : k;
      const int64_t begin = (outer * sizes.length + i) * sizes.inner + column;
      for (int64_t c = 0; c < n; ++c) {
        T& sum = sums[static_cast<size_t>(c)];
        sum = combined<kHow>(sum, from[begin + c]);
        to[begin + c] = sum;
      }
    }
  });
}

/// The place of the first number that is equal to x.
template <typename T>
int64_t first_place(const T* line, int64_t length, T x) {
  constexpr int64_t kTogether = 64;
  int64_t i = 0;
  for (; i + kTogether <= length; i += kTogether) {
    unsigned found = 0;
    for (int64_t k = 0; k < kTogether; ++k) found |= line[i + k] == x ? 1U : 0U;
    if (found != 0) break;
  }
  return std::find(line + i, line + length, x) - line;
}

template <typename T>
const T* as(const std::byte* bytes) {
  return reinterpret_cast<const T*>(bytes);
}

}  // namespace

bool fold_numbers(Combine how, ElementType type, const LineSizes& sizes,
                  const std::byte* from, const std::byte* init, std::byte* to) {
  return with_loops<false>(how, type, [&](auto number, auto constant) {
    using T = decltype(number);
    constexpr Combine kHow = decltype(constant)::value;
    auto* const own = reinterpret_cast<T*>(to);
    sizes.inner == 1
        ? fold<kHow>(sizes, as<T>(from), *as<T>(init), own)
        : fold_columns<kHow>(sizes, as<T>(from), *as<T>(init), own);
  });
}

bool scan_numbers(Combine how, ElementType type, const LineSizes& sizes,
                  bool reversed, const std::byte* from, const std::byte* init,
                  std::byte* to) {
  return with_loops<false>(how, type, [&](auto number, auto constant) {
    using T = decltype(number);
    constexpr Combine kHow = decltype(constant)::value;
    auto* const own = reinterpret_cast<T*>(to);
    sizes.inner == 1
        ? scan<kHow>(sizes, reversed, as<T>(from), *as<T>(init), own)
        : scan_columns<kHow>(sizes, reversed, as<T>(from), *as<T>(init), own);
  });
}

Extreme<float> extreme_of(const float* line, int64_t length, bool largest) {
  const float best = fold_line(largest ? Fold::kMaximum : Fold::kMinimum, line,
                               length, line[0]);
  if (std::isnan(best)) {
    const float* const nan = std::find_if(
        line, line + length, [](float x) { return std::isnan(x); });
    return {*nan, nan - line};
  }
  const int64_t place = first_place(line, length, best);
  if (best != 0) return {best, place};
  const float* last = line + length - 1;
  while (*last != 0) --last;
  return {*last, place};
}

Extreme<int32_t> extreme_of(const int32_t* line, int64_t length, bool largest) {
  const int32_t best = largest ? fold_line_of<Combine::kMaximum>(line, length)
                               : fold_line_of<Combine::kMinimum>(line, length);
  return {best, first_place(line, length, best)};
}

}  // namespace hlo::cpu
