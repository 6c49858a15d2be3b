#include "conformance/report_pages/report_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/judge/judge.h"
#include "conformance/levels/level.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/report_pages/badge.h"
#include "conformance/report_pages/case_program_text.h"
#include "conformance/report_pages/change.h"
#include "conformance/report_pages/report_columns.h"

namespace hlo::conformance {
namespace {

using Json = nlohmann::json;

// So many cases that did not go well have their programs in the page.
constexpr size_t kMostPrograms = 2000;
constexpr char kFirstLetter = 'a';
constexpr char kNothing = '.';

Json run_json(const EventFile& file) {
  Json json = {{"file", file.name},
               {"backend", file.backend()},
               {"partial", file.is_partial()},
               {"judged", file.cases.size()},
               {"left", file.left()},
               {"missing", file.missing()},
               {"badge", badge({&file, 1})},
               {"problems", file.problems}};
  if (!file.run) return json;
  json["cases"] = file.run->cases;
  json["manifest"] = file.run->manifest;
  json["version"] = file.run->version;
  json["build"] = file.run->build;
  json["profile"] = file.run->profile;
  json["require"] = file.run->require;
  json["shard"] = file.run->shard;
  json["of"] = file.run->of;
  json["command"] = file.run->command;
  return json;
}

/// What the numbers and letters of the columns mean.
Json meanings() {
  Json verdicts = Json::array();
  for (const Verdict verdict : all_verdicts()) {
    verdicts.push_back({name(verdict), static_cast<int>(standing(verdict))});
  }
  Json levels = Json::array();
  for (const Level& level : all_levels()) {
    levels.push_back({level.name, level.statement});
  }
  Json names = Json::array();
  for (const ChangeName& change : change_names()) {
    names.push_back({change.name, change.meaning});
  }
  Json changes = Json::array();
  for (size_t before = 0; before < kStandings; ++before) {
    for (size_t after = 0; after < kStandings; ++after) {
      changes.push_back(static_cast<int>(change_of(
          static_cast<Standing>(before), static_cast<Standing>(after))));
    }
  }
  return {{"verdicts", verdicts},
          {"levels", levels},
          {"changeNames", names},
          {"changes", changes}};
}

/// The ids, each as how much of the one before it begins with, as a character
/// from '0' on, and what is behind that. ASCII alone is shared: a character is
/// a byte here and as long in JavaScript.
class IdColumn {
 public:
  void add(const std::string& id) {
    constexpr ptrdiff_t kMost = 74;  // '0' to 'z'
    const auto same = std::mismatch(
        id.begin(), id.end(), last_.begin(), last_.end(), [](char a, char b) {
          return a == b && static_cast<unsigned char>(a) < 0x80;
        });
    const auto shared = std::min(same.first - id.begin(), kMost);
    text_ += static_cast<char>('0' + shared);
    text_ += id.substr(static_cast<size_t>(shared)) + "\n";
    last_ = id;
  }

  const std::string& text() const { return text_; }

 private:
  std::string last_;
  std::string text_;
};

std::string one_line(std::string id) {
  std::replace(id.begin(), id.end(), '\n', ' ');
  return id;
}

/// The columns that all runs share.
Json shared_columns(const RunTable& table, TextTable& texts) {
  IdColumn ids;
  RunLengths files;
  RunLengths steps;
  int64_t last = 0;
  for (size_t i = 0; i < table.size(); ++i) {
    const RecordedCase& recorded = table.any(i);
    ids.add(one_line(recorded.id));
    files.add(texts.number(recorded.file));
    steps.add(recorded.line - last);
    last = recorded.line;
  }
  return {
      {"ids", ids.text()}, {"files", files.json()}, {"lines", steps.json()}};
}

Json ulps_json(double ulps) {
  constexpr double kExact = 9007199254740992;  // 2^53, as JavaScript has it
  if (std::isinf(ulps)) return "nan";
  if (ulps > kExact) return fmt::format("{:.0f}", ulps);
  return static_cast<int64_t>(ulps);
}

Json difference_json(const Difference& d, TextTable& texts) {
  return {d.leaf,
          fmt::format("{}", fmt::join(d.index, ",")),
          texts.number(d.expected),
          name(d.actual.type),
          describe(d.reference),
          describe(d.actual),
          d.ulps ? fmt::format("{:+}", *d.ulps) : ""};
}

/// [row, statement, message, verdict of a second run or -1, difference]
Json detail_json(size_t row, const RecordedCase& c, TextTable& texts) {
  const Judgement& judgement = c.judgement;
  const std::string waived =
      is_waived(c) ? "waived (" + judgement.waiver + ") " : "";
  Json json = {row, texts.number(c.statement),
               texts.number(waived + judgement.message),
               judgement.again ? static_cast<int>(*judgement.again) : -1};
  if (judgement.difference) {
    json.push_back(difference_json(*judgement.difference, texts));
  }
  return json;
}

bool has_detail(const RecordedCase& c) {
  return c.judgement.difference || c.judgement.again || is_waived(c) ||
         !c.judgement.message.empty() || !c.statement.empty();
}

/// The columns of one run.
class RunColumns {
 public:
  explicit RunColumns(TextTable& texts) : texts_(texts) {}

  void add(size_t row, const RecordedCase* recorded) {
    static const Closeness none;
    const Closeness& close =
        recorded == nullptr ? none : recorded->judgement.closeness;
    verdicts_ += letter(recorded);
    levels_ +=
        close.level ? static_cast<char>(kFirstLetter + *close.level) : kNothing;
    elements_.add(close.elements);
    inexact_.add(close.inexact);
    outside_.add(close.outside);
    ulps_.add(ulps_json(close.worst_ulps));
    shares_.add(close.headroom ? fmt::format("{:.6f}", *close.headroom) : "");
    empty_.add(close.empty_bounds);
    if (recorded != nullptr && has_detail(*recorded)) {
      details_.push_back(detail_json(row, *recorded, texts_));
    }
  }

  Json json() const {
    return {{"verdicts", verdicts_},        {"levels", levels_},
            {"elements", elements_.json()}, {"inexact", inexact_.json()},
            {"outside", outside_.json()},   {"ulps", ulps_.json()},
            {"shares", shares_.json()},     {"empty", empty_.json()},
            {"details", details_}};
  }

 private:
  static char letter(const RecordedCase* recorded) {
    if (recorded == nullptr) return kNothing;
    return static_cast<char>(kFirstLetter +
                             static_cast<int>(recorded->judgement.verdict));
  }

  TextTable& texts_;
  std::string verdicts_;
  std::string levels_;
  RunLengths elements_;
  RunLengths inexact_;
  RunLengths outside_;
  RunLengths ulps_;
  RunLengths shares_;
  RunLengths empty_;
  Json details_ = Json::array();
};

bool went_badly(const RecordedCase* c) { return c != nullptr && fails(*c); }

/// [row, statement, why, program, is cut, input, ...] of the first cases that
/// went badly in a run.
Json programs_json(const RunTable& table) {
  Json programs = Json::array();
  for (size_t i = 0; i < table.size() && programs.size() < kMostPrograms; ++i) {
    const auto cells = table.row(i);
    if (std::none_of(cells.begin(), cells.end(), went_badly)) continue;
    const auto text = program_text_of(table.any(i));
    if (!text) continue;
    Json json = {i, text->statement, text->why, text->program, text->is_cut};
    for (const std::string& input : text->inputs) json.push_back(input);
    programs.push_back(json);
  }
  return programs;
}

}  // namespace

std::string report_data(const RunTable& table,
                        std::span<const Figure> figures) {
  TextTable texts;
  Json data = meanings();
  data["rows"] = table.size();
  data["table"] = shared_columns(table, texts);
  for (size_t run = 0; run < table.runs().size(); ++run) {
    Json json = run_json(table.runs()[run]);
    RunColumns columns(texts);
    for (size_t i = 0; i < table.size(); ++i) columns.add(i, table.row(i)[run]);
    json["columns"] = columns.json();
    data["runs"].push_back(json);
  }
  data["programs"] = programs_json(table);
  data["texts"] = texts.json();
  data["figures"] = Json::array();
  for (const Figure& figure : figures) {
    data["figures"].push_back(
        {{"title", figure.title}, {"text", figure.text}, {"svg", figure.svg}});
  }
  const std::string text =
      data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace hlo::conformance
