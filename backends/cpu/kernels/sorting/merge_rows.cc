#include "backends/cpu/kernels/sorting/merge_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

/// A part of what two sorted parts of rows become: where they begin and end,
/// its own place in it, and how many rows of the first part lie before it.
struct Piece {
  int64_t begin = 0;
  int64_t middle = 0;
  int64_t end = 0;
  int64_t place = 0;
  int64_t low = 0;  // rows of the first part: low ... high
  int64_t high = 0;
};

/// What is left of the two parts to be merged to a place.
struct Merge {
  int64_t first = 0;
  int64_t first_end = 0;
  int64_t second = 0;
  int64_t second_end = 0;
  int64_t to = 0;
};

/// Pairs of rows and what is said of them.
class Questions {
 public:
  explicit Questions(const RowsBefore& before) : before_(before) {}

  void clear() { count_ = 0; }

  void add(uint32_t a, uint32_t b) {
    a_[count_] = a;
    b_[count_++] = b;
  }

  void ask() { before_(a_, b_, count_, answers_); }

  bool answer(size_t i) const { return answers_[i] != 0; }

 private:
  const RowsBefore& before_;
  size_t count_ = 0;
  uint32_t a_[kMostPairs] = {};
  uint32_t b_[kMostPairs] = {};
  uint8_t answers_[kMostPairs] = {};
};

using Pieces = std::vector<Piece>;

/// Pieces of at most `length` rows of the merged parts of `width` rows.
Pieces pieces_of(int64_t count, int64_t width, int64_t length) {
  Pieces pieces;
  for (int64_t begin = 0; begin < count; begin += 2 * width) {
    const int64_t middle = std::min(begin + width, count);
    const int64_t end = std::min(middle + width, count);
    for (int64_t place = 0; place < end - begin; place += length) {
      pieces.push_back({begin, middle, end, place,
                        std::max<int64_t>(0, place - (end - middle)),
                        std::min(place, middle - begin)});
    }
  }
  return pieces;
}

/// Halves what is not known of how many of the first part's rows lie before
/// each piece, until all is known.
void find_places(std::span<Piece> pieces, std::span<const uint32_t> rows,
                 Questions& questions) {
  std::vector<Piece*> open;
  const auto row = [&](int64_t at) { return rows[static_cast<size_t>(at)]; };
  while (true) {
    open.clear();
    questions.clear();
    for (Piece& piece : pieces) {
      if (piece.low == piece.high) continue;
      const int64_t half = std::midpoint(piece.low, piece.high);
      questions.add(row(piece.middle + piece.place - half - 1),
                    row(piece.begin + half));
      open.push_back(&piece);
    }
    if (open.empty()) return;
    questions.ask();
    for (size_t i = 0; i < open.size(); ++i) {
      const int64_t half = std::midpoint(open[i]->low, open[i]->high);
      if (questions.answer(i)) {
        open[i]->high = half;
      } else {
        open[i]->low = half + 1;
      }
    }
  }
}

/// What lies between pieces must not be less than nothing, which the answers
/// of a comparison that is no order do not promise.
void keep_order(Pieces& pieces) {
  for (size_t i = 1; i < pieces.size(); ++i) {
    const Piece& last = pieces[i - 1];
    if (pieces[i].begin != last.begin) continue;
    pieces[i].low = std::clamp(pieces[i].low, last.low,
                               last.low + (pieces[i].place - last.place));
  }
}

Merge merge_of(const Pieces& pieces, size_t i) {
  const Piece& own = pieces[i];
  const bool is_last =
      i + 1 == pieces.size() || pieces[i + 1].begin != own.begin;
  const int64_t place = is_last ? own.end - own.begin : pieces[i + 1].place;
  const int64_t first = is_last ? own.middle - own.begin : pieces[i + 1].low;
  return {own.begin + own.low, own.begin + first,
          own.middle + own.place - own.low, own.middle + place - first,
          own.begin + own.place};
}

/// Whether one part has no rows; those of the other are copied.
bool is_done(const Merge& merge, const uint32_t* from, uint32_t* to) {
  if (merge.first != merge.first_end && merge.second != merge.second_end) {
    return false;
  }
  to = std::copy(from + merge.first, from + merge.first_end, to + merge.to);
  std::copy(from + merge.second, from + merge.second_end, to);
  return true;
}

/// Takes one row after the other, of all merges at a time.
void run_merges(std::vector<Merge> merges, const uint32_t* from, uint32_t* to,
                Questions& questions) {
  while (true) {
    std::erase_if(merges,
                  [&](const Merge& merge) { return is_done(merge, from, to); });
    if (merges.empty()) return;
    questions.clear();
    for (const Merge& merge : merges) {
      questions.add(from[merge.second], from[merge.first]);
    }
    questions.ask();
    for (size_t i = 0; i < merges.size(); ++i) {
      Merge& merge = merges[i];
      to[merge.to++] =
          from[questions.answer(i) ? merge.second++ : merge.first++];
    }
  }
}

/// Merges parts of `width` rows.
void run_level(std::span<const uint32_t> from, std::span<uint32_t> to,
               int64_t width, int64_t length,
               const std::function<RowsBefore()>& make) {
  Pieces pieces = pieces_of(std::ssize(from), width, length);
  const auto each_task = [&](const auto& body) {
    const size_t tasks = (pieces.size() + kMostPairs - 1) / kMostPairs;
    share_loop(static_cast<int64_t>(tasks), [&](int64_t task) {
      const size_t first = static_cast<size_t>(task) * kMostPairs;
      const RowsBefore before = make();
      Questions questions(before);
      body(first, std::min(pieces.size(), first + kMostPairs), questions);
    });
  };
  if (length < 2 * width) {
    each_task([&](size_t first, size_t last, Questions& questions) {
      find_places(std::span(pieces).subspan(first, last - first), from,
                  questions);
    });
    keep_order(pieces);
  }
  each_task([&](size_t first, size_t last, Questions& questions) {
    std::vector<Merge> merges;
    for (size_t i = first; i < last; ++i) merges.push_back(merge_of(pieces, i));
    run_merges(std::move(merges), from.data(), to.data(), questions);
  });
}

}  // namespace

void merge_rows(std::span<uint32_t> order,
                const std::function<RowsBefore()>& make) {
  std::iota(order.begin(), order.end(), 0U);
  // As many pieces as they have rows, so that both are many.
  const int64_t length = int64_t{1} << (std::bit_width(order.size()) / 2);
  std::vector<uint32_t> other(order.size());
  std::span<uint32_t> from = order;
  std::span<uint32_t> to = other;
  for (int64_t width = 1; width < std::ssize(order); width *= 2) {
    run_level(from, to, width, length, make);
    std::swap(from, to);
  }
  if (from.data() != order.data()) std::ranges::copy(from, order.begin());
}

}  // namespace hlo::cpu
