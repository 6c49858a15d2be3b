#include "conformance/files/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "conformance/files/standard_output.h"
#include "conformance/files/terminal.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

/// "0:05", "12:30", "2:05:00".
std::string clock_text(int64_t seconds) {
  constexpr int64_t kMinute = 60;
  const int64_t minutes = seconds / kMinute;
  const std::string rest = fmt::format(":{:02}", seconds % kMinute);
  if (minutes < kMinute) return std::to_string(minutes) + rest;
  return fmt::format("{}:{:02}", minutes / kMinute, minutes % kMinute) + rest;
}

}  // namespace

std::string left_text(const WorkDone& done,
                      std::chrono::duration<double> elapsed) {
  if (!(done.share > 0)) return {};
  constexpr double kLongest = 100.0 * 3600;
  const double share = std::min(done.share, 1.0);
  const double left = elapsed.count() * (1 - share) / share;
  if (!(left < kLongest)) return "; over 100 hours left";
  return fmt::format("; {} {} left", done.most ? "at most" : "about",
                     clock_text(static_cast<int64_t>(std::round(left))));
}

Progress::Progress(std::function<WorkDone()> ask) : ask_(std::move(ask)) {
  if (!status_width()) return;
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // Where the system has no thread, nobody sees how far the work is.
  }
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
  clear_status();
}

void Progress::watch() {
  constexpr std::chrono::milliseconds kFirst{500};
  constexpr std::chrono::milliseconds kNext{200};
  std::unique_lock lock(mutex_);
  auto pause = kFirst;
  while (!changed_.wait_for(lock, pause, [this] { return over_; })) {
    const WorkDone done = ask_();
    show_status(done.text + left_text(done, Clock::now() - begin_));
    pause = kNext;
  }
}

CountedProgress::CountedProgress(int64_t total, std::string noun,
                                 std::function<std::string()> more)
    : progress_([this, total, noun = std::move(noun), more = std::move(more)] {
        const int64_t done = done_;
        const int64_t skipped = skipped_;
        const auto open =
            static_cast<double>(std::max<int64_t>(total - skipped, 1));
        return WorkDone{
            .text = fmt::format("{} of {}{}", done + skipped,
                                counted(total, noun), more ? more() : ""),
            .share = static_cast<double>(done) / open};
      }) {}

}  // namespace hlo::conformance
