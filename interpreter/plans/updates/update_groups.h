#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/plans/updates/updates.h"

namespace hlo {

/// Updates in groups with numbers, in their order within each.
class UpdateGroups {
 public:
  UpdateGroups(size_t updates, std::vector<size_t> counts)
      : updates_(updates), ends_(std::move(counts)) {
    size_t begin = 0;
    for (size_t& end : ends_) begin += std::exchange(end, begin);
  }

  size_t size() const { return ends_.size(); }

  std::span<const Update> operator[](size_t group) const {
    const size_t begin = group == 0 ? 0 : ends_[group - 1];
    return std::span(updates_).subspan(begin, ends_[group] - begin);
  }

  void append(size_t group, const Update& update) {
    updates_[ends_[group]++] = update;
  }

 private:
  std::vector<Update> updates_;
  std::vector<size_t> ends_;  // of what each group has so far
};

/// Update i goes to the group group_of(i), which is less than `groups`.
template <typename GroupOf>
UpdateGroups group_updates(const std::vector<Update>& updates, GroupOf group_of,
                           size_t groups) {
  std::vector<size_t> counts(groups);
  for (size_t i = 0; i < updates.size(); ++i) ++counts[group_of(i)];
  UpdateGroups result(updates.size(), std::move(counts));
  for (size_t i = 0; i < updates.size(); ++i) {
    result.append(group_of(i), updates[i]);
  }
  return result;
}

}  // namespace hlo
