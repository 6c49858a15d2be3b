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

using Source = WordLines<const uint32_t>;
using Target = WordLines<uint32_t>;

// Lines and their words that are turned together, which lie on few pages.
constexpr int64_t kTogether = 64;

template <typename Word>
WordLines<Word> part_of(const WordLines<Word>& all, int64_t line, int64_t k) {
  return {all.first + line * all.step + k, all.step};
}

void turn_single(const Source& from, int64_t lines, int64_t length,
                 const Target& to) {
  for (int64_t k = 0; k < length; ++k) {
    for (int64_t i = 0; i < lines; ++i) {
      to.first[k * to.step + i] = from.first[i * from.step + k];
    }
  }
}

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kWordsOfBlock = 4;  // of 128 bits

template <int64_t kLanes>
using Words = hn::CappedTag<uint32_t, size_t{kLanes}>;

/// Four words of each of some lines `step` words apart, block by block.
template <int64_t kLanes>
HWY_INLINE auto load(const uint32_t* first, int64_t step) {
  if constexpr (kLanes == kWordsOfBlock) {
    return hn::LoadU(Words<kLanes>(), first);
  } else {
    constexpr int64_t kHalf = kLanes / 2;
    return hn::Combine(Words<kLanes>(),
                       load<kHalf>(first + kHalf / kWordsOfBlock * step, step),
                       load<kHalf>(first, step));
  }
}

/// Four words of kLanes lines.
template <int64_t kLanes>
HWY_INLINE void turn_block(const uint32_t* from, int64_t step,
                           const Target& to) {
  const Words<kLanes> words;
  const hn::Repartition<uint64_t, decltype(words)> pairs;
  const auto pair = [&](auto x) { return hn::BitCast(pairs, x); };
  const auto store = [&](auto x, int64_t line) {
    hn::StoreU(hn::BitCast(words, x), words, to.first + line * to.step);
  };
  const auto lines = [&](int64_t i) {
    return load<kLanes>(from + i * step, kWordsOfBlock * step);
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
template <int64_t kLanes>
int64_t turn_lines(const Source& from, int64_t lines, int64_t length,
                   const Target& to) {
  const int64_t whole = length / kWordsOfBlock * kWordsOfBlock;
  int64_t i = 0;
  for (; i + kLanes <= lines; i += kLanes) {
    for (int64_t k = 0; k < whole; k += kWordsOfBlock) {
      turn_block<kLanes>(from.first + i * from.step + k, from.step,
                         part_of(to, k, i));
    }
    turn_single(part_of(from, i, whole), kLanes, length - whole,
                part_of(to, whole, i));
  }
  return i;
}

void turn_some(const Source& from, int64_t lines, int64_t length,
               const Target& to) {
  constexpr auto kLanes = static_cast<int64_t>(HWY_LANES(uint32_t));
  int64_t i = turn_lines<kLanes>(from, lines, length, to);
  i += turn_lines<kWordsOfBlock>(part_of(from, i, 0), lines - i, length,
                                 part_of(to, 0, i));
  turn_single(part_of(from, i, 0), lines - i, length, part_of(to, 0, i));
}

#else

void turn_some(const Source& from, int64_t lines, int64_t length,
               const Target& to) {
  turn_single(from, lines, length, to);
}

#endif

void turn(const Source& from, int64_t lines, int64_t length, const Target& to) {
  for (int64_t i = 0; i < lines; i += kTogether) {
    for (int64_t k = 0; k < length; k += kTogether) {
      turn_some(part_of(from, i, k), std::min(kTogether, lines - i),
                std::min(kTogether, length - k), part_of(to, k, i));
    }
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(turn);

}  // namespace

void turn_words(const WordLines<const void>& from, int64_t lines,
                int64_t length, const WordLines<void>& to) {
  HWY_DYNAMIC_DISPATCH(turn)
  ({static_cast<const uint32_t*>(from.first), from.step}, lines, length,
   {static_cast<uint32_t*>(to.first), to.step});
}

}  // namespace hlo::cpu

#endif
