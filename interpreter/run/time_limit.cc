#include "interpreter/run/time_limit.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace hlo {
namespace {

using std::chrono::nanoseconds;

constexpr int kLongest = 10;  // times the limit, whatever was waited
constexpr TimeLimit::Seconds kUnseen{0.05};  // what is faster costs no look

thread_local std::atomic<int64_t>* waited_for = nullptr;

/// proc(5): /proc/PID/schedstat has the time on a processor, the time waited
/// for one, and a count.
nanoseconds waited_in(const std::filesystem::path& task) {
  std::ifstream file(task / "schedstat");
  int64_t ran = 0;
  int64_t waited = 0;
  file >> ran >> waited;
  return file ? nanoseconds(waited) : nanoseconds(0);
}

/// Whether proc(5)'s /proc/PID/stat tells that group: the third word behind the
/// name, which stands in parentheses and may contain some.
bool is_of_group(const std::filesystem::path& process, pid_t group) {
  std::ifstream file(process / "stat");
  std::string line;
  std::getline(file, line);
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return false;
  char state = 0;
  pid_t parent = 0;
  pid_t its_group = 0;
  std::istringstream words(line.substr(name_end + 1));
  return words >> state >> parent >> its_group && its_group == group;
}

/// The entries of a folder that names processes or threads, which come and go.
std::vector<std::filesystem::path> numbered(const std::filesystem::path& in) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  std::filesystem::directory_iterator entry(in, error);
  for (; !error && entry != std::filesystem::directory_iterator();
       entry.increment(error)) {
    const char first = entry->path().filename().native()[0];
    if (first >= '1' && first <= '9') found.push_back(entry->path());
  }
  return found;
}

}  // namespace

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

nanoseconds waited_by_thread(pid_t thread) {
  return waited_in("/proc/self/task/" + std::to_string(thread));
}

nanoseconds waited_by_group(pid_t group) {
  nanoseconds waited{0};
  for (const auto& process : numbered("/proc")) {
    if (!is_of_group(process, group)) continue;
    for (const auto& thread : numbered(process / "task")) {
      waited += waited_in(thread);
    }
  }
  return waited;
}

TimeLimit::TimeLimit(Clock::time_point begin, Seconds most, Waited waited)
    : begin_(begin), most_(most), waited_(std::move(waited)) {}

TimeLimit::Clock::time_point TimeLimit::end() const {
  return begin_ + std::chrono::duration_cast<Clock::duration>(most_);
}

bool TimeLimit::is_over(Clock::time_point now) {
  const Seconds taken = now - begin_;
  if (taken < std::min(kUnseen, most_)) return false;
  const nanoseconds waited = waited_();
  if (!before_) before_ = waited;
  if (taken >= kLongest * most_) return true;
  return taken - (waited - *before_) >= most_;
}

WaitedForScope::WaitedForScope(std::atomic<int64_t>& waited)
    : outer_(std::exchange(waited_for, &waited)) {}

WaitedForScope::~WaitedForScope() { waited_for = outer_; }

void tell_waited(nanoseconds waited) {
  if (waited_for != nullptr) *waited_for += waited.count();
}

}  // namespace hlo
