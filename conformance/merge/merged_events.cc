#include "conformance/merge/merged_events.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

/// That of all cases which the shard belongs to.
RunIdentity whole(RunIdentity shard) {
  shard.shard = 0;
  shard.of = 1;
  return shard;
}

/// Error "usage.foreign_shard" with the first field that differs.
void check_same_run(const RunIdentity& first, RunIdentity other) {
  other.shard = first.shard;
  const auto wanted = nlohmann::ordered_json::parse(begin_event(first));
  const auto found = nlohmann::ordered_json::parse(begin_event(other));
  for (const auto& [key, value] : wanted.items()) {
    require_evaluable(found[key] == value, "usage.foreign_shard",
                      {"one shard has \"", key, "\": ", shortened(value.dump()),
                       ", and another ", shortened(found[key].dump())},
                      "all must be of one run");
  }
}

}  // namespace

void MergedEvents::add(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  std::getline(lines, line);
  add_begin(line);
  while (std::getline(lines, line)) {
    if (line.starts_with(R"({"event":"end")")) {
      check_end_event(line);
      break;
    }
    add_case(line);
  }
  require_evaluable(!std::getline(lines, line), "usage.events",
                    {"a line behind the end is ", shortened(line)},
                    "the events must end there");
}

void MergedEvents::add_begin(const std::string& line) {
  const RunIdentity run = read_begin_event(line);
  if (run_) {
    check_same_run(*run_, run);
  } else {
    run_ = run;
  }
  require_evaluable(
      shards_.insert(run.shard).second, "usage.doubled_shard",
      {"shard ", fmt::format("{}/{}", run.shard, run.of), " is given twice"},
      "each must be there once");
}

void MergedEvents::add_case(const std::string& line) {
  RecordedCase recorded = read_case_event(line);
  const int64_t position = recorded.position;
  require_evaluable(position < run_->cases, "usage.foreign_shard",
                    {"case ", std::to_string(position), " is beyond the ",
                     counted(run_->cases, "case"), " of the run"},
                    "all must be of one run");
  const std::string id = recorded.id;
  require_evaluable(cases_.try_emplace(position, std::move(recorded)).second,
                    "usage.doubled_shard",
                    {"case ", std::to_string(position), " (", shortened(id),
                     ") is there twice"},
                    "each must be there once");
}

void MergedEvents::require_all() const {
  uint32_t missing = 0;  // the first shard that is
  while (shards_.contains(missing)) ++missing;
  const auto lacking = run_->cases - std::ssize(cases_);
  const auto shards = int64_t{run_->of} - std::ssize(shards_);
  require_evaluable(shards == 0, "usage.missing_shard",
                    {counted(shards, "shard"), " of ", std::to_string(run_->of),
                     shards == 1 ? " is" : " are", " missing, the first is ",
                     fmt::format("{}/{}", missing, run_->of)},
                    "all must be there");
  require_evaluable(
      lacking == 0, "usage.missing_shard",
      {counted(lacking, "case"), " of ", std::to_string(run_->cases),
       lacking == 1 ? " is" : " are", " missing"},
      "each shard must have ended (--resume goes on with one)");
}

Summary MergedEvents::summary() {
  Summary summary(run_->command);
  summary.keep_tests();
  waivers_ = Waivers(run_->active_waivers, run_->expired_waivers);
  summary.set_waivers(&waivers_, run_->strict);
  for (const auto& [position, recorded] : cases_) {
    summary.add(case_of(recorded), {.judgement = recorded.judgement});
  }
  return summary;
}

std::string MergedEvents::text(const Summary& summary) const {
  std::string text = begin_event(whole(*run_)) + "\n";
  for (const auto& [position, recorded] : cases_) text += recorded.event + "\n";
  return text + end_event(summary, summary.exit_code()) + "\n";
}

}  // namespace hlo::conformance
