#include "conformance/certify/devices/device_turns.h"

#include <system_error>
#include <thread>
#include <utility>

#include "interpreter/arithmetic_state.h"
#include "interpreter/counted.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {
namespace {

bool always() { return true; }

}  // namespace

DeviceTurns::DeviceTurns(int64_t count) {
  constexpr int64_t kMost = 256;
  require_evaluable(count <= kMost, "evaluate.devices",
                    {"the program runs on ", Count{count, "device"}},
                    "bounds can follow at most 256");
  states_.resize(static_cast<size_t>(count), {.ready = always});
}

void DeviceTurns::run(const std::function<void(int64_t)>& body) {
  const SharedLimits limits = shared_limits();
  std::vector<std::thread> threads;
  try {
    for (int64_t device = 0; device < std::ssize(states_); ++device) {
      threads.emplace_back([this, device, &body, &limits] {
        numeric::free_constants_with_thread();
        const SharedLimitsScope scope(limits);
        run_one(device, body);
      });
    }
  } catch (const std::system_error&) {
    fail(std::make_exception_ptr(
        Error(Phase::kEvaluate, "evaluate.devices",
              "the machine has no threads for " +
                  counted(std::ssize(states_), "device"))));
  }
  for (std::thread& thread : threads) thread.join();
  if (error_ != nullptr) std::rethrow_exception(error_);
}

void DeviceTurns::run_one(int64_t device,
                          const std::function<void(int64_t)>& body) {
  try {
    {
      std::unique_lock lock(mutex_);
      await_turn(lock, device);
    }
    const ReferenceArithmetic arithmetic;
    body(device);
    const std::lock_guard lock(mutex_);
    states_[static_cast<size_t>(device)].ended = true;
    pass_turn(device);
  } catch (const Stopped&) {
    return;
  } catch (...) {
    fail(std::current_exception());
  }
}

void DeviceTurns::wait(int64_t device, const std::function<bool()>& ready,
                       const Location& place) {
  std::unique_lock lock(mutex_);
  State& state = states_[static_cast<size_t>(device)];
  state.ready = ready;
  state.place = place;
  pass_turn(device);
  await_turn(lock, device);
  state.ready = always;
}

void DeviceTurns::pass_turn(int64_t from) {
  const int64_t count = std::ssize(states_);
  int64_t waiting = -1;
  for (int64_t k = 1; k <= count; ++k) {
    const int64_t next = (from + k) % count;
    const State& state = states_[static_cast<size_t>(next)];
    if (state.ended) continue;
    if (state.ready()) {
      turn_ = next;
      changed_.notify_all();
      return;
    }
    waiting = next;
  }
  if (waiting < 0) return;  // all have ended
  throw Error(Phase::kEvaluate, "evaluate.deadlock",
              "device " + std::to_string(waiting) +
                  " waits for devices that wait themselves or have ended",
              states_[static_cast<size_t>(waiting)].place);
}

void DeviceTurns::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  if (error_ == nullptr) error_ = std::move(error);
  changed_.notify_all();
}

void DeviceTurns::await_turn(std::unique_lock<std::mutex>& lock,
                             int64_t device) {
  changed_.wait(lock, [&] { return error_ != nullptr || turn_ == device; });
  if (error_ != nullptr) throw Stopped();
}

}  // namespace hlo::conformance
