#include "conformance/report/recorded_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "conformance/levels/level.h"
#include "conformance/literals/literal_bits.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

using Json = nlohmann::json;

std::string place(const std::string& file, int line, const std::string& id) {
  return fmt::format("{}:{}:{}", file, line, id);
}

/// std::exception where it is no integer of that type.
template <typename Integer>
Integer integer(const Json& json) {
  if (!json.is_number_integer()) throw std::invalid_argument(json.dump());
  const auto wide = json.get<int64_t>();
  if (!std::in_range<Integer>(wide)) throw std::invalid_argument(json.dump());
  return static_cast<Integer>(wide);
}

Index read_index(const Json& json) {
  Index index;
  for (const Json& i : json) index.push_back(integer<int64_t>(i));
  return index;
}

Scalar read_scalar(const std::string& type, const Json& bits) {
  return parse_bits(type + "[] " + bits.get<std::string>()).scalar();
}

Difference read_difference(const Json& json) {
  const auto type = json.at("type").get<std::string>();
  Difference d{.leaf = integer<size_t>(json.at("leaf")),
               .index = read_index(json.at("index")),
               .expected = json.at("expected").get<std::string>(),
               .reference = read_scalar(type, json.at("reference")),
               .actual = read_scalar(type, json.at("actual")),
               .ulps = {}};
  if (json.contains("ulps")) d.ulps = integer<int64_t>(json["ulps"]);
  return d;
}

double read_share(const std::string& text) {
  double share = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, share);
  if (error != std::errc() || end != last) throw std::invalid_argument(text);
  return share;
}

Closeness read_closeness(const Json& json) {
  Closeness closeness;
  if (!json.contains("elements")) return closeness;
  closeness.elements = integer<int64_t>(json["elements"]);
  closeness.inexact = integer<int64_t>(json.at("inexact"));
  closeness.outside = integer<int64_t>(json.at("outside"));
  const Json& ulps = json.at("worst_ulps");
  closeness.worst_ulps = ulps == "nan" ? std::numeric_limits<double>::infinity()
                                       : ulps.get<double>();
  closeness.empty_bounds =
      integer<int64_t>(json.value("empty_bounds", Json(0)));
  if (json.contains("of_bound")) {
    closeness.headroom = read_share(json["of_bound"].get<std::string>());
  }
  if (json.contains("level")) {
    const int most = static_cast<int>(all_levels().size());
    closeness.level = std::clamp(integer<int>(json["level"]), 0, most);
  }
  return closeness;
}

Verdict read_verdict(const std::string& text) {
  for (const Verdict verdict : all_verdicts()) {
    if (name(verdict) == text) return verdict;
  }
  throw std::invalid_argument(text);
}

RecordedCase read_case(const std::string& line, const Json& json) {
  RecordedCase recorded{
      .place = place(json.at("file").get<std::string>(),
                     integer<int>(json.at("line")),
                     json.at("id").get<std::string>()),
      .line = line,
      .judgement = {
          .verdict = read_verdict(json.at("verdict").get<std::string>()),
          .message = json.value("message", ""),
          .difference = {},
          .closeness = read_closeness(json),
          .again = {}}};
  if (json.contains("flaky")) {
    recorded.judgement.again = read_verdict(json["flaky"].get<std::string>());
  }
  if (json.contains("difference")) {
    recorded.judgement.difference = read_difference(json["difference"]);
  }
  return recorded;
}

[[noreturn]] void refuse_line(const std::string& line) {
  throw Error(Phase::kEvaluate, "usage.events",
              "a line of the events is " + shortened(line) +
                  ", but must be what assay check -o writes");
}

Json parse(const std::string& line) {
  Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) refuse_line(line);
  return json;
}

/// Error "usage.resumed_run" with the first field that differs.
void check_begin(const std::string& found, const std::string& wanted) {
  if (found == wanted) return;
  const Json there = parse(found);
  const Json here = Json::parse(wanted);
  for (const auto& [key, value] : here.items()) {
    const std::string old = there.contains(key) ? there[key].dump() : "nothing";
    require_evaluable(old == value.dump(), "usage.resumed_run",
                      {"the recorded run has \"", key, "\": ", shortened(old),
                       ", and this one ", shortened(value.dump())},
                      "a run must go on as it began");
  }
  refuse_line(found);
}

}  // namespace

RecordedCase read_case_event(const std::string& line) {
  const Json json = parse(line);
  try {
    return read_case(line, json);
  } catch (const std::exception&) {
    refuse_line(line);
  }
}

void RecordedCases::add(std::string_view text, const std::string& begin) {
  if (text.empty()) return;
  std::istringstream lines{std::string(text)};
  std::string line;
  std::getline(lines, line);
  check_begin(line, begin);
  while (std::getline(lines, line)) {
    if (line.starts_with(R"({"event":"end")")) continue;
    RecordedCase recorded = read_case_event(line);
    std::string key = recorded.place;
    cases_.try_emplace(std::move(key), std::move(recorded));
  }
}

const RecordedCase* RecordedCases::find(const Case& c) const {
  const auto found = cases_.find(place(c.file, c.line, c.id));
  return found == cases_.end() ? nullptr : &found->second;
}

}  // namespace hlo::conformance
