#pragma once

#include <cstdint>

#include "conformance/shrink/edit.h"

namespace hlo::conformance {

/// Which dimensions are meant: of the arrays of that rank, or of any.
struct ResizedPlace {
  int64_t d = -1;  // any
  int64_t rank = -1;
};

/// What becomes of dimensions of `from` elements.
struct Resizing {
  int64_t from;
  int64_t to;
  int64_t start;  // of what is kept
  ResizedPlace place = {};
  /// Dimensions of several times as many become as many times smaller, as where
  /// the arrays of a group are joined.
  bool multiples = false;
};

/// What says a size.
enum class Said : uint8_t { kByArrays, kByAttributes, kByBoth };

/// Changes all dimensions of that size, in every computation, the values of
/// constants and inputs, or the numbers of attributes that are that size, or
/// both.
void resize_all(Edit& edit, const Resizing& resizing, Said said);

}  // namespace hlo::conformance
