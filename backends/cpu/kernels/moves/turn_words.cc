#include "backends/cpu/kernels/moves/turn_words.h"

#include <algorithm>
#include <array>
#include <utility>

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

/// Lines of a block are turned in stages: in each, those that are kApart apart
/// are interleaved, numbers of kApart words each, and lie beside each other.
template <size_t kApart, class Lines, size_t... kPairs>
HWY_INLINE Lines interleaved(const Lines& x, std::index_sequence<kPairs...>) {
  using V = typename Lines::value_type;
  const hn::DFromV<V> words;
  constexpr size_t kWidth = kApart * sizeof(hn::TFromV<V>);
  const hn::Repartition<hwy::UnsignedFromSize<kWidth>, decltype(words)> parts;
  const auto part = [&](size_t pair, size_t of) {
    return hn::BitCast(
        parts, x[pair / kApart * 2 * kApart + pair % kApart + of * kApart]);
  };
  const auto word = [&](auto both) { return hn::BitCast(words, both); };
  constexpr auto kTo = [](size_t pair) {
    return pair / kApart * 2 * kApart + pair % kApart * 2;
  };
  Lines result;
  ((result[kTo(kPairs)] =
        word(hn::InterleaveLower(parts, part(kPairs, 0), part(kPairs, 1))),
    result[kTo(kPairs) + 1] =
        word(hn::InterleaveUpper(parts, part(kPairs, 0), part(kPairs, 1)))),
   ...);
  return result;
}

template <size_t kApart, class Lines>
HWY_INLINE Lines turned(const Lines& x) {
  constexpr size_t kLines = std::tuple_size_v<Lines>;
  if constexpr (kApart == kLines) {
    return x;
  } else {
    return turned<2 * kApart>(
        interleaved<kApart>(x, std::make_index_sequence<kLines / 2>()));
  }
}

/// As many words as a block has of kLanes lines, to as many lines.
template <int64_t kLanes, typename Word, size_t... kLine>
HWY_INLINE void turn_block(const Word* from, int64_t step,
                           const WordLines<Word>& to,
                           std::index_sequence<kLine...>) {
  const hn::CappedTag<Word, size_t{kLanes}> words;
  const std::array<hn::Vec<decltype(words)>, sizeof...(kLine)> lines = {
      load<kLanes>(from + int64_t{kLine} * step, kBlock<Word> * step)...};
  const auto result = turned<1>(lines);
  (hn::StoreU(result[kLine], words, to.first + int64_t{kLine} * to.step), ...);
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
                         part_of(to, k, i),
                         std::make_index_sequence<kBlock<Word>>());
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
  switch (width) {
    case sizeof(uint64_t):
      return turn_as<uint64_t>(from, lines, length, to);
    case sizeof(uint32_t):
      return turn_as<uint32_t>(from, lines, length, to);
    case sizeof(uint16_t):
      return turn_as<uint16_t>(from, lines, length, to);
    default:
      return turn_as<uint8_t>(from, lines, length, to);
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

void turn_words(size_t width, const WordLines<const void>& from, int64_t lines,
                int64_t length, const WordLines<void>& to) {
  HWY_DYNAMIC_DISPATCH(turn)(width, from, lines, length, to);
}

}  // namespace hlo::cpu

#endif
