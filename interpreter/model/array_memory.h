#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace hlo {

/// What the machine has of memory, in bytes.
int64_t machine_memory();

/// How many bytes the elements of all arrays of this process may take at the
/// same time: three quarters of machine_memory(), unless that is set.
int64_t most_memory();
void set_most_memory(int64_t bytes);

/// How many they take now. Small arrays are not counted.
int64_t held_memory();

/// Counts so many bytes as held until they are released; not, and false, where
/// that would be more than most_memory().
bool hold_memory(int64_t bytes) noexcept;
void release_memory(int64_t bytes) noexcept;

/// What frees memory that is counted as held, but only kept for later: called
/// before memory is refused, by any thread. Null: nobody keeps any.
void set_spare_memory(void (*free_spare)()) noexcept;

/// Memory for the elements of an array, which counts as held until it is
/// released. Null where that would be more than most_memory(), or where the
/// system has no more.
void* allocate_array(int64_t bytes, bool zero) noexcept;
void release_array(void* memory, int64_t bytes) noexcept;

/// How many bytes the elements of some arrays may take at the same time, those
/// of one caller. Small arrays are not counted.
class ArrayAllowance {
 public:
  explicit ArrayAllowance(int64_t most) : most_(most) {}

  int64_t most() const { return most_; }

  int64_t held() const { return held_; }

  /// Whether so much was left, which is taken then.
  bool take(int64_t bytes) noexcept;
  void give_back(int64_t bytes) noexcept;

 private:
  int64_t most_;
  std::atomic<int64_t> held_{0};
};

/// What the arrays that this thread makes count against; null: nothing.
std::shared_ptr<ArrayAllowance> array_allowance();

/// Sets that while it exists.
class ArrayAllowanceScope {
 public:
  explicit ArrayAllowanceScope(std::shared_ptr<ArrayAllowance> allowance);
  ~ArrayAllowanceScope();
  ArrayAllowanceScope(const ArrayAllowanceScope&) = delete;
  ArrayAllowanceScope& operator=(const ArrayAllowanceScope&) = delete;

 private:
  std::shared_ptr<ArrayAllowance> allowance_;
  const std::shared_ptr<ArrayAllowance>* outer_;
};

/// Counts what a computation takes beside its arrays as held while it lives.
class ScratchMemory {
 public:
  /// Evaluate error "evaluate.memory" where that would be more than
  /// most_memory(), or than this thread's allowance has left.
  explicit ScratchMemory(int64_t bytes);
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;

 private:
  int64_t bytes_;
  std::shared_ptr<ArrayAllowance> allowance_;
};

}  // namespace hlo
