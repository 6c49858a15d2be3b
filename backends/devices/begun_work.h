#pragma once

#include <map>
#include <optional>
#include <utility>

#include "backends/devices/grid_network.h"

namespace hlo::devices {

/// Evaluate error "async.pair".
void require_begun(bool is_begun, const Instruction& done);

/// Evaluate error "async-done.C2" where what ran has another shape than the
/// done, which may know no more than its first elements.
void require_ended_shape(const Shape& ended, const Instruction& done);

/// Evaluate error "collective.member": the device is in none of the groups.
void require_member(bool is_member, const Device& device);

/// What a device has begun, and a later instruction ends.
template <typename Value>
class BegunWork {
 public:
  void add(const Instruction& start, Pending<Value> pending) {
    begun_.insert_or_assign(&start, std::move(pending));
  }

  /// What the first operand of `later` has begun, if anything.
  std::optional<Pending<Value>> take(const Instruction& later) {
    std::optional<Pending<Value>> taken;
    auto node = begun_.extract(later.operands[0]);
    if (!node.empty()) taken = std::move(node.mapped());
    return taken;
  }

  /// Evaluate error "async.pair" where it is nothing.
  Pending<Value> end(const Instruction& done) {
    std::optional<Pending<Value>> taken = take(done);
    require_begun(taken.has_value(), done);
    return *std::move(taken);
  }

 private:
  std::map<const Instruction*, Pending<Value>> begun_;
};

/// The value of a done, once it is there: require_ended_shape() holds.
template <typename Value>
Pending<Value> with_shape_of(const Instruction& done, Pending<Value> pending) {
  return [pending = std::move(pending), &done]() -> const Value* {
    const Value* value = pending();
    if (value != nullptr) require_ended_shape(value->shape, done);
    return value;
  };
}

}  // namespace hlo::devices
