#include "conformance/certify/rules/certify_sort.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "interpreter/plans/sort/sort_key.h"
#include "interpreter/plans/sort/sorting.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {
namespace {

/// By what rows are put in order.
struct Key {
  size_t operand = 0;
  bool descending = false;
  bool total_order = false;  // which tells zeros and NaNs apart
};

/// The key of a comparator that is one comparison of the two elements of one
/// operand.
std::optional<Key> key_of(const Computation& comparator) {
  const auto found = find_key(comparator);
  if (!found || found->key != nullptr) return std::nullopt;
  return Key{found->operand, found->descending, found->total_order};
}

/// The places of a key in the order, both zeros in one where they are equal.
Places places_of(const ValueSet& set, ElementType type, const Key& key) {
  // A NaN of either sign comes before, or after, all numbers.
  Places range = set.has_nan()
                     ? Places{least_place(type) - 1, greatest_place(type) + 1}
                     : Places{set.low(), set.high()};
  if (!set.has_nan() && !key.total_order && is_float(type)) {
    if (range.low == 0) range.low = zero_place(true, type);
    if (range.high == zero_place(true, type)) range.high = 0;
  }
  if (key.descending) range = {-1 - range.high, -1 - range.low};
  return range;
}

/// For each row of a line the first and the last place where it may stand.
std::vector<Places> find_places(const std::vector<Places>& keys) {
  std::vector<Place> lows;
  std::vector<Place> highs;
  for (const Places& key : keys) {
    lows.push_back(key.low);
    highs.push_back(key.high);
  }
  std::ranges::sort(lows);
  std::ranges::sort(highs);
  std::vector<Places> found;
  for (const Places& key : keys) {
    const auto before =
        std::ranges::lower_bound(highs, key.low) - highs.begin();
    const auto after = lows.end() - std::ranges::upper_bound(lows, key.high);
    found.push_back({before, std::ssize(keys) - 1 - after});
  }
  return found;
}

/// Where the rows of each line may stand; anywhere without a key.
class Order {
 public:
  Order(const Lines& lines, const SetTree& keys, const std::optional<Key>& key)
      : lines_(lines) {
    for (int64_t line = 0; line < lines.count; ++line) {
      places_.push_back(places_of_line(line, keys, key));
    }
  }

  /// What stands at a place of a line; `row` gives the set of a row by its
  /// number.
  template <typename Row>
  ValueSet at(int64_t line, int64_t place, const Row& row) const {
    ValueSet set;
    const std::vector<Places>& places = places_[static_cast<size_t>(line)];
    for (int64_t k = 0; k < lines_.size; ++k) {
      const Places& range = places[static_cast<size_t>(k)];
      if (range.low <= place && place <= range.high) set.add(row(k));
    }
    return set;
  }

 private:
  std::vector<Places> places_of_line(int64_t line, const SetTree& keys,
                                     const std::optional<Key>& key) const {
    std::vector<Places> ranges;
    bool ordered = key.has_value();
    for (int64_t k = 0; ordered && k < lines_.size; ++k) {
      const ValueSet set = keys.at(lines_.first(line) + k * lines_.stride);
      ordered = key->total_order || !set.has_nan();
      ranges.push_back(places_of(set, keys.value.type(), *key));
    }
    if (ordered) return find_places(ranges);
    return {static_cast<size_t>(lines_.size), Places{0, lines_.size - 1}};
  }

  Lines lines_;
  std::vector<std::vector<Places>> places_;
};

/// The operand in that order.
SetTree permuted(const Order& order, const Lines& lines, const SetTree& array,
                 const Literal& nominal) {
  SetTree result = SetTree::known(nominal);
  result.sets.resize(static_cast<size_t>(nominal.element_count()));
  for (int64_t line = 0; line < lines.count; ++line) {
    const int64_t first = lines.first(line);
    for (int64_t k = 0; k < lines.size; ++k) {
      result.sets[static_cast<size_t>(first + k * lines.stride)] = order.at(
          line, k,
          [&](int64_t row) { return array.at(first + row * lines.stride); });
    }
  }
  return simplified(std::move(result));
}

SetTree tuple_of(const Literal& nominal, std::vector<SetTree> elements) {
  SetTree tuple;
  tuple.value = nominal;
  tuple.elements = std::move(elements);
  return tuple;
}

/// All operands, along a dimension, as a comparator says.
SetTree sorted(const Application& a) {
  const bool complex = std::ranges::any_of(
      a.nominals, [](const Literal& x) { return is_complex(x.type()); });
  if (complex) return unruled(a);
  const Lines lines = lines_along(a.nominals[0].shape(),
                                  a.instruction.get<Ints>("dimensions")[0]);
  const auto key = key_of(*a.instruction.get<Computation*>("to_apply"));
  const Order order(lines, *a.operands[key ? key->operand : 0], key);
  if (a.operands.size() == 1) {
    return permuted(order, lines, *a.operands[0], a.nominal);
  }
  std::vector<SetTree> elements;
  for (size_t k = 0; k < a.operands.size(); ++k) {
    elements.push_back(
        permuted(order, lines, *a.operands[k], a.nominal.elements()[k]));
  }
  return tuple_of(a.nominal, std::move(elements));
}

/// The largest of each line, or the smallest.
SetTree picked(const Application& a) {
  const SetTree& operand = *a.operands[0];
  const Shape& shape = a.nominals[0].shape();
  const Lines lines = lines_along(shape, shape.rank() - 1);
  const Key key{.descending = a.instruction.get_or("largest", true),
                .total_order = true};
  const Order order(lines, operand, key);
  SetTree values = SetTree::known(a.nominal.elements()[0]);
  SetTree indices = SetTree::known(a.nominal.elements()[1]);
  const auto k = a.instruction.get<int64_t>("k");
  for (int64_t i = 0; i < values.value.element_count(); ++i) {
    spend_shared(0);
    values.sets.push_back(order.at(i / k, i % k, [&](int64_t row) {
      return operand.at(i / k * lines.size + row);
    }));
    indices.sets.push_back(order.at(
        i / k, i % k, [](int64_t row) { return ValueSet::range(row, row); }));
  }
  return tuple_of(a.nominal, {simplified(std::move(values)),
                              simplified(std::move(indices))});
}

}  // namespace

SetTree certify_order(const Application& a) {
  const Op& op = *a.instruction.op;
  if (op.takes("to_apply") && op.takes("dimensions")) return sorted(a);
  return op.takes("k") ? picked(a) : unruled(a);
}

}  // namespace hlo::conformance
