#include "backends/cpu/kernels/moves/turn_words.h"

#include <algorithm>

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/moves/turn_words.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

// Lines and their words that are turned together, which lie on few pages.
constexpr int64_t kTogether = 64;

template <typename Word>
WordLines<Word> part_of(const WordLines<Word>& all, int64_t line, int64_t k) {
  return {all.first + line * all.step + k, all.step};
}

template <typename Word>
void turn_single(const WordLines<const Word>& from, int64_t lines,
                 int64_t length, const WordLines<Word>& to) {
  for (int64_t k = 0; k < length; ++k) {
    for (int64_t i = 0; i < lines; ++i) {
      to.first[k * to.step + i] = from.first[i * from.step + k];
    }
  }
}

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;

template <typename Word>
constexpr int64_t kBlock = 16 / sizeof(Word);  // words of 128 bits

/// A block of each of some lines `step` words apart.
template <int64_t kLanes, typename Word>
HWY_INLINE auto load(const Word* first, int64_t step) {
  const hn::CappedTag<Word, size_t{kLanes}> words;
  if constexpr (kLanes == kBlock<Word>) {
    return hn::LoadU(words, first);
  } else {
    constexpr int64_t kHalf = kLanes / 2;
    return hn::Combine(words,
                       load<kHalf>(first + kHalf / kBlock<Word> * step, step),
                       load<kHalf>(first, step));
  }
}

/// As many words as a block has of kLanes lines, to as many lines.
template <int64_t kLanes>
HWY_INLINE void turn_block(const uint64_t* from, int64_t step,
                           const WordLines<uint64_t>& to) {
  const hn::CappedTag<uint64_t, size_t{kLanes}> words;
  const auto even = load<kLanes>(from, 2 * step);
  const auto odd = load<kLanes>(from + step, 2 * step);
  hn::StoreU(hn::InterleaveLower(words, even, odd), words, to.first);
  hn::StoreU(hn::InterleaveUpper(words, even, odd), words, to.first + to.step);
}

template <int64_t kLanes>
HWY_INLINE void turn_block(const uint32_t* from, int64_t step,
                           const WordLines<uint32_t>& to) {
  const hn::CappedTag<uint32_t, size_t{kLanes}> words;
  const hn::Repartition<uint64_t, decltype(words)> pairs;
  const auto pair = [&](auto x) { return hn::BitCast(pairs, x); };
  const auto store = [&](auto x, int64_t line) {
    hn::StoreU(hn::BitCast(words, x), words, to.first + line * to.step);
  };
  const auto lines = [&](int64_t i) {
    return load<kLanes>(from + i * step, 4 * step);
  };
  const auto first = lines(0);
  const auto second = lines(1);
  const auto third = lines(2);
  const auto fourth = lines(3);
  const auto low = pair(hn::InterleaveLower(words, first, second));
  const auto low_next = pair(hn::InterleaveLower(words, third, fourth));
  const auto high = pair(hn::InterleaveUpper(words, first, second));
  const auto high_next = pair(hn::InterleaveUpper(words, third, fourth));
  store(hn::InterleaveLower(pairs, low, low_next), 0);
  store(hn::InterleaveUpper(pairs, low, low_next), 1);
  store(hn::InterleaveLower(pairs, high, high_next), 2);
  store(hn::InterleaveUpper(pairs, high, high_next), 3);
}

/// Whole blocks of kLanes lines; how many lines these are.
template <int64_t kLanes, typename Word>
int64_t turn_lines(const WordLines<const Word>& from, int64_t lines,
                   int64_t length, const WordLines<Word>& to) {
  const int64_t whole = length / kBlock<Word> * kBlock<Word>;
  int64_t i = 0;
  for (; i + kLanes <= lines; i += kLanes) {
    for (int64_t k = 0; k < whole; k += kBlock<Word>) {
      turn_block<kLanes>(from.first + i * from.step + k, from.step,
                         part_of(to, k, i));
    }
    turn_single(part_of(from, i, whole), kLanes, length - whole,
                part_of(to, whole, i));
  }
  return i;
}

template <typename Word>
void turn_some(const WordLines<const Word>& from, int64_t lines, int64_t length,
               const WordLines<Word>& to) {
  constexpr auto kLanes = static_cast<int64_t>(HWY_LANES(Word));
  int64_t i = turn_lines<kLanes>(from, lines, length, to);
  i += turn_lines<kBlock<Word>>(part_of(from, i, 0), lines - i, length,
                                part_of(to, 0, i));
  turn_single(part_of(from, i, 0), lines - i, length, part_of(to, 0, i));
}

#else

template <typename Word>
void turn_some(const WordLines<const Word>& from, int64_t lines, int64_t length,
               const WordLines<Word>& to) {
  turn_single(from, lines, length, to);
}

#endif

template <typename Word>
void turn_as(const WordLines<const void>& bytes, int64_t lines, int64_t length,
             const WordLines<void>& to_bytes) {
  const WordLines<const Word> from{static_cast<const Word*>(bytes.first),
                                   bytes.step};
  const WordLines<Word> to{static_cast<Word*>(to_bytes.first), to_bytes.step};
  for (int64_t i = 0; i < lines; i += kTogether) {
    for (int64_t k = 0; k < length; k += kTogether) {
      turn_some(part_of(from, i, k), std::min(kTogether, lines - i),
                std::min(kTogether, length - k), part_of(to, k, i));
    }
  }
}

void turn(size_t width, const WordLines<const void>& from, int64_t lines,
          int64_t length, const WordLines<void>& to) {
  width == sizeof(uint64_t) ? turn_as<uint64_t>(from, lines, length, to)
                            : turn_as<uint32_t>(from, lines, length, to);
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(turn);

}  // namespace

void turn_words(size_t width, const WordLines<const void>& from, int64_t lines,
                int64_t length, const WordLines<void>& to) {
  HWY_DYNAMIC_DISPATCH(turn)(width, from, lines, length, to);
}

}  // namespace hlo::cpu

#endif
