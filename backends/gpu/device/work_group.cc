#include "backends/gpu/device/work_group.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "backends/gpu/device/device.h"

namespace hlo::gpu {
namespace {

constexpr int64_t kNobody = -1;
constexpr int64_t kSeveral = -2;

/// A cell of shared memory: who has used it since the last barrier.
struct Cell {
  int64_t value = 0;
  bool is_written = false;
  int64_t epoch = 0;
  int64_t writer = kNobody;
  int64_t reader = kNobody;
};

enum class State : uint8_t { kReady, kWaiting, kEnded };

/// What the items of a group share. One of them runs at a time.
class Group {
 public:
  explicit Group(int64_t items)
      : has_turn_(static_cast<size_t>(items)),
        states_(static_cast<size_t>(items), State::kReady) {}

  void run(int64_t item, const std::function<void()>& body) {
    wait_for_turn(item);
    try {
      if (!failure_) body();
    } catch (...) {
      fail(std::current_exception());
    }
    pass_on(item, State::kEnded);
  }

  void barrier(int64_t item) {
    pass_on(item, State::kWaiting);
    wait_for_turn(item);
    if (failure_) throw DeviceError("another item has failed");
  }

  size_t declare(size_t number, int64_t count) {
    if (number == arrays_.size()) {
      arrays_.emplace_back(static_cast<size_t>(count));
    }
    return number;
  }

  int64_t get(int64_t item, size_t array, int64_t i) {
    Cell& cell = cell_at(array, i);
    if (!cell.is_written) throw DeviceError("shared memory is read unwritten");
    if (cell.writer != kNobody && cell.writer != item) refuse_race();
    cell.reader =
        cell.reader == kNobody || cell.reader == item ? item : kSeveral;
    return cell.value;
  }

  void set(int64_t item, size_t array, int64_t i, int64_t value) {
    Cell& cell = cell_at(array, i);
    const bool others_wrote = cell.writer != kNobody && cell.writer != item;
    const bool others_read = cell.reader != kNobody && cell.reader != item;
    if (others_wrote || others_read) refuse_race();
    cell.value = value;
    cell.is_written = true;
    cell.writer = item;
  }

  const std::exception_ptr& failure() const { return failure_; }

 private:
  [[noreturn]] static void refuse_race() {
    throw DeviceError("items race for a cell of shared memory");
  }

  Cell& cell_at(size_t array, int64_t i) {
    Cell& cell = arrays_.at(array).at(static_cast<size_t>(i));
    if (cell.epoch != epoch_) {
      cell.epoch = epoch_;
      cell.writer = cell.reader = kNobody;
    }
    return cell;
  }

  void wait_for_turn(int64_t item) {
    std::unique_lock lock(mutex_);
    has_turn_[static_cast<size_t>(item)].wait(lock,
                                              [&] { return turn_ == item; });
  }

  void fail(std::exception_ptr failure) {
    if (!failure_) failure_ = std::move(failure);
  }

  /// The next item's turn; behind the last one that of the first, if all wait.
  void pass_on(int64_t item, State state) {
    const std::lock_guard lock(mutex_);
    states_[static_cast<size_t>(item)] = state;
    int64_t next = item + 1;
    if (next == std::ssize(states_)) next = first_of_next_epoch();
    while (next < std::ssize(states_) &&
           states_[static_cast<size_t>(next)] == State::kEnded) {
      ++next;
    }
    turn_ = next;
    if (next < std::ssize(states_)) {
      has_turn_[static_cast<size_t>(next)].notify_one();
    }
  }

  int64_t first_of_next_epoch() {
    const auto waiting = std::ranges::count(states_, State::kWaiting);
    if (waiting > 0 && waiting < std::ssize(states_)) {
      fail(std::make_exception_ptr(
          DeviceError("some items of a group do not reach a barrier")));
    }
    ++epoch_;
    return waiting > 0 ? 0 : std::ssize(states_);
  }

  std::mutex mutex_;
  std::vector<std::condition_variable> has_turn_;  // of each item
  int64_t turn_ = 0;
  int64_t epoch_ = 1;
  std::vector<State> states_;
  std::vector<std::vector<Cell>> arrays_;
  std::exception_ptr failure_;
};

thread_local Group* own_group = nullptr;
thread_local size_t declared = 0;

}  // namespace

WorkItem& work_item() {
  static thread_local WorkItem item;
  return item;
}

void run_group(int64_t group, int64_t groups, int64_t items,
               const std::function<void()>& body) {
  Group own(items);
  std::vector<std::jthread> threads;
  for (int64_t item = 0; item < items; ++item) {
    threads.emplace_back([&, item] {
      work_item() = {.local_id = item, .group_id = group, .groups = groups};
      own_group = &own;
      own.run(item, body);
    });
  }
  threads.clear();
  if (own.failure()) std::rethrow_exception(own.failure());
}

void barrier() { own_group->barrier(work_item().local_id); }

SharedArray::SharedArray(int64_t count)
    : number_(own_group->declare(declared++, count)) {}

int64_t SharedArray::get(int64_t i) const {
  return own_group->get(work_item().local_id, number_, i);
}

void SharedArray::set(int64_t i, int64_t value) const {
  own_group->set(work_item().local_id, number_, i, value);
}

}  // namespace hlo::gpu
