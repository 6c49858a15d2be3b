#include "interpreter/error.h"

#include "interpreter/shortened.h"

namespace hlo {
namespace {

// What was found may take so much, of a message that takes so much.
constexpr size_t kMostFound = 250;
constexpr size_t kMostMessage = 600;

std::string describe(std::string_view rule, std::string_view message,
                     Location location) {
  std::string text;
  if (location.line > 0) {
    text = std::to_string(location.line) + ":" +
           std::to_string(location.column) + ": ";
  }
  text.append(rule).append(": ").append(message);
  return text;
}

}  // namespace

Error::Error(Phase phase, std::string_view rule, std::string_view message,
             Location location)
    : std::runtime_error(
          describe(rule, shortened(message, kMostMessage), location)),
      phase_(phase),
      rule_(rule),
      location_(location),
      message_(shortened(message, kMostMessage)) {}

void refuse(Phase phase, std::string_view rule, MessageParts found,
            const MessagePart& demanded) {
  std::string rest;
  demanded.append_to(rest);
  throw Error(phase, rule,
              shortened(joined(found), kMostFound) + ", but " + rest);
}

std::string_view name(Phase phase) {
  switch (phase) {
    case Phase::kParse:
      return "parse";
    case Phase::kVerify:
      return "verify";
    case Phase::kEvaluate:
      return "evaluate";
  }
  throw std::logic_error("unknown phase");
}

}  // namespace hlo
