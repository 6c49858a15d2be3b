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

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

/// The name of a note, as in "NegativeEdge"; else throws `wrong` of it.
void check_note_name(const std::string& name, WrongValue wrong) {
  if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z' &&
      std::ranges::all_of(name, is_letter_or_digit)) {
    return;
  }
  wrong.message = "the note \"" + shortened(name) +
                  "\" has another name: it must be a capital, then letters and "
                  "digits";
  throw std::move(wrong);
}

const Json& list_field(const Json& object, const char* key,
                       std::string_view rule) {
  const Json& list = field(object, key, rule);
  if (!list.is_array()) {
    fail(list, rule,
         "\"" + std::string(key) + "\" is no list, but must be one");
  }
  return list;
}

/// The field, a list of strings.
const Json& text_list(const Json& object, const char* key) {
  const Json& list = list_field(object, key, "vectors.case");
  for (const Json& item : list) {
    if (item.is_string()) continue;
    fail_case(item, "\"" + std::string(key) +
                        "\" is no list of strings, but must be one");
  }
  return list;
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

std::string read_id(const Json& json) {
  static constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyz0123456789_.-/";
  std::string id = text_field(json, "id", "vectors.case");
  if (std::ranges::count(id, '/') < 2 || id.front() == '/' ||
      id.back() == '/' || id.find("//") != std::string::npos ||
      id.find_first_not_of(kAllowed) != std::string::npos) {
    fail_case(json.at("id"),
              "the id \"" + shortened(id) + "\" is not op/type/what");
  }
  return id;
}

std::vector<std::string> read_why(const Json& json) {
  const Json& why = text_list(json, "why");
  if (why.empty()) fail_case(why, "\"why\" names no note, but must name one");
  std::vector<std::string> names;
  for (const Json& item : why) {
    const std::string& name = names.emplace_back(item.get<std::string>());
    check_note_name(name, {.rule = "vectors.case", .value = &item});
    if (std::ranges::count(names, name) == 1) continue;
    fail_case(item, "\"why\" names the note " + shortened(name) + " twice");
  }
  return names;
}

void read_program(const Json& json, Case& c) {
  const bool is_hlo = json.contains("hlo");
  if (is_hlo == json.contains("stablehlo")) {
    fail_case(json,
              std::string("the case has ") + (is_hlo ? "both" : "none") +
                  R"( of the fields "hlo" and "stablehlo", but must have one)");
  }
  std::string& program = is_hlo ? c.hlo : c.stablehlo;
  program = text_field(json, is_hlo ? "hlo" : "stablehlo", "vectors.case");
}

/// The source and the expectation, which goes with it.
void read_expect(const Json& json, Case& c) {
  const std::string source = text_field(json, "source", "vectors.case");
  c.certified = source == "certified";
  c.from_reference = source == "reference" || c.certified;
  if (source != source_of(c)) {
    fail_case(
        json.at("source"),
        "\"source\" is unknown: it must be exact, reference or certified");
  }
  const Json& expect = field(json, "expect", "vectors.case");
  c.asks_reference = expect == "reference";
  if (!c.asks_reference) c.expect = parse_expect(expect);
  if (c.asks_reference && !c.from_reference) {
    fail_case(
        expect,
        "the expectation \"reference\" has another source, but must have the "
        "source reference");
  }
}

Case read_case(const Json& json) {
  check_fields(json,
               {"id", "statement", "why", "hlo", "stablehlo", "inputs",
                "expect", "source"},
               "vectors.case");
  Case c;
  c.id = read_id(json);
  c.statement = text_field(json, "statement", "vectors.case");
  c.why = read_why(json);
  read_program(json, c);
  for (const Json& input : text_list(json, "inputs")) {
    c.inputs.push_back(literal_of(input));
    if (!c.inputs.back().dynamic_sizes().empty()) {
      fail_case(input,
                "the input has fewer elements at run time, for which buffers "
                "need have no room: it must have all, and set-dimension-size "
                "takes some away");
    }
  }
  read_expect(json, c);
  return c;
}

Blessing read_blessing(const Json& json, const std::string& rule) {
  if (!json.is_object()) {
    fail(json, rule, "a blessing is no object, but must be one");
  }
  check_fields(json, {"who", "when", "why", "cases"}, rule);
  Blessing blessing{.who = text_field(json, "who", rule),
                    .when = text_field(json, "when", rule),
                    .why = text_field(json, "why", rule),
                    .cases = {}};
  for (const Json& id : list_field(json, "cases", rule)) {
    if (!id.is_string()) fail(id, rule, "an id is no string, but must be one");
    blessing.cases.push_back(id.get<std::string>());
  }
  return blessing;
}

VectorHeader read_header(const Json& json) {
  const std::string rule = "vectors.header";
  check_fields(
      json, {"generator", "command", "notes", "do_not_edit", "blessed"}, rule);
  VectorHeader header{.generator = text_field(json, "generator", rule),
                      .command = text_field(json, "command", rule),
                      .notes = {}};
  const Json& do_not_edit = field(json, "do_not_edit", rule);
  if (do_not_edit != true) {
    fail(do_not_edit, rule,
         "\"do_not_edit\" is another value, but must be true");
  }
  const Json& notes = field(json, "notes", rule);
  if (!notes.is_object()) {
    fail(notes, rule, "\"notes\" is no object, but must be one");
  }
  for (const auto& [key, value] : notes.items()) {
    check_note_name(key, {.rule = rule, .value = &value, .at_key = true});
    header.notes[key] = text_field(notes, key.c_str(), rule);
  }
  if (!json.contains("blessed")) return header;
  for (const Json& entry : list_field(json, "blessed", rule)) {
    header.blessed.push_back(read_blessing(entry, rule));
  }
  return header;
}

/// What the cases of a file share.
class FileRules {
 public:
  explicit FileRules(const VectorHeader& header) : header_(header) {}

  /// Throws WrongValue where the case of the line breaks them.
  void check(const Case& c, const Json& json) {
    for (size_t i = 0; i < c.why.size(); ++i) {
      if (header_.notes.contains(c.why[i])) continue;
      fail_case(
          json.at("why").at(i),
          "\"" + shortened(c.why[i]) + "\" is not explained in the first line");
    }
    if (!ids_.insert(c.id).second) {
      fail_case(json.at("id"), "a second case " + shortened(c.id));
    }
    elements_left_ -= elements_of(c);
    if (elements_left_ >= 0) return;
    fail(json, "vectors.size",
         "the cases up to this one have more than 2^24 elements in all, "
         "but a file can have at most so many");
  }

 private:
  const VectorHeader& header_;
  std::set<std::string> ids_;
  int64_t elements_left_ = int64_t{1} << 24;
};

}  // namespace

VectorHeader parse_header(std::string_view text, int line) {
  VectorHeader header;
  read_line(text, line, [&](const Json& json) { header = read_header(json); });
  return header;
}

Case parse_case(std::string_view text, std::string_view file, int line) {
  Case c;
  read_line(text, line, [&](const Json& json) { c = read_case(json); });
  c.file = file;
  c.line = line;
  return c;
}

std::string print_header(const VectorHeader& header) {
  Json json = {{"generator", header.generator},
               {"command", header.command},
               {"notes", header.notes},
               {"do_not_edit", true}};
  for (const Blessing& blessing : header.blessed) {
    json["blessed"].push_back({{"who", blessing.who},
                               {"when", blessing.when},
                               {"why", blessing.why},
                               {"cases", blessing.cases}});
  }
  try {
    return json.dump();
  } catch (const Json::type_error&) {
    throw Error(Phase::kParse, "vectors.header",
                "the text of the first line is not UTF-8");
  }
}

std::string_view source_of(const Case& c) {
  if (c.certified) return "certified";
  return c.from_reference ? "reference" : "exact";
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
  json["source"] = source_of(c);
  try {
    return json.dump();
  } catch (const Json::type_error&) {
    throw Error(Phase::kParse, "vectors.case",
                "the text of the case is not UTF-8");
  }
}

VectorFile parse_vectors(std::string_view text, std::string_view file) {
  VectorFile vectors;
  FileRules rules(vectors.header);
  int line = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (++line == 1) {
      vectors.header = parse_header(content);
      continue;
    }
    read_line(content, line, [&](const Json& json) {
      Case& c = vectors.cases.emplace_back(read_case(json));
      c.file = file;
      c.line = line;
      rules.check(c, json);
    });
  }
  if (line == 0) {
    throw Error(Phase::kParse, "vectors.header", "the file is empty");
  }
  return vectors;
}

}  // namespace hlo::conformance
