#include "conformance/case/case.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/case/case_json.h"
#include "conformance/literals/literal_bits.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

/// Runs `body`, and gives its errors the place of the line.
template <typename Body>
auto at_line(int line, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    throw Error(error.phase(), error.rule(), error.message(),
                {line, std::max(error.location().column, 1)});
  }
}

// Deeper nesting than any line of a vector file has.
constexpr int kMaxDepth = 8;

/// Refuses, while a line is read, what the reader of JSON lets pass.
class LineRules {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    if (depth > kMaxDepth) fail("vectors.json", "too deeply nested");
    const auto level = static_cast<size_t>(depth);
    if (event == Json::parse_event_t::object_start) keys_.at(level + 1).clear();
    if (event == Json::parse_event_t::key) check_key(level, value);
    return true;
  }

 private:
  void check_key(size_t level, const Json& key) {
    if (keys_.at(level).insert(key.get<std::string>()).second) return;
    fail("vectors.json", "the key " + shortened(key.dump()) + " stands twice");
  }

  // By depth: the keys of the object that is open there.
  std::array<std::set<std::string>, kMaxDepth + 2> keys_;
};

/// Throws the error of a line that is no JSON from this column on.
[[noreturn]] void fail_json(std::string_view text, size_t column) {
  column = std::clamp(column, size_t{1}, text.size() + 1);
  const std::string_view rest = text.substr(column - 1);
  throw Error(Phase::kParse, "vectors.json",
              (rest.empty() ? "the line ends"
                            : "'" + shortened(rest, 20) + "' stands") +
                  " where the text is no JSON, but each line must be a JSON "
                  "object",
              {1, static_cast<int>(column)});
}

Json parse_json(std::string_view text) {
  try {
    Json json = Json::parse(text, LineRules());
    if (!json.is_object())
      fail("vectors.json", "the line is no JSON object, but must be one");
    return json;
  } catch (const Json::parse_error& error) {
    fail_json(text, error.byte);
  } catch (const Json::exception&) {
    fail("vectors.json", "a number of the line is too large for JSON's reader");
  }
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

/// The name of a note, as in "NegativeEdge".
void check_note_name(const std::string& name, std::string_view rule) {
  if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z' &&
      std::ranges::all_of(name, is_letter_or_digit)) {
    return;
  }
  fail(rule, "the note \"" + shortened(name) +
                 "\" has another name: it must be a capital, then letters and "
                 "digits");
}

std::vector<std::string> text_list(const Json& object, const char* key) {
  const Json& list = field(object, key, "vectors.case");
  std::vector<std::string> texts;
  if (!list.is_array())
    fail_case("\"" + std::string(key) + "\" is no list, but must be one");
  for (const Json& item : list) {
    if (!item.is_string()) {
      fail_case("\"" + std::string(key) +
                "\" is no list of strings, but must be one");
    }
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

/// How many elements the inputs and the stated results have.
int64_t elements_of(const Case& c) {
  int64_t sum = 0;
  for (const Literal& input : c.inputs) sum += input.element_count();
  for (const Expectation& expected : c.expect) {
    const auto* set = std::get_if<ArraySet>(&expected);
    if (set != nullptr) sum += set->value.element_count();
  }
  return sum;
}

void check_id(const std::string& id) {
  static constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyz0123456789_.-/";
  if (std::ranges::count(id, '/') < 2 || id.front() == '/' ||
      id.back() == '/' || id.find("//") != std::string::npos ||
      id.find_first_not_of(kAllowed) != std::string::npos) {
    fail_case("the id \"" + shortened(id) + "\" is not op/type/what");
  }
}

void check_why(const std::vector<std::string>& why) {
  if (why.empty()) fail_case("\"why\" names no note, but must name one");
  std::set<std::string> names;
  for (const std::string& name : why) {
    check_note_name(name, "vectors.case");
    if (names.insert(name).second) continue;
    fail_case("\"why\" names the note " + shortened(name) + " twice");
  }
}

void read_program(const Json& json, Case& c) {
  const bool is_hlo = json.contains("hlo");
  if (is_hlo == json.contains("stablehlo")) {
    fail_case(std::string("the case has ") + (is_hlo ? "both" : "none") +
              " of the fields \"hlo\" and \"stablehlo\", but must have one");
  }
  std::string& program = is_hlo ? c.hlo : c.stablehlo;
  program = text_field(json, is_hlo ? "hlo" : "stablehlo", "vectors.case");
}

Case read_case(std::string_view text) {
  const Json json = parse_json(text);
  check_fields(json,
               {"id", "statement", "why", "hlo", "stablehlo", "inputs",
                "expect", "source"},
               "vectors.case");
  Case c;
  c.id = text_field(json, "id", "vectors.case");
  check_id(c.id);
  c.statement = text_field(json, "statement", "vectors.case");
  c.why = text_list(json, "why");
  check_why(c.why);
  read_program(json, c);
  for (const std::string& input : text_list(json, "inputs")) {
    c.inputs.push_back(parse_bits(input));
  }
  const std::string source = text_field(json, "source", "vectors.case");
  if (source != "exact" && source != "reference") {
    fail_case("\"source\" is unknown: it must be exact or reference");
  }
  c.from_reference = source == "reference";
  const Json& expect = field(json, "expect", "vectors.case");
  if (expect != "reference") {
    c.expect = parse_expect(expect);
    c.asks_reference = false;
  } else if (c.from_reference) {
    c.asks_reference = true;
  } else {
    fail_case(
        "the expectation \"reference\" has another source, but must have the "
        "source reference");
  }
  return c;
}

void check_flags(const Case& c, const VectorHeader& header) {
  for (const std::string& flag : c.why) {
    if (!header.notes.contains(flag)) {
      fail_case("\"" + shortened(flag) +
                "\" is not explained in the first line");
    }
  }
}

}  // namespace

VectorHeader parse_header(std::string_view text, int line) {
  return at_line(line, [&] {
    const std::string_view rule = "vectors.header";
    const Json json = parse_json(text);
    check_fields(json, {"generator", "command", "notes", "do_not_edit"}, rule);
    VectorHeader header{.generator = text_field(json, "generator", rule),
                        .command = text_field(json, "command", rule),
                        .notes = {}};
    if (field(json, "do_not_edit", rule) != true) {
      fail(rule, "\"do_not_edit\" is another value, but must be true");
    }
    const Json& notes = field(json, "notes", rule);
    if (!notes.is_object())
      fail(rule, "\"notes\" is no object, but must be one");
    for (const auto& [key, value] : notes.items()) {
      check_note_name(key, rule);
      header.notes[key] = text_field(notes, key.c_str(), rule);
    }
    return header;
  });
}

Case parse_case(std::string_view text, std::string_view file, int line) {
  return at_line(line, [&] {
    Case c = read_case(text);
    c.file = file;
    c.line = line;
    return c;
  });
}

std::string print_case(const Case& c) {
  Json json = {{"id", c.id}, {"statement", c.statement}, {"why", c.why}};
  if (c.stablehlo.empty()) {
    json["hlo"] = c.hlo;
  } else {
    json["stablehlo"] = c.stablehlo;
  }
  json["inputs"] = Json::array();
  for (const Literal& input : c.inputs) {
    json["inputs"].push_back(print_bits(input));
  }
  json["expect"] =
      c.asks_reference ? Json("reference") : expect_to_json(c.expect);
  json["source"] = c.from_reference ? "reference" : "exact";
  try {
    return json.dump();
  } catch (const Json::type_error&) {
    fail_case("the text of the case is not UTF-8");
  }
}

VectorFile parse_vectors(std::string_view text, std::string_view file) {
  VectorFile vectors;
  std::set<std::string> ids;
  int64_t elements_left = int64_t{1} << 24;
  int line = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (++line == 1) {
      vectors.header = parse_header(content);
      continue;
    }
    Case c = parse_case(content, file, line);
    elements_left -= elements_of(c);
    at_line(line, [&] {
      if (elements_left < 0) {
        fail("vectors.size",
             "the cases up to this one have more than 2^24 elements in all, "
             "but a file can have at most so many");
      }
      check_flags(c, vectors.header);
      if (!ids.insert(c.id).second)
        fail_case("a second case " + shortened(c.id));
    });
    vectors.cases.push_back(std::move(c));
  }
  if (line == 0) fail("vectors.header", "the file is empty");
  return vectors;
}

}  // namespace hlo::conformance
