#include "conformance/expect/order/expect_any_order.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "conformance/expect/order/any_order.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using Leaves = std::vector<Literal>;
/// The results that element i may have, or nothing where they are not known.
using Results = std::function<std::optional<Rows>(int64_t i)>;

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

std::vector<Expectation> unspecified(size_t leaves) {
  return std::vector<Expectation>(
      leaves,
      UnspecifiedSet{"the order in which the region is applied is free, and "
                     "there are too many of them to try"});
}

std::vector<Expectation> nearest(const Leaves& reference,
                                 const Leaves* observed,
                                 const Results& results) {
  if (observed == nullptr) return unspecified(reference.size());
  Leaves value = reference;
  for (int64_t i = 0; i < reference[0].element_count(); ++i) {
    const Row seen = row_at(*observed, i);
    if (same(seen, row_at(reference, i))) continue;
    const std::optional<Rows> admitted = results(i);
    if (!admitted) return unspecified(reference.size());
    const bool inside = std::ranges::any_of(
        *admitted, [&](const Row& row) { return same(row, seen); });
    for (size_t k = 0; inside && k < value.size(); ++k) {
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
  AnyOrder orders(*fold.get<Computation*>("to_apply"));
  const auto inputs = operands.size() / 2;
  return nearest(reference, observed, [&](int64_t i) {
    Rows rows = {row_at(operands.subspan(inputs), 0)};
    const Index index = delinearize(i, reference[0].shape().dims);
    fold.op->cells(fold, index, [&](const Index& cell) {
      if (rows.size() > AnyOrder::kMaxJoined) return;
      rows.push_back(row_at(operands.first(inputs),
                            linearize(cell, operands[0].shape().dims)));
    });
    return orders.joined(rows);
  });
}

std::vector<Expectation> expect_any_order(const Updating& updating,
                                          Operands operands,
                                          const Leaves& reference,
                                          const Leaves* observed) {
  AnyOrder orders(*updating.region);
  std::unordered_map<int64_t, std::vector<int64_t>> sources;
  for (const Update& update : updating.updates) {
    sources[update.target].push_back(update.source);
  }
  const Operands added = operands.subspan(
      static_cast<size_t>(updating.first_source), updating.initial.size());
  return nearest(reference, observed, [&](int64_t i) -> std::optional<Rows> {
    Rows updates;
    for (const int64_t source : sources[i]) {
      if (updates.size() > AnyOrder::kMaxUpdates) return std::nullopt;
      updates.push_back(row_at(added, source));
    }
    return orders.updated(row_at(updating.initial, i), updates);
  });
}

}  // namespace hlo::conformance
