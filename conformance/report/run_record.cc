#include "conformance/report/run_record.h"

#include <utility>

#include "conformance/files/stop.h"
#include "conformance/report/events.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {

RunRecord::RunRecord(int64_t count, Summary summary, OutputFile* events,
                     std::function<int64_t(int64_t)> position)
    : summary_(std::move(summary)),
      events_(events),
      left_(count),
      position_(std::move(position)) {
  if (events_ != nullptr) lines_.resize(static_cast<size_t>(count) + 2);
}

void RunRecord::begin(const RunIdentity& run) {
  if (events_ != nullptr) write(0, begin_event(run));
}

void RunRecord::resume(const RunIdentity& run, const std::string& earlier) {
  const std::string first = begin_event(run);
  recorded_.add(earlier, first);
  const std::string part = events_->go_on();
  recorded_.add(part, first);
  in_order_ = false;  // FILE.part does not have all
  if (part.empty()) return write(0, first);
  lines_[0] = first + "\n";
}

void RunRecord::take(const std::vector<Case>& cases) {
  const auto lock = uninterrupted();
  if (cases_ != nullptr) taken_ += cases_->size();
  cases_ = &cases;
  results_.assign(cases.size(), std::nullopt);
  next_ = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    const RecordedCase* old = recorded_.find(cases[i]);
    if (old == nullptr) continue;
    lines_[taken_ + i + 1] = old->event + "\n";
    put(i, {.judgement = old->judgement});
  }
}

std::vector<size_t> RunRecord::unrecorded() const {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < results_.size(); ++i) {
    if (!results_[i]) numbers.push_back(i);
  }
  return numbers;
}

void RunRecord::add(const Case& c, const CaseResult& result) {
  const auto lock = uninterrupted();
  const auto i = static_cast<size_t>(&c - cases_->data());
  if (events_ == nullptr) return put(i, result);
  // The report says what a run that is resumed would read.
  const int64_t position = position_(static_cast<int64_t>(taken_ + i));
  const std::string event = case_event(c, result.judgement, position);
  put(i, {.judgement = read_case_event(event).judgement,
          .seconds = result.seconds});
  write(taken_ + i + 1, event);
}

void RunRecord::put(size_t i, const CaseResult& result) {
  results_[i] = result;
  --left_;
  while (next_ < cases_->size() && results_[next_]) summarize(next_++);
}

void RunRecord::end() {
  const auto lock = uninterrupted();
  for (; next_ < results_.size(); ++next_) {
    if (results_[next_]) summarize(next_);
  }
  if (events_ == nullptr) return;
  write(lines_.size() - 1, end_event(summary_, exit_code()));
  if (in_order_) return events_->commit();
  std::string text;
  for (const std::string& line : lines_) text += line;
  events_->commit_as(text);
}

int RunRecord::exit_code() const {
  return left_ > 0 ? int{kIncomplete} : summary_.exit_code();
}

void RunRecord::write(size_t i, const std::string& event) {
  lines_[i] = event + "\n";
  events_->append(lines_[i]);
  in_order_ = in_order_ && i >= last_line_;
  last_line_ = i;
}

void RunRecord::summarize(size_t i) {
  summary_.add((*cases_)[i], *results_[i]);
  results_[i] = CaseResult{};  // its texts are not needed any more
}

}  // namespace hlo::conformance
