#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hlo::gpu {

/// What stands for texts, at most so many: what has not been used for longest
/// is forgotten.
template <typename Value>
class Recent {
 public:
  /// Keeps at least one.
  explicit Recent(size_t most) : most_(std::max<size_t>(most, 1)) {}

  size_t most() const { return most_; }

  size_t size() const { return entries_.size(); }

  /// What stands for the text, which is used by that; null: nothing, or nothing
  /// any longer. It stays where it is until it is forgotten.
  Value* use(const std::string& text) {
    const auto found = places_.find(text);
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &entries_.front().second;
  }

  /// Has a value stand for a text for which nothing does.
  Value& keep(const std::string& text, Value value) {
    if (size() == most_) {
      places_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(text, std::move(value));
    places_.emplace(entries_.front().first, entries_.begin());
    return entries_.front().second;
  }

  void clear() {
    places_.clear();
    entries_.clear();
  }

  /// Texts and what stands for them, the last used first.
  auto begin() { return entries_.begin(); }

  auto end() { return entries_.end(); }

 private:
  using Entries = std::list<std::pair<const std::string, Value>>;

  size_t most_;
  Entries entries_;  // the last used first
  std::unordered_map<std::string_view, typename Entries::iterator> places_;
};

}  // namespace hlo::gpu
