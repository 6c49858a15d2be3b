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
  const bool wraps = wide < 0 && json.is_number_unsigned();
  if (wraps || !std::in_range<Integer>(wide))
    throw std::invalid_argument(json.dump());
  return static_cast<Integer>(wide);
}

/// A number of cases or elements, so small that sums of them do not overflow.
int64_t read_count(const Json& json) {
  constexpr int64_t kMost = int64_t{1} << 40U;
  const auto count = integer<int64_t>(json);
  if (count < 0 || count > kMost) throw std::invalid_argument(json.dump());
  return count;
}

double read_ulps(const Json& json) {
  if (json == "nan") return std::numeric_limits<double>::infinity();
  constexpr uint64_t kMost = uint64_t{1} << 63U;
  if (!json.is_number_unsigned() || json.get<uint64_t>() > kMost) {
    throw std::invalid_argument(json.dump());
  }
  return static_cast<double>(json.get<uint64_t>());
}

Index read_index(const Json& json) {
  Index index;
  for (const Json& i : json) index.push_back(integer<int64_t>(i));
  return index;
}

Scalar read_scalar(const std::string& type, const Json& bits) {
  if (type.find_first_of("[( ") != std::string::npos) {
    throw std::invalid_argument(type);
  }
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
  closeness.elements = read_count(json["elements"]);
  closeness.inexact = read_count(json.at("inexact"));
  closeness.outside = read_count(json.at("outside"));
  closeness.worst_ulps = read_ulps(json.at("worst_ulps"));
  closeness.empty_bounds = read_count(json.value("empty_bounds", Json(0)));
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
      .id = json.at("id").get<std::string>(),
      .file = json.at("file").get<std::string>(),
      .line = integer<int>(json.at("line")),
      .position = read_count(json.at("position")),
      .statement = json.value("statement", ""),
      .event = line,
      .judgement = {
          .verdict = read_verdict(json.at("verdict").get<std::string>()),
          .message = json.value("message", ""),
          .difference = {},
          .closeness = read_closeness(json),
          .again = {},
          .waiver = json.value("waiver", "")}};
  if (json.contains("flaky")) {
    recorded.judgement.again = read_verdict(json["flaky"].get<std::string>());
  }
  if (json.contains("difference")) {
    recorded.judgement.difference = read_difference(json["difference"]);
  }
  return recorded;
}

Waiver read_waiver(const Json& json) {
  return {.cases = json.at("cases").get<std::string>(),
          .reason = json.at("reason").get<std::string>(),
          .owner = json.at("owner").get<std::string>(),
          .expires = json.at("expires").get<std::string>(),
          .link = json.at("link").get<std::string>(),
          .file = json.at("file").get<std::string>(),
          .number = integer<int>(json.at("number"))};
}

RunIdentity read_begin(const Json& json) {
  if (json.at("event") != "begin") throw std::invalid_argument("event");
  RunIdentity run{.backend = json.at("backend").get<std::string>(),
                  .cases = read_count(json.at("cases")),
                  .manifest = json.at("manifest").get<std::string>(),
                  .version = json.at("version").get<std::string>(),
                  .build = json.at("build").get<std::string>(),
                  .profile = json.at("profile").get<std::string>(),
                  .require = json.at("require").get<std::string>(),
                  .levels = json.at("levels").get<bool>(),
                  .raw = json.value("raw", false),
                  .waivers = json.value("waivers", std::string()),
                  .strict = json.value("strict", false),
                  .shard = integer<uint32_t>(json.at("shard")),
                  .of = integer<uint32_t>(json.at("of")),
                  .command = json.at("command").get<std::string>()};
  if (run.shard >= run.of) throw std::invalid_argument("shard");
  for (const Json& known : json.value("known_waivers", Json::array())) {
    const bool is_expired = known.at("expired").get<bool>();
    auto& list = is_expired ? run.expired_waivers : run.active_waivers;
    list.push_back(read_waiver(known));
  }
  return run;
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
  const auto here = nlohmann::ordered_json::parse(wanted);
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

Case case_of(const RecordedCase& recorded) {
  Case c;
  c.id = recorded.id;
  c.file = recorded.file;
  c.line = recorded.line;
  c.statement = recorded.statement;
  return c;
}

RunIdentity read_begin_event(const std::string& line) {
  const Json json = parse(line);
  try {
    return read_begin(json);
  } catch (const std::exception&) {
    refuse_line(line);
  }
}

void check_end_event(const std::string& line) {
  const Json json = parse(line);
  const auto cases = json.find("cases");
  if (cases == json.end() || !cases->is_number_integer()) refuse_line(line);
}

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
    if (line.starts_with(R"({"event":"end")")) {
      check_end_event(line);
      continue;
    }
    RecordedCase recorded = read_case_event(line);
    std::string key = place(recorded.file, recorded.line, recorded.id);
    cases_.try_emplace(std::move(key), std::move(recorded));
  }
}

const RecordedCase* RecordedCases::find(const Case& c) const {
  const auto found = cases_.find(place(c.file, c.line, c.id));
  return found == cases_.end() ? nullptr : &found->second;
}

}  // namespace hlo::conformance
