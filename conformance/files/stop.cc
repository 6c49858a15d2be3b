#include "conformance/files/stop.h"

#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

namespace hlo::conformance {
namespace {

/// Signals come to the process, so that there is one of these.
struct Stopping {
  std::recursive_mutex mutex;
  std::vector<OnStop*> actions;
};

Stopping& stopping() {
  static Stopping the_only;
  return the_only;
}

bool is_ignored(int signal) {
  struct sigaction action {};

  return sigaction(signal, nullptr, &action) == 0 &&
         action.sa_handler == SIG_IGN;
}

/// Wakes the thread at the end.
int wake_signal() { return SIGRTMIN; }

}  // namespace

std::unique_lock<std::recursive_mutex> uninterrupted() {
  return std::unique_lock(stopping().mutex);
}

OnStop::OnStop(std::function<void()> action) : action_(std::move(action)) {
  const auto lock = uninterrupted();
  stopping().actions.push_back(this);
}

OnStop::~OnStop() {
  const auto lock = uninterrupted();
  std::erase(stopping().actions, this);
}

void run_stop_actions() {
  const auto lock = uninterrupted();
  const std::vector<OnStop*> actions = stopping().actions;
  std::for_each(actions.rbegin(), actions.rend(),
                [](OnStop* one) { one->action_(); });
}

StopSignals::StopSignals(std::function<int(int)> end) : end_(std::move(end)) {
  sigemptyset(&awaited_);
  sigaddset(&awaited_, wake_signal());
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) sigaddset(&awaited_, signal);
  }
  // Threads that are made from now on inherit it.
  pthread_sigmask(SIG_BLOCK, &awaited_, nullptr);
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    pthread_sigmask(SIG_UNBLOCK, &awaited_, nullptr);
  }
}

StopSignals::~StopSignals() {
  if (!thread_.joinable()) return;
  over_ = true;
  pthread_kill(thread_.native_handle(), wake_signal());
  thread_.join();
}

void StopSignals::watch() {
  int signal = 0;
  while (sigwait(&awaited_, &signal) != 0) {
  }
  if (over_) return;
  // A second one shall find no handler and no mask.
  sigdelset(&awaited_, wake_signal());
  pthread_sigmask(SIG_UNBLOCK, &awaited_, nullptr);
  const auto lock = uninterrupted();
  std::_Exit(end_(signal));
}

}  // namespace hlo::conformance
