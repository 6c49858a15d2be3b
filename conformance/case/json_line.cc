#include "conformance/case/json_line.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

// Deeper nesting than any line of a vector file has.
constexpr int kMaxDepth = 8;

[[noreturn]] void fail_at(size_t offset, std::string_view rule,
                          const std::string& message) {
  throw Error(Phase::kParse, rule, message, {1, static_cast<int>(offset) + 1});
}

size_t skip_between(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n,:", at), text.size());
}

size_t string_end(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"';) {
    at += text[at] == '\\' ? 2 : 1;
  }
  return std::min(at + 1, text.size());
}

size_t token_end(std::string_view text, size_t at) {
  if (text[at] == '"') return string_end(text, at);
  if (std::string_view("{}[]").find(text[at]) != std::string_view::npos) {
    return at + 1;
  }
  return std::min(text.find_first_of(" \t\r\n,:{}[]\"", at), text.size());
}

/// Where the n-th bracket, string, number or word of a JSON text begins.
size_t token_offset(std::string_view text, size_t n) {
  size_t at = skip_between(text, 0);
  for (; n > 0 && at < text.size(); --n) {
    at = skip_between(text, token_end(text, at));
  }
  return at;
}

/// Refuses, while a line is read, what the reader of JSON lets pass, and counts
/// the tokens, each of which is an event.
class LineRules {
 public:
  LineRules(std::string_view text, size_t& tokens)
      : text_(text), tokens_(tokens) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    const bool opens = event == Json::parse_event_t::object_start ||
                       event == Json::parse_event_t::array_start;
    if (depth + int{opens} > kMaxDepth) {
      refuse("the line is nested more than 8 deep");
    }
    const auto level = static_cast<size_t>(depth);
    if (event == Json::parse_event_t::object_start) keys_.at(level + 1).clear();
    if (event == Json::parse_event_t::key) check_key(level, value);
    ++tokens_;
    return true;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    fail_at(token_offset(text_, tokens_), "vectors.json", message);
  }

  void check_key(size_t level, const Json& key) {
    if (keys_.at(level).insert(key.get<std::string>()).second) return;
    refuse("the key " + shortened(key.dump()) + " stands twice");
  }

  std::string_view text_;
  size_t& tokens_;
  // By depth: the keys of the object that is open there.
  std::array<std::set<std::string>, kMaxDepth + 1> keys_;
};

/// Throws the error of a line that is no JSON from this column on.
[[noreturn]] void fail_json(std::string_view text, size_t column) {
  column = std::clamp(column, size_t{1}, text.size() + 1);
  const std::string_view rest = text.substr(column - 1);
  fail_at(column - 1, "vectors.json",
          (rest.empty() ? "the line ends"
                        : "'" + shortened(rest, 20) + "' stands") +
              " where the text is no JSON, but each line must be a JSON "
              "object");
}

Json parse_json(std::string_view text) {
  // To the parser it is the end.
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    fail_json(text, nul + 1);
  }
  size_t tokens = 0;
  try {
    Json json = Json::parse(text, LineRules(text, tokens));
    if (json.is_object()) return json;
  } catch (const Json::parse_error& error) {
    fail_json(text, error.byte);
  } catch (const Json::exception&) {
    fail_at(token_offset(text, tokens), "vectors.json",
            "a number of the line is too large for JSON's reader");
  }
  fail_at(0, "vectors.json", "the line is no JSON object, but must be one");
}

/// Adds how many tokens of `json` stand before the value; whether it is there.
bool find_token(const Json& json, const Json* value, size_t& tokens) {
  if (&json == value) return true;
  ++tokens;
  if (!json.is_structured()) return false;
  for (const auto& item : json.items()) {
    if (json.is_object()) ++tokens;
    if (find_token(item.value(), value, tokens)) return true;
  }
  ++tokens;
  return false;
}

/// Where the character of the string at `at` stands, each a byte or an escape.
size_t character_offset(std::string_view text, size_t at, int character) {
  for (++at; character > 1 && at < text.size() && text[at] != '"';
       --character) {
    const bool escape = text[at] == '\\' && at + 1 < text.size();
    at += !escape ? 1 : text[at + 1] == 'u' ? 6 : 2;
  }
  return std::min(at, text.size());
}

[[noreturn]] void fail_wrong(std::string_view text, const Json& json,
                             const WrongValue& wrong) {
  size_t tokens = 0;
  if (!find_token(json, wrong.value, tokens)) tokens = 0;
  if (wrong.at_key && tokens > 0) --tokens;
  const size_t at = token_offset(text, tokens);
  fail_at(
      wrong.character == 0 ? at : character_offset(text, at, wrong.character),
      wrong.rule, wrong.message);
}

}  // namespace

void fail(const Json& value, std::string_view rule,
          const std::string& message) {
  throw WrongValue{
      .rule = std::string(rule), .message = message, .value = &value};
}

void fail_case(const Json& value, const std::string& message) {
  fail(value, "vectors.case", message);
}

void read_line(std::string_view text, int line,
               const std::function<void(const Json&)>& read) {
  try {
    const Json json = parse_json(text);
    try {
      read(json);
    } catch (const WrongValue& wrong) {
      fail_wrong(text, json, wrong);
    }
  } catch (const Error& error) {
    throw Error(error.phase(), error.rule(), error.message(),
                {line, std::max(error.location().column, 1)});
  }
}

}  // namespace hlo::conformance
