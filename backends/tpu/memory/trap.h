#pragma once

#include <stdexcept>
#include <string>

namespace hlo::tpu {

/// What the machine stops at, because no right program of it does that: the
/// read of a place that holds no element, or what lies outside of a memory.
class Trap : public std::logic_error {
 public:
  /// The rule is "tpu.padding", "tpu.bounds", "tpu.scratch" or "tpu.unwritten"
  /// (spec/commands.md).
  Trap(std::string rule, const std::string& what);

  const std::string& rule() const { return rule_; }

 private:
  std::string rule_;
};

/// A number as addresses are written, as in 0x200.
std::string hexadecimal(int64_t number);

}  // namespace hlo::tpu
