#pragma once

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace hlo {

/// Threads that run work(1), work(2), ... beside the caller, as many of `count`
/// as the system starts. They compute as the reference does. `work` throws
/// nothing and outlives them; the destructor waits for them.
class Helpers {
 public:
  Helpers(int64_t count, const std::function<void(int64_t)>& work);

 private:
  std::vector<std::jthread> threads_;
};

}  // namespace hlo
