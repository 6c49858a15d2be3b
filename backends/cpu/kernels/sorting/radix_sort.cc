#include "backends/cpu/kernels/sorting/radix_sort.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int kDigit = 11;  // bits: the counts of a block fit L1
constexpr size_t kValues = size_t{1} << kDigit;
constexpr int64_t kFewRows = 512;  // which a sort by comparisons is faster for
constexpr int64_t kPerTask = int64_t{64} * 1024;  // rows worth another thread

/// A row's number or bits, and its place.
template <typename Word>
struct Row {
  Word word;
  uint32_t place;
};

struct Same {
  template <typename Word>
  Word operator()(Word word) const {
    return word;
  }
};

template <typename Word>
Word word_of(Word bits) {
  return bits;
}

template <typename Word>
Word word_of(const Row<Word>& row) {
  return row.word;
}

using Counts = std::array<uint32_t, kValues>;

/// A stable sort of rows by the numbers of their words, least digit first.
/// Blocks of rows are fixed, and so is where each row goes.
template <typename Each, typename Number>
class RadixSort {
 public:
  RadixSort(Each* rows, int64_t count, const Number& number)
      : rows_(rows),
        count_(count),
        number_(number),
        block_(std::max(kPerTask, (count + 15) / 16)),
        counts_(static_cast<size_t>((count + block_ - 1) / block_)) {}

  void run(int bits) {
    const AlignedBytes memory =
        aligned_bytes(static_cast<size_t>(count_) * sizeof(Each));
    Each* const own = rows_;
    Each* other = reinterpret_cast<Each*>(memory.get());
    for (int shift = 0; shift < bits; shift += kDigit) {
      if (!count(shift)) continue;
      move(shift, other);
      std::swap(rows_, other);
    }
    if (rows_ != own) std::copy_n(rows_, count_, own);
  }

 private:
  size_t digit(const Each& row, int shift) const {
    return static_cast<size_t>(number_(word_of(row)) >> shift) & (kValues - 1);
  }

  template <typename Body>
  void each_block(const Body& body) const {
    share_loop(std::ssize(counts_), [&](int64_t block) {
      const int64_t first = block * block_;
      body(counts_[static_cast<size_t>(block)], rows_ + first,
           rows_ + std::min(count_, first + block_));
    });
  }

  /// Counts the values of a digit in each block and makes them places; false
  /// where all rows have the same.
  bool count(int shift) {
    each_block([&](Counts& counts, const Each* row, const Each* end) {
      counts.fill(0);
      for (; row != end; ++row) ++counts[digit(*row, shift)];
    });
    uint32_t place = 0;
    for (size_t value = 0; value < kValues; ++value) {
      const uint32_t before = place;
      for (Counts& counts : counts_) {
        place += std::exchange(counts[value], place);
      }
      if (int64_t{place - before} == count_) return false;
    }
    return true;
  }

  void move(int shift, Each* to) {
    each_block([&](Counts& places, const Each* row, const Each* end) {
      for (; row != end; ++row) to[places[digit(*row, shift)]++] = *row;
    });
  }

  Each* rows_;
  int64_t count_;
  Number number_;
  int64_t block_;
  mutable std::vector<Counts> counts_;  // of blocks
};

template <typename Each, typename Number>
void sort_rows(Each* rows, int64_t count, int bits, const Number& number) {
  if (count > kFewRows) return RadixSort(rows, count, number).run(bits);
  std::stable_sort(rows, rows + count, [&](const Each& a, const Each& b) {
    return number(word_of(a)) < number(word_of(b));
  });
}

/// Calls body(first, last) for blocks of 0 ... count - 1.
template <typename Body>
void each_part(int64_t count, const Body& body) {
  share_loop((count + kPerTask - 1) / kPerTask, [&](int64_t part) {
    body(part * kPerTask, std::min(count, (part + 1) * kPerTask));
  });
}

/// Sorts the rows that are in some order by one more column, whose elements are
/// of a type and whose numbers of another.
template <typename Element, typename Word>
void order_by(const SortColumn& column, std::span<uint32_t> order) {
  const auto count = std::ssize(order);
  const AlignedBytes memory = aligned_bytes(order.size() * sizeof(Row<Word>));
  auto* const rows = reinterpret_cast<Row<Word>*>(memory.get());
  const auto* const elements = reinterpret_cast<const Element*>(column.from);
  const KeyOf<Element> number(column.key);
  each_part(count, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const uint32_t place = order[static_cast<size_t>(i)];
      rows[i] = {number(elements[place]), place};
    }
  });
  sort_rows(rows, count, static_cast<int>(8 * sizeof(Element)), Same());
  each_part(count, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      order[static_cast<size_t>(i)] = rows[i].place;
    }
  });
}

void order_by(const SortColumn& column, std::span<uint32_t> order) {
  switch (column.key.width) {
    case 1:
      return order_by<uint8_t, uint32_t>(column, order);
    case 2:
      return order_by<uint16_t, uint32_t>(column, order);
    case 4:
      return order_by<uint32_t, uint32_t>(column, order);
    default:
      return order_by<uint64_t, uint64_t>(column, order);
  }
}

template <typename Word>
void sort_words(const SortKey& key, std::byte* elements, int64_t count) {
  sort_rows(reinterpret_cast<Word*>(elements), count,
            static_cast<int>(8 * sizeof(Word)), KeyOf<Word>(key));
}

uint64_t element_at(const SortColumn& column, uint32_t place) {
  const size_t width = column.key.width;
  uint64_t bits = 0;
  std::memcpy(&bits, column.from + place * width, width);
  return bits;
}

bool is_nan(uint64_t bits, const SortKey& key) {
  return (bits & (key.sign() - 1)) > key.infinity;
}

bool comes_before(std::span<const SortColumn> columns, uint32_t a, uint32_t b) {
  for (const SortColumn& column : columns) {
    const uint64_t x = element_at(column, a);
    const uint64_t y = element_at(column, b);
    const SortKey& key = column.key;
    if (key.by_value && (is_nan(x, key) || is_nan(y, key))) return false;
    const KeyOf<uint64_t> number(key);
    if (number(x) != number(y)) return number(x) < number(y);
  }
  return false;
}

}  // namespace

bool has_unordered(const SortColumn& column, int64_t count) {
  if (!column.key.by_value) return false;
  for (int64_t i = 0; i < count; ++i) {
    if (is_nan(element_at(column, static_cast<uint32_t>(i)), column.key)) {
      return true;
    }
  }
  return false;
}

RowsBefore before_by(std::span<const SortColumn> columns) {
  return [columns](const uint32_t* a, const uint32_t* b, size_t n,
                   uint8_t* before) {
    for (size_t i = 0; i < n; ++i) {
      before[i] = comes_before(columns, a[i], b[i]) ? 1 : 0;
    }
  };
}

void order_rows(std::span<const SortColumn> columns,
                std::span<uint32_t> order) {
  std::iota(order.begin(), order.end(), 0U);
  for (size_t k = columns.size(); k-- > 0;) order_by(columns[k], order);
}

void sort_elements(const SortKey& key, std::byte* elements, int64_t count) {
  switch (key.width) {
    case 1:
      return sort_words<uint8_t>(key, elements, count);
    case 2:
      return sort_words<uint16_t>(key, elements, count);
    case 4:
      return sort_words<uint32_t>(key, elements, count);
    default:
      return sort_words<uint64_t>(key, elements, count);
  }
}

}  // namespace hlo::cpu
