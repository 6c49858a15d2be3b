#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "interpreter/rules/op.h"

namespace hlo {

/// What an operation's `fit` turns into what holds at the sizes of run time:
/// `sizes`, one list for each operand, of which paired dimensions become the
/// lesser one, and attributes and a given shape that hold sizes. Shapes of the
/// instruction's operands are still the bounds, as the program has them.
struct Fitting {
  Instruction& instruction;
  std::vector<Literal>& operands;
  std::vector<Ints>& sizes;

  int64_t& size(size_t operand, int64_t d) const {
    return sizes[operand][static_cast<size_t>(d)];
  }

  /// Two dimensions that have to be equal: what one lacks is not there.
  void pair(size_t a, int64_t d, size_t b, int64_t e) const;
  /// All dimensions of operands [first, first + count).
  void join(size_t first, size_t count) const;
  /// Evaluate error "evaluate.sizes" where the dimension is not as large as its
  /// bound; `why` says what must hold.
  void require_whole(size_t operand, int64_t d, std::string_view why) const;

  template <typename T>
  void change(std::string_view attribute, const T& value) const {
    for (auto& [name, old] : instruction.attributes) {
      if (name == attribute) old = value;
    }
  }
};

/// Only the shapes change: no attribute holds a size, and the rules of the
/// operation say which sizes go together.
void fit_shapes(const Fitting& on);
/// All operands have the same dimensions.
void fit_alike(const Fitting& on);
/// Inputs of the same dimensions, then as many initial values.
void fit_inputs(const Fitting& on);
/// Batch and contracting dimensions of operands 0 and 1.
void fit_contraction(const Fitting& on);
/// Operands [1, count) are vectors of an element for each feature of operand 0.
void fit_features(const Fitting& on, size_t count);
/// The sizes of a slice of operand 0 for which starts are clamped.
void fit_slice_sizes(const Fitting& on, std::string_view attribute);
/// Operand `indices` names a place only with all elements of an index vector.
void require_index_vectors(const Fitting& on, size_t indices);

/// The dimensions of one shape with the element types of another, which is a
/// tuple alike.
Shape with_types(const Shape& sizes, const Shape& types);

}  // namespace hlo
