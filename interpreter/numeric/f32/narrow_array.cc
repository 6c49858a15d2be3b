#include "interpreter/numeric/f32/narrow_array.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <vector>

#include "interpreter/numeric/f32/fast_path.h"
#include "interpreter/numeric/f32/kernel_array.h"

// Formats of at most 16 bits have tables, which are made by the kernels when
// the first array comes that is worth it.
namespace hlo::numeric {
namespace {

constexpr size_t kFunctions = static_cast<size_t>(kLastFunction) + 1;
constexpr size_t kFunctions2 = static_cast<size_t>(kLastFunction2) + 1;

// The results for all codes of a format of at most 16 bits, or for all pairs of
// codes of one of at most 8.
template <typename Code>
struct LazyTable {
  std::once_flag once;
  std::atomic<int64_t> asked = 0;
  std::vector<Code> results;

  // Whether so many values were asked for that it pays to have all.
  bool is_worth(int64_t n, int index_bits) {
    const int64_t enough = int64_t{1} << (index_bits - 3);
    const int64_t before = asked.load(std::memory_order_relaxed);
    if (before >= enough) return true;
    asked.store(before + n, std::memory_order_relaxed);
    return before + n >= enough;
  }

  template <typename Compute>
  void make(int index_bits, const Compute& compute) {
    std::call_once(once, [&] {
      results.resize(size_t{1} << index_bits);
      compute(results.data(), static_cast<int64_t>(results.size()));
    });
  }
};

// The results for pairs of codes of a format of at most 8 bits, one by one when
// they are asked for: some take long.
class SlowPairs {
 public:
  template <typename Compute>
  uint8_t get(size_t index, const Compute& compute) {
    std::call_once(once_, [&] {
      constexpr size_t kPairs = size_t{1} << 16;
      results_ = std::vector<std::atomic<uint16_t>>(kPairs);
    });
    uint16_t known = results_[index].load(std::memory_order_relaxed);
    if (known == 0) {
      known = static_cast<uint16_t>(kKnown | compute());
      results_[index].store(known, std::memory_order_relaxed);
    }
    return static_cast<uint8_t>(known);
  }

 private:
  static constexpr uint16_t kKnown = 1 << 8;

  std::once_flag once_;
  std::vector<std::atomic<uint16_t>> results_;
};

template <typename Table, size_t functions>
Table& lazy_table(size_t function, const FloatFormat& format) {
  constexpr size_t kFormats = 16;
  static std::array<Table, functions * kFormats> tables;
  const size_t row =
      static_cast<size_t>(format.type) - static_cast<size_t>(ElementType::kF16);
  return tables[function * kFormats + row];
}

template <typename Code>
void look_up(const Code* __restrict__ table, const Code* __restrict__ x,
             Code* __restrict__ result, int64_t n, Code mask) {
  for (int64_t i = 0; i < n; ++i) result[i] = table[x[i] & mask];
}

template <typename Code>
void by_table(Function function, const Code* x, Code* result, int64_t n,
              const FloatFormat& format) {
  auto& table = lazy_table<LazyTable<Code>, kFunctions>(
      static_cast<size_t>(function), format);
  if (!table.is_worth(n, format.width())) {
    return round_by_kernel(function, x, result, n, format);
  }
  table.make(format.width(), [&](Code* results, int64_t count) {
    std::vector<Code> codes(static_cast<size_t>(count));
    std::iota(codes.begin(), codes.end(), Code{0});
    round_by_kernel(function, codes.data(), results, count, format);
  });
  look_up(table.results.data(), x, result, n,
          static_cast<Code>(table.results.size() - 1));
}

void slow_pairs(Function2 function, const uint8_t* x, const uint8_t* y,
                uint8_t* result, int64_t n, const FloatFormat& format) {
  const int width = format.width();
  const size_t mask = (size_t{1} << width) - 1;
  auto& table =
      lazy_table<SlowPairs, kFunctions2>(static_cast<size_t>(function), format);
  for (int64_t i = 0; i < n; ++i) {
    const size_t first = x[i] & mask;
    const size_t second = y[i] & mask;
    result[i] = table.get(first << width | second, [&] {
      uint8_t code = 0;
      round_by_kernel(function, x + i, y + i, &code, 1, format);
      return code;
    });
  }
}

void pairs_by_table(Function2 function, const uint8_t* x, const uint8_t* y,
                    uint8_t* result, int64_t n, const FloatFormat& format) {
  const int width = format.width();
  const size_t mask = (size_t{1} << width) - 1;
  auto& table = lazy_table<LazyTable<uint8_t>, kFunctions2>(
      static_cast<size_t>(function), format);
  if (!table.is_worth(n, 2 * width)) {
    return round_by_kernel(function, x, y, result, n, format);
  }
  table.make(2 * width, [&](uint8_t* results, int64_t count) {
    std::vector<uint8_t> first;
    std::vector<uint8_t> second;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      first.push_back(static_cast<uint8_t>(i >> width));
      second.push_back(static_cast<uint8_t>(i & mask));
    }
    round_by_kernel(function, first.data(), second.data(), results, count,
                    format);
  });
  const uint8_t* const results = table.results.data();
  for (int64_t i = 0; i < n; ++i) {
    result[i] = results[(x[i] & mask) << width | (y[i] & mask)];
  }
}

}  // namespace

void round_narrow_array(Function function, const void* x, void* result,
                        int64_t n, const FloatFormat& format) {
  if (format.width() <= 8) {
    return by_table(function, static_cast<const uint8_t*>(x),
                    static_cast<uint8_t*>(result), n, format);
  }
  if (format.width() == 16) {
    return by_table(function, static_cast<const uint16_t*>(x),
                    static_cast<uint16_t*>(result), n, format);
  }
  round_by_kernel(function, static_cast<const uint32_t*>(x),
                  static_cast<uint32_t*>(result), n, format);
}

void round_narrow2_array(Function2 function, const void* x, const void* y,
                         void* result, int64_t n, const FloatFormat& format) {
  const bool slow = fast_path(function).evaluate == nullptr;
  if (format.width() <= 8) {
    const auto by_table = slow ? slow_pairs : pairs_by_table;
    return by_table(function, static_cast<const uint8_t*>(x),
                    static_cast<const uint8_t*>(y),
                    static_cast<uint8_t*>(result), n, format);
  }
  if (format.width() == 16) {
    return round_by_kernel(function, static_cast<const uint16_t*>(x),
                           static_cast<const uint16_t*>(y),
                           static_cast<uint16_t*>(result), n, format);
  }
  round_by_kernel(function, static_cast<const uint32_t*>(x),
                  static_cast<const uint32_t*>(y),
                  static_cast<uint32_t*>(result), n, format);
}

}  // namespace hlo::numeric
