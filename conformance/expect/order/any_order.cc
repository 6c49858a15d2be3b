#include "conformance/expect/order/any_order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace hlo::conformance {
namespace {

// Sets of rows are numbered by their bits.
std::vector<Rows> by_subset(size_t rows) {
  return std::vector<Rows>(size_t{1} << rows);
}

}  // namespace

Row RowRegion::join(const Row& a, const Row& b) const {
  Row both = a;
  both.insert(both.end(), b.begin(), b.end());
  return region_.apply(scratch_, both);
}

bool AnyOrder::add_joins(const Rows& a, const Rows& b, Rows& results) {
  for (const Row& left : a) {
    for (const Row& right : b) {
      if (++runs_ > kMaxRuns || results.size() > kMaxResults) return false;
      Row row = region_.join(left, right);
      if (std::ranges::count(results, row) > 0) continue;
      results.push_back(std::move(row));
    }
  }
  return true;
}

std::optional<Rows> AnyOrder::joined(const Rows& rows) {
  if (rows.empty() || rows.size() > kMaxJoined) return std::nullopt;
  std::vector<Rows> results = by_subset(rows.size());
  for (size_t set = 1; set < results.size(); ++set) {
    if (std::has_single_bit(set)) {
      results[set] = {rows[static_cast<size_t>(std::countr_zero(set))]};
    }
    // Every way to split the set in two, left and right told apart.
    for (size_t left = (set - 1) & set; left > 0; left = (left - 1) & set) {
      if (!add_joins(results[left], results[set ^ left], results[set])) {
        return std::nullopt;
      }
    }
  }
  return results.back();
}

std::optional<Rows> AnyOrder::updated(const Row& initial, const Rows& updates) {
  if (updates.size() > kMaxUpdates) return std::nullopt;
  std::vector<Rows> results = by_subset(updates.size());
  results[0] = {initial};
  for (size_t set = 1; set < results.size(); ++set) {
    for (size_t last = 0; last < updates.size(); ++last) {
      const size_t bit = size_t{1} << last;
      if ((set & bit) == 0) continue;
      if (!add_joins(results[set ^ bit], {updates[last]}, results[set])) {
        return std::nullopt;
      }
    }
  }
  return results.back();
}

}  // namespace hlo::conformance
