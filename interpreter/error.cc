#include "interpreter/error.h"

namespace hlo {
namespace {

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
    : std::runtime_error(describe(rule, message, location)),
      phase_(phase),
      rule_(rule),
      location_(location),
      message_(message) {}

void refuse(Phase phase, std::string_view rule, MessageParts found,
            const MessagePart& demanded) {
  throw Error(phase, rule, joined(found) + ", but " + joined({demanded}));
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
