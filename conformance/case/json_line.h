#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace hlo::conformance {

using Json = nlohmann::ordered_json;

/// What is wrong with a value of a line: read_line() makes an Error of it.
struct WrongValue {
  std::string rule = {};
  std::string message = {};
  const Json* value = nullptr;
  int character = 0;    // where a string is wrong, counted from 1; 0: anywhere
  bool at_key = false;  // the key of the value is what is wrong
};

/// Throws the WrongValue.
[[noreturn]] void fail(const Json& value, std::string_view rule,
                       const std::string& message);
/// fail() with the rule "vectors.case".
[[noreturn]] void fail_case(const Json& value, const std::string& message);

/// Calls read() with the JSON object that the text spells. Error "vectors.json"
/// where it spells none or a key twice; all errors have the line and the
/// column of what is wrong.
void read_line(std::string_view text, int line,
               const std::function<void(const Json&)>& read);

}  // namespace hlo::conformance
