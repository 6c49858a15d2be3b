#include "backends/cpu/kernels/sorting/select_first.h"

#include <algorithm>
#include <compare>
#include <vector>

#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kBlock = int64_t{64} * 1024;  // elements worth another thread

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
    limit_ = last->number;
    is_limited_ = true;
    candidates_.resize(count_);
  }

  size_t count_;
  size_t most_;
  std::vector<Candidate<Word>> candidates_;
  Word limit_ = 0;  // what comes later with this number is not among them
  bool is_limited_ = false;
};

template <typename Word>
std::vector<Candidate<Word>> first_of(const SortKey& key, const std::byte* line,
                                      int64_t first, int64_t last,
                                      size_t count) {
  const KeyOf<Word> number(key);
  const auto* const words = reinterpret_cast<const Word*>(line);
  FirstOnes<Word> ones(count);
  for (int64_t i = first; i < last; ++i) {
    ones.add(number(words[i]), static_cast<uint32_t>(i));
  }
  return ones.sorted();
}

template <typename Word>
void select(const SortKey& key, const std::byte* line, int64_t length,
            std::span<uint32_t> places) {
  const int64_t blocks =
      std::ssize(places) < kBlock / 8 ? (length + kBlock - 1) / kBlock : 1;
  const int64_t block = (length + blocks - 1) / blocks;
  std::vector<std::vector<Candidate<Word>>> parts(static_cast<size_t>(blocks));
  share_loop(blocks, [&](int64_t b) {
    parts[static_cast<size_t>(b)] = first_of<Word>(
        key, line, b * block, std::min(length, (b + 1) * block), places.size());
  });
  std::vector<Candidate<Word>> all;
  for (const auto& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all);
  for (size_t i = 0; i < places.size(); ++i) places[i] = all[i].place;
}

}  // namespace

void select_first(const SortKey& key, const std::byte* line, int64_t length,
                  std::span<uint32_t> places) {
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
