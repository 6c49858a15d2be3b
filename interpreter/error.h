#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "interpreter/message.h"

namespace hlo {

/// The stage of processing that a program or an input failed in.
enum class Phase { kParse, kVerify, kEvaluate };

/// A place in a text, counted from 1; line 0 means that no place is known.
struct Location {
  int line = 0;
  int column = 0;
  friend bool operator==(const Location&, const Location&) = default;
};

/// The only exception that a program or an input can cause. `rule` is the
/// label of the violated rule ("pad.C2", "text.number"); it stands in spec/.
class Error : public std::runtime_error {
 public:
  Error(Phase phase, std::string_view rule, std::string_view message,
        Location location = {});

  Phase phase() const { return phase_; }

  const std::string& rule() const { return rule_; }

  const Location& location() const { return location_; }

  /// The message without rule and location, which what() puts before it.
  const std::string& message() const { return message_; }

 private:
  Phase phase_;
  std::string rule_;
  Location location_;
  std::string message_;
};

/// The lower-case word of a phase: "parse", "verify", "evaluate".
std::string_view name(Phase phase);

/// Throws the error of `rule`: what was `found`, then what is `demanded`.
[[noreturn]] void refuse(Phase phase, std::string_view rule, MessageParts found,
                         const MessagePart& demanded);

/// Throws the verify error of `rule` unless `condition` holds: what was
/// `found` and what is `demanded` ("the stride is 0, but it must be at least
/// 1"). The verifier adds the instruction and its place.
inline void require(bool condition, std::string_view rule, MessageParts found,
                    const MessagePart& demanded) {
  if (!condition) refuse(Phase::kVerify, rule, found, demanded);
}

/// Throws the evaluate error of `rule` unless `condition` holds, in the words
/// that require() has.
inline void require_evaluable(bool condition, std::string_view rule,
                              MessageParts found, const MessagePart& demanded) {
  if (!condition) refuse(Phase::kEvaluate, rule, found, demanded);
}

}  // namespace hlo
