#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <functional>

#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {

/// Runs the test for each instruction set of the machine, the one without
/// vectors included.
inline void on_each_target(const std::function<void()>& test) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    test();
  }
  hwy::SetSupportedTargetsForTest(0);
}

/// Runs the test for each instruction set, and for 1, 2, 3 and 64 threads.
inline void everywhere(const std::function<void()>& test) {
  on_each_target([&] {
    for (const int64_t threads : {1, 2, 3, 64}) {
      const ThreadCount count(threads);
      test();
    }
  });
}

}  // namespace hlo::cpu
