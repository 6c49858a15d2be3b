#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "interpreter/rules/op.h"

namespace hlo {

/// A function of an element of one operand, which a comparator takes of both of
/// its sides.
struct MatchedKey {
  size_t operand;
  /// Whether the left value is that of side a, of the parameters of even
  /// number.
  bool left_is_first;
  /// The function as a region of one parameter; null where it is the identity.
  std::unique_ptr<Computation> key;
};

/// What two values of a comparator have in common, if they are the same
/// function of the two elements of one operand. It follows their operands as
/// deep as they go.
std::optional<MatchedKey> match_key(const Instruction& left,
                                    const Instruction& right);

}  // namespace hlo
