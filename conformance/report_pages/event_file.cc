#include "conformance/report_pages/event_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "conformance/report/exit_code.h"
#include "conformance/waivers/waivers.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

/// Reads the lines of a file one after the other.
class Reading {
 public:
  explicit Reading(EventFile& file) : file_(file) {}

  /// One of the events, or Error "usage.events".
  void read(std::string_view line) {
    require_evaluable(!file_.has_end, "usage.events", {"the run has ended"},
                      "its end must be the last line");
    if (line.starts_with(R"({"event":"end")")) return end(line);
    if (line.starts_with(R"({"event":"begin")")) return begin(line);
    RecordedCase recorded = read_case_event(std::string(line));
    recorded.event.clear();
    std::string place =
        fmt::format("{}:{}:{}", recorded.file, recorded.line, recorded.id);
    require_evaluable(seen_.insert(std::move(place)).second, "usage.events",
                      {"the case is there twice"}, "each must be there once");
    require_evaluable(
        positions_.insert(recorded.position).second, "usage.events",
        {"the position ", std::to_string(recorded.position), " is there twice"},
        "each case must have its own");
    require_evaluable(
        !file_.run || std::ssize(file_.cases) < file_.run->cases,
        "usage.events",
        {"the run has more than ", counted(file_.run->cases, "case")},
        "it must have as many as it began with");
    file_.cases.push_back(std::move(recorded));
  }

 private:
  void begin(std::string_view line) {
    require_evaluable(!file_.run, "usage.events", {"a second run begins"},
                      "a file must have the events of one run");
    file_.run = read_begin_event(std::string(line));
  }

  /// The end of a run that was stopped is there, too, with fewer cases.
  void end(std::string_view line) {
    file_.has_end = true;
    const auto json = nlohmann::json::parse(line, nullptr, false);
    require_evaluable(json.is_object(), "usage.events",
                      {"the end cannot be read"}, "it must be JSON");
    const auto number = [&](const char* name, int64_t otherwise) {
      const auto found = json.find(name);
      const bool is_there = found != json.end() && found->is_number_integer();
      return is_there ? found->get<int64_t>() : otherwise;
    };
    stopped_ = number("exit_code", 0) == kIncomplete;
    const int64_t told = number("cases", std::ssize(file_.cases));
    require_evaluable(told == std::ssize(file_.cases) || file_.unread > 0,
                      "usage.events",
                      {"the end tells of ", counted(told, "case"), ", and ",
                       std::to_string(file_.cases.size()), " are there"},
                      "it must count them");
    const auto verdicts = json.find("verdicts");
    if (verdicts != json.end()) check_verdicts(*verdicts);
  }

  /// Waived cases are in no count but their own.
  void check_verdicts(const nlohmann::json& told) const {
    std::map<std::string, int64_t> counts;
    for (const RecordedCase& one : file_.cases) {
      const bool is_waived =
          !one.judgement.waiver.empty() && went_well(one.judgement) == false;
      if (!is_waived) ++counts[std::string(name(one.judgement.verdict))];
    }
    for (const auto& [verdict, count] : told.items()) {
      require_evaluable(
          count == counts[verdict] || file_.unread > 0, "usage.events",
          {"the end tells of ", count.dump(), " times ", verdict,
           ", and it is there ", std::to_string(counts[verdict]), " times"},
          "it must count them");
    }
  }

 public:
  /// Whether the run came to its end. The number of the cases of one shard is
  /// not known.
  bool ended() const {
    if (!file_.has_end || !file_.run || stopped_) return false;
    return file_.shards() > 1 || std::ssize(file_.cases) >= file_.run->cases;
  }

 private:
  EventFile& file_;
  bool stopped_ = false;
  std::unordered_set<std::string> seen_;  // places
  std::unordered_set<int64_t> positions_;
};

void note_problem(EventFile& file, int64_t line, const std::string& what) {
  ++file.unread;
  if (file.problems.size() == EventFile::kMostProblems) return;
  file.problems.push_back(
      fmt::format("{}:{}: error: {}", file.name, line, what));
}

}  // namespace

int64_t EventFile::left() const {
  if (!run || shards() > 1) return 0;
  return std::max(run->cases - std::ssize(cases), int64_t{0});
}

std::string EventFile::missing() const {
  std::vector<std::string> parts;
  if (shards() > 1)
    parts.push_back(fmt::format("shard {}/{}", run->shard, run->of));
  if (left() > 0) {
    parts.push_back(counted(left(), "case was", "cases were") + " not judged");
  } else if (run && !ended && has_end) {
    parts.emplace_back("it was stopped");
  }
  if (unread > 0)
    parts.push_back(counted(unread, "line") + " could not be read");
  if (!run) parts.emplace_back("its first line is missing");
  if (!has_end && left() == 0) parts.emplace_back("its last line is missing");
  return fmt::format("{}", fmt::join(parts, ", "));
}

EventFile read_event_file(const std::string& name, std::string_view text) {
  EventFile file;
  file.name = name;
  Reading reading(file);
  int64_t number = 0;
  while (!text.empty()) {
    const size_t size = std::min(text.find('\n'), text.size());
    ++number;
    try {
      require_evaluable(size < text.size(), "usage.events",
                        {"the last line is cut off"},
                        "each line must end with a line break");
      reading.read(text.substr(0, size));
    } catch (const Error& error) {
      note_problem(file, number, error.what());
    }
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  file.ended = reading.ended();
  return file;
}

}  // namespace hlo::conformance
