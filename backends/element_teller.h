#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "backends/backend.h"
#include "interpreter/rules/devices/collective.h"

namespace hlo {

/// An element of the result of an instruction of a module.
struct AskedElement {
  const Instruction* instruction = nullptr;
  Ints tuple_index = {};  // of the array in a tuple
  Index index = {};
  int64_t run = 1;                    // of the instruction
  std::optional<Device> device = {};  // the first that runs it
  int64_t depth = 1;  // of instructions, one behind the other, that are told of
};

/// What a machine tells of it.
struct ToldElement {
  Scalar value;
  std::string text;  // lines, the same each time
};

/// A backend that tells where an element lies in its memory, and what made it.
class ElementTeller {
 public:
  virtual ~ElementTeller() = default;
  /// Runs the module as Backend::run() does. Failures "explain.device" where
  /// the program does not run on that device, and "explain.run" where the
  /// instruction runs less often.
  virtual std::variant<ToldElement, Failure> tell(
      const Module& module, std::span<const Buffer> arguments,
      const AskedElement& asked) = 0;
};

}  // namespace hlo
