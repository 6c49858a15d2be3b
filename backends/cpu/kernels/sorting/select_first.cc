#include "backends/cpu/kernels/sorting/select_first.h"

#include <algorithm>
#include <compare>
#include <optional>
#include <type_traits>
#include <vector>

#include "backends/cpu/kernels/sorting/find_below.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kBlock = int64_t{64} * 1024;  // elements worth another thread
constexpr int64_t kTogether = kLookedAt;        // mostly none of these is added

template <typename Word>
struct Candidate {
  Word number;
  uint32_t place;
  // clang-tidy 14 sees a 0 in it. NOLINTNEXTLINE(modernize-use-nullptr)
  auto operator<=>(const Candidate&) const = default;
};

/// The first candidates of those that were added in the order of their places.
template <typename Word>
class FirstOnes {
 public:
  explicit FirstOnes(size_t count) : count_(count), most_(2 * count + 256) {
    candidates_.reserve(most_);
  }

  /// Those of this number and above are not among the first ones.
  void limit(Word number) {
    limit_ = number;
    is_limited_ = true;
  }

  /// That of limit(), where it has been called.
  std::optional<Word> limit() const {
    return is_limited_ ? std::optional<Word>(limit_) : std::nullopt;
  }

  /// kTogether numbers.
  void add(const Word* numbers, int64_t place) {
    Word below = 0;
    for (int64_t i = 0; i < kTogether; ++i) {
      below |= static_cast<Word>(numbers[i] < limit_ ? 1 : 0);
    }
    if (is_limited_ && below == 0) return;
    for (int64_t i = 0; i < kTogether; ++i) {
      add(numbers[i], static_cast<uint32_t>(place + i));
    }
  }

  void add(Word number, uint32_t place) {
    if (is_limited_ && number >= limit_) return;
    candidates_.push_back({number, place});
    if (candidates_.size() == most_) keep_first();
  }

  std::vector<Candidate<Word>> sorted() {
    keep_first();
    std::ranges::sort(candidates_);
    return std::move(candidates_);
  }

 private:
  void keep_first() {
    if (candidates_.size() <= count_) return;
    const auto last =
        candidates_.begin() + static_cast<std::ptrdiff_t>(count_) - 1;
    std::ranges::nth_element(candidates_, last);
    limit(last->number);
    candidates_.resize(count_);
  }

  size_t count_;
  size_t most_;
  std::vector<Candidate<Word>> candidates_;
  Word limit_ = 0;  // what comes later with this number is not among them
  bool is_limited_ = false;
};

/// The first ones of a part of a line; `last` is the number of one behind as
/// many that come before the part.
template <typename Word>
std::vector<Candidate<Word>> first_of(const SortKey& key, const Word* line,
                                      int64_t begin, int64_t end, size_t count,
                                      std::optional<Word> last) {
  const KeyOf<Word> number(key);
  FirstOnes<Word> ones(count);
  if (last) ones.limit(*last);
  Word numbers[kTogether];
  int64_t i = begin;
  for (; i + kTogether <= end; i += kTogether) {
    if constexpr (std::is_same_v<Word, uint32_t>) {
      if (const auto limit = ones.limit()) {
        const int64_t blocks = (end - i) / kTogether;
        i += kTogether * find_below(number, line + i, blocks, *limit);
        if (i + kTogether > end) break;
      }
    }
    number.template together<kTogether>(line + i, numbers);
    ones.add(numbers, i);
  }
  for (; i < end; ++i) {
    ones.add(number(line[i]), static_cast<uint32_t>(i));
  }
  return ones.sorted();
}

/// Chooses in the first block of a line what is chosen at most, so that other
/// blocks look at nothing that does not come before its last one.
template <typename Word>
void select(const SortKey& key, const std::byte* bytes, int64_t length,
            std::span<uint32_t> places) {
  const auto* const line = reinterpret_cast<const Word*>(bytes);
  const int64_t blocks =
      std::ssize(places) < kBlock / 8 ? (length + kBlock - 1) / kBlock : 1;
  const int64_t block = (length + blocks - 1) / blocks;
  std::vector<Candidate<Word>> all =
      first_of<Word>(key, line, 0, block, places.size(), std::nullopt);
  std::optional<Word> last;
  if (all.size() == places.size() && !all.empty()) last = all.back().number;
  std::vector<std::vector<Candidate<Word>>> parts(
      static_cast<size_t>(blocks - 1));
  share_loop(blocks - 1, [&](int64_t b) {
    parts[static_cast<size_t>(b)] =
        first_of<Word>(key, line, (b + 1) * block,
                       std::min(length, (b + 2) * block), places.size(), last);
  });
  for (const auto& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::ranges::sort(all);
  for (size_t i = 0; i < places.size(); ++i) places[i] = all[i].place;
}

}  // namespace

void select_first(const SortKey& key, const std::byte* line, int64_t length,
                  std::span<uint32_t> places) {
  if (places.empty()) return;
  switch (key.width) {
    case 1:
      return select<uint8_t>(key, line, length, places);
    case 2:
      return select<uint16_t>(key, line, length, places);
    case 4:
      return select<uint32_t>(key, line, length, places);
    default:
      return select<uint64_t>(key, line, length, places);
  }
}

}  // namespace hlo::cpu
