#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interpreter/model/literal.h"

namespace hlo {

/// A value that is there once other devices, or a computation that runs beside
/// the one that waits, have done their part.
struct Future {
  /// The value, or null while it is not there.
  std::function<const Literal*()> poll;
  /// The devices that have not done their part; none where that is not known.
  std::function<std::vector<int64_t>()> awaited;

  bool is_ready() const { return poll() != nullptr; }

  /// The value, which is ready.
  const Literal& value() const { return *poll(); }
};

/// A value that is there already.
Future at_once(Literal value);

}  // namespace hlo
