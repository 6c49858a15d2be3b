#include "conformance/expect_sized.h"

#include <optional>
#include <utility>

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
void lay_into_bounds(Set& set, const InBounds& places) {
  lay(set, places);
  if constexpr (requires { set.value; }) set.value = places.spread(set.value);
}

/// The observed arrays at the sizes of the reference's, which those from memory
/// alone do not tell; nothing where they have others and will be refused.
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

}  // namespace

std::vector<Expectation> expect_at_sizes(const Instruction& instruction,
                                         Operands operands,
                                         const Literal& reference,
                                         const std::vector<Literal>* observed,
                                         const Profile& profile) {
  const SizedRun run = at_sizes(instruction, operands);
  const std::vector<const Literal*> arrays = leaves(reference);
  std::optional<std::vector<Literal>> seen;
  if (observed != nullptr) seen = cut_alike(arrays, *observed);
  std::vector<Expectation> sets =
      expect(run.instruction, run.operands, cut(reference),
             seen ? &*seen : nullptr, profile);
  for (size_t i = 0; i < sets.size(); ++i) {
    const InBounds places{*arrays[i]};
    std::visit([&](auto& set) { lay_into_bounds(set, places); }, sets[i]);
  }
  return sets;
}

}  // namespace hlo::conformance
