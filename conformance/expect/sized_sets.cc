#include "conformance/expect/sized_sets.h"

#include <utility>

#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/sized.h"

namespace hlo::conformance {
namespace {

/// From the elements of an array to their places in its bounds.
struct InBounds {
  const Literal& bounds;  // with the sizes that it has at run time

  int64_t of(int64_t position) const {
    return linearize(delinearize(position, sizes_of(bounds)),
                     bounds.shape().dims);
  }

  /// Numbers of elements, or of their components.
  template <typename T>
  std::vector<T> spread(const std::vector<T>& values) const {
    const Shape sizes = Shape::array(bounds.type(), sizes_of(bounds));
    if (values.empty() || sizes.element_count() == 0) return {};
    const auto each = std::ssize(values) / sizes.element_count();
    std::vector<T> result(static_cast<size_t>(bounds.element_count() * each));
    for (int64_t i = 0; i < std::ssize(values); ++i) {
      const int64_t at = of(i / each) * each + i % each;
      result[static_cast<size_t>(at)] = values[static_cast<size_t>(i)];
    }
    return result;
  }

  Literal spread(const Literal& array) const {
    Shape shape = bounds.shape();
    shape.element_type = array.type();
    return in_bounds(array, shape);
  }
};

void lay(BitsSet& /*unused*/, const InBounds& /*unused*/) {}

void lay(RejectedSet& /*unused*/, const InBounds& /*unused*/) {}

void lay(UnspecifiedSet& /*unused*/, const InBounds& /*unused*/) {}

void lay(RoundedSet& set, const InBounds& places) {
  set.sides = places.spread(set.sides);
}

void lay(IntervalSet& set, const InBounds& places) {
  set.low = places.spread(set.low);
  set.high = places.spread(set.high);
  set.terms = places.spread(set.terms);
  set.magnitude = places.spread(set.magnitude);
  set.nans = places.spread(set.nans);
  set.empty_bounds = places.spread(set.empty_bounds);
}

void lay(AllowedSet& set, const InBounds& places) {
  for (const auto& [position, element] : std::exchange(set.elements, {})) {
    set.elements.emplace(places.of(position), element);
  }
}

template <typename Set>
void lay_with_value(Set& set, const InBounds& places) {
  lay(set, places);
  if constexpr (requires { set.value; }) set.value = places.spread(set.value);
}

}  // namespace

std::optional<std::vector<Literal>> cut_alike(
    const std::vector<const Literal*>& wanted,
    const std::vector<Literal>& observed) {
  if (wanted.size() != observed.size()) return std::nullopt;
  std::vector<Literal> arrays;
  for (size_t i = 0; i < wanted.size(); ++i) {
    Literal array = observed[i];
    if (!compatible(wanted[i]->shape(), array.shape(), true)) {
      return std::nullopt;
    }
    if (array.dynamic_sizes().empty()) {
      array.set_dynamic_sizes(wanted[i]->dynamic_sizes());
    }
    if (sizes_of(array) != sizes_of(*wanted[i])) return std::nullopt;
    arrays.push_back(cut(array));
  }
  return arrays;
}

void lay_into_bounds(Expectation& set, const Literal& bounds) {
  const InBounds places{bounds};
  std::visit([&](auto& each) { lay_with_value(each, places); }, set);
}

}  // namespace hlo::conformance
