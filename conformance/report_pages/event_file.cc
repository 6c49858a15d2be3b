#include "conformance/report_pages/event_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

/// Reads the lines of a file one after the other.
class Reading {
 public:
  explicit Reading(EventFile& file) : file_(file) {}

  /// One of the events, or Error "usage.events".
  void read(std::string_view line) {
    if (line.starts_with(R"({"event":"end")")) return end();
    if (line.starts_with(R"({"event":"begin")")) return begin(line);
    RecordedCase recorded = read_case_event(std::string(line));
    recorded.event.clear();
    std::string place =
        fmt::format("{}:{}:{}", recorded.file, recorded.line, recorded.id);
    require_evaluable(seen_.insert(std::move(place)).second, "usage.events",
                      {"the case is there twice"}, "each must be there once");
    file_.cases.push_back(std::move(recorded));
  }

 private:
  void begin(std::string_view line) {
    require_evaluable(!file_.run, "usage.events", {"a second run begins"},
                      "a file must have the events of one run");
    file_.run = read_begin_event(std::string(line));
  }

  /// The end of a run that was stopped is there, too, with fewer cases.
  void end() { has_end_ = true; }

 public:
  /// Whether the run came to its end. The number of the cases of one shard is
  /// not known.
  bool ended() const {
    if (!has_end_ || !file_.run) return false;
    return file_.shards() > 1 || std::ssize(file_.cases) >= file_.run->cases;
  }

 private:
  EventFile& file_;
  bool has_end_ = false;
  std::unordered_set<std::string> seen_;  // places
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
