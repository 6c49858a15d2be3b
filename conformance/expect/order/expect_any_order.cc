#include "conformance/expect/order/expect_any_order.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "conformance/expect/order/any_order.h"
#include "conformance/expect/order/selection.h"
#include "conformance/literals/differences.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {
namespace {

using Leaves = std::vector<Literal>;

/// What is joined into an element of the result: the initial row, and others.
struct Joined {
  Row initial;
  Rows rows;
};

Row row_at(std::span<const Literal> leaves, int64_t i) {
  Row row;
  row.reserve(leaves.size());
  for (const Literal& leaf : leaves) row.push_back(leaf.at(i));
  return row;
}

bool is_quiet_nan(const Scalar& x) {
  if (!is_float(x.type)) return false;
  const numeric::FloatFormat& format = numeric::format(x.type);
  return numeric::is_nan(x.bits[0], format) &&
         !numeric::is_signaling_nan(x.bits[0], format);
}

bool same(const Row& a, const Row& b) {
  return std::ranges::equal(a, b, [](const Scalar& x, const Scalar& y) {
    return x == y || (is_quiet_nan(x) && is_quiet_nan(y));
  });
}

bool is_zero(const Scalar& x) {
  return is_float(x.type) &&
         numeric::decode(x.bits[0], numeric::format(x.type)) == 0;
}

/// Whether a component is a zero in both rows: its sign may come from the one,
/// though the other is greater.
bool shares_a_zero(const Row& a, const Row& b) {
  for (size_t k = 0; k < a.size(); ++k) {
    if (is_zero(a[k]) && is_zero(b[k])) return true;
  }
  return false;
}

std::vector<Expectation> unspecified(size_t leaves) {
  return std::vector<Expectation>(
      leaves,
      UnspecifiedSet{"the order in which the region is applied is free, and "
                     "there are too many of them to try"});
}

/// What a region makes of rows whose order is free.
class FreeOrder {
 public:
  /// Updates are applied to the initial row one after another; a fold joins it
  /// and the others by any tree.
  enum class Kind : uint8_t { kFold, kUpdates };

  /// For rows of the operands.
  FreeOrder(const Computation& region, Kind kind, Operands operands)
      : region_(region),
        kind_(kind),
        selection_(Selection::of(region_, specials_in(operands))) {}

  /// Whether `seen` is one of the results; nothing where they are not known.
  /// The reference's result is one of them.
  std::optional<bool> admits(const Joined& joined, const Row& reference,
                             const Row& seen) const {
    if (returns_any_greatest()) {
      return any_greatest(joined, reference,
                          [&](const Row& row) { return same(row, seen); });
    }
    const auto results = all_results(joined, reference);
    if (!results) return std::nullopt;
    return std::ranges::any_of(*results,
                               [&](const Row& row) { return same(row, seen); });
  }

  /// Whether the reference's result is known to be the only one.
  bool determines(const Joined& joined, const Row& reference) const {
    if (!selection_) return false;
    const auto differs = [&](const Row& row) { return !same(row, reference); };
    if (returns_any_greatest()) {
      return !any_greatest(joined, reference, differs);
    }
    const auto results = all_results(joined, reference);
    return results && std::ranges::none_of(*results, differs);
  }

 private:
  /// Whether the results are just those rows than which none is greater.
  bool returns_any_greatest() const {
    return selection_ && selection_->equality() == RowEquality::kBits &&
           kind_ == Kind::kFold;
  }

  bool any_greatest(const Joined& joined, const Row& reference,
                    const std::function<bool(const Row&)>& holds) const {
    const auto is_one = [&](const Row& row) {
      return holds(row) && selection_->are_tied(row, reference);
    };
    return is_one(joined.initial) || std::ranges::any_of(joined.rows, is_one);
  }

  std::optional<Rows> all_results(const Joined& joined,
                                  const Row& reference) const {
    const auto left = without_losers(joined, reference);
    if (!left) return std::nullopt;
    AnyOrder orders(region_);
    if (kind_ == Kind::kUpdates) {
      return orders.updated(left->initial, left->rows);
    }
    Rows rows = left->rows;
    rows.push_back(left->initial);
    return orders.joined(rows);
  }

  /// The rows that may have a part in the bits of the result, each once: those
  /// that a selection never returns are left out. Nothing where they are too
  /// many.
  std::optional<Joined> without_losers(const Joined& joined,
                                       const Row& reference) const {
    if (!selection_) return joined;
    Joined left{.initial = joined.initial, .rows = {}};
    for (const Row& row : joined.rows) {
      const auto is_same = [&](const Row& other) { return same(row, other); };
      if (std::ranges::any_of(left.rows, is_same)) continue;
      if (!shares_a_zero(row, reference) &&
          !selection_->are_tied(row, reference)) {
        continue;
      }
      left.rows.push_back(row);
      if (left.rows.size() > AnyOrder::kMaxUpdates) return std::nullopt;
    }
    return left;
  }

  RowRegion region_;
  Kind kind_;
  std::optional<Selection> selection_;
};

/// The member of all admitted results that lies nearest to the observed one, if
/// that is given.
std::vector<Expectation> nearest(const Leaves& reference,
                                 const Leaves* observed, const FreeOrder& order,
                                 const std::function<Joined(int64_t)>& joined) {
  Leaves value = reference;
  for (int64_t i = 0; i < reference[0].element_count(); ++i) {
    spend_shared(kWorkOfDifference);
    const Row row = row_at(reference, i);
    if (observed == nullptr) {
      if (order.determines(joined(i), row)) continue;
      return unspecified(reference.size());
    }
    const Row seen = row_at(*observed, i);
    if (same(seen, row)) continue;
    const std::optional<bool> inside = order.admits(joined(i), row, seen);
    if (!inside) return unspecified(reference.size());
    for (size_t k = 0; *inside && k < value.size(); ++k) {
      value[k].set(i, seen[k]);
    }
  }
  std::vector<Expectation> sets;
  sets.reserve(value.size());
  for (Literal& leaf : value) {
    sets.emplace_back(ArraySet::computed(std::move(leaf)));
  }
  return sets;
}

}  // namespace

std::vector<Expectation> expect_any_order(const Instruction& fold,
                                          Operands operands,
                                          const Leaves& reference,
                                          const Leaves* observed) {
  const FreeOrder order(*fold.get<Computation*>("to_apply"),
                        FreeOrder::Kind::kFold, operands);
  const auto inputs = operands.size() / 2;
  return nearest(reference, observed, order, [&](int64_t i) {
    Joined joined{.initial = row_at(operands.subspan(inputs), 0), .rows = {}};
    const Index index = delinearize(i, reference[0].shape().dims);
    fold.op->cells(fold, index, [&](const Index& cell) {
      joined.rows.push_back(row_at(operands.first(inputs),
                                   linearize(cell, operands[0].shape().dims)));
    });
    return joined;
  });
}

std::vector<Expectation> expect_any_order(const Updating& updating,
                                          Operands operands,
                                          const Leaves& reference,
                                          const Leaves* observed) {
  const FreeOrder order(*updating.region, FreeOrder::Kind::kUpdates, operands);
  std::unordered_map<int64_t, std::vector<int64_t>> sources;
  for (const Update& update : updating.updates) {
    sources[update.target].push_back(update.source);
  }
  const Operands added = operands.subspan(
      static_cast<size_t>(updating.first_source), updating.initial.size());
  return nearest(reference, observed, order, [&](int64_t i) {
    Joined joined{.initial = row_at(updating.initial, i), .rows = {}};
    for (const int64_t source : sources[i]) {
      joined.rows.push_back(row_at(added, source));
    }
    return joined;
  });
}

}  // namespace hlo::conformance
