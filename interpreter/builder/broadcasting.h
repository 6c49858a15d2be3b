#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/model/shape.h"

namespace hlo {

/// One operation that brings an operand closer to the shape of the result.
struct BroadcastStep {
  enum class Kind : uint8_t { kReshape, kBroadcast };

  Kind kind = Kind::kBroadcast;
  Shape shape;                      // of its result
  std::vector<int64_t> dimensions;  // of kBroadcast
  friend bool operator==(const BroadcastStep&, const BroadcastStep&) = default;
};

/// The explicit operations that a builder emits for a binary element-wise
/// operation on operands of different shapes (spec/broadcasting.md).
struct BroadcastPlan {
  std::vector<BroadcastStep> lhs;
  std::vector<BroadcastStep> rhs;
  Shape result;
};

/// The plan for two arrays. `broadcast_dimensions` says which dimension of the
/// array of higher rank each dimension of the other one goes to. Verify errors
/// "broadcasting.C1" ... where the shapes do not go together.
BroadcastPlan plan_broadcast(const Shape& lhs, const Shape& rhs,
                             std::span<const int64_t> broadcast_dimensions);

/// The text of the module with two parameters that a builder writes for the
/// binary operation `opcode`.
std::string broadcast_program(std::string_view opcode, const Shape& lhs,
                              const Shape& rhs,
                              std::span<const int64_t> broadcast_dimensions);

}  // namespace hlo
