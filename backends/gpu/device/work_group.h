#pragma once

#include <cstdint>
#include <functional>
#include <vector>

// Items of a kernel on this machine. Those of a group run in turns, each until
// it reaches a barrier, so that whoever leaves one out is found.

namespace hlo::gpu {

/// Who runs a kernel: one of `global_size` items that are each alone, or item
/// `local_id` of a group.
struct WorkItem {
  int64_t global_id = 0;
  int64_t global_size = 1;
  int64_t local_id = 0;
  int64_t group_id = 0;
  int64_t groups = 1;
};

/// The item that this thread is.
WorkItem& work_item();

/// Runs `body` as each of the `items` of a group. DeviceError where an item
/// reads or writes a cell of shared memory that another one writes, without a
/// barrier between, or reads one that was never written, or where some items
/// end while others wait at a barrier. What `body` throws is thrown.
void run_group(int64_t group, int64_t groups, int64_t items,
               const std::function<void()>& body);

/// Waits for the other items of the group. Only within run_group().
void barrier();

/// An array in the shared memory of a group, which each item declares in the
/// same order. Only within run_group().
class SharedArray {
 public:
  explicit SharedArray(int64_t count);
  int64_t get(int64_t i) const;
  void set(int64_t i, int64_t value) const;

 private:
  size_t number_;
};

}  // namespace hlo::gpu
