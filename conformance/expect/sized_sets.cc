#include "conformance/expect/sized_sets.h"

#include "conformance/literals/literal_bits.h"
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

  Literal spread(const Literal& array) const {
    Shape shape = bounds.shape();
    shape.element_type = array.type();
    return in_bounds(array, shape);
  }
};

ArraySet spread(const ArraySet& set, const InBounds& places) {
  ArraySet result{.value = places.spread(set.value), .any_nan = set.any_nan};
  if (set.sets.empty()) return result;
  const int parts = components(set.value.type());
  for (int64_t i = 0; i < set.value.element_count(); ++i) {
    const int64_t at = places.of(i);
    result.put(at, set.element(i));
    for (int part = 0; part < parts && !set.empty_bounds.empty(); ++part) {
      result.empty_bounds.resize(result.sets.size());
      result.empty_bounds[static_cast<size_t>(at * parts + part)] =
          set.empty_bounds[static_cast<size_t>(i * parts + part)];
    }
  }
  return result;
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
    if (!array.shape().has_dynamic_dimensions()) {
      array.set_dynamic_sizes(wanted[i]->dynamic_sizes());
    }
    if (sizes_of(array) != sizes_of(*wanted[i])) return std::nullopt;
    arrays.push_back(cut(array));
  }
  return arrays;
}

void lay_into_bounds(Expectation& set, const Literal& bounds) {
  auto* array = std::get_if<ArraySet>(&set);
  if (array != nullptr) *array = spread(*array, InBounds{bounds});
}

}  // namespace hlo::conformance
