#pragma once

#include <cstdint>

#include "backends/gpu/device/device.h"
#include "backends/gpu/device/recent.h"

namespace hlo::gpu {

/// Which kernels run what both can: those that are generated for it, those that
/// interpret tapes, or whichever takes less time with the compiler's.
enum class Kernels : uint8_t { kByWork, kGenerated, kInterpreted };

/// Chooses. Both kinds give the same bits.
class KernelChoice {
 public:
  /// A device that compiles nothing interprets.
  KernelChoice(Device& device, Kernels wanted);

  /// Whether something of so many steps, elements times instructions, may be
  /// worth a text.
  bool may_generate(int64_t steps) const;
  /// Whether the kernel of this text shall run. It is compiled when what its
  /// launches have taken with an interpreter is what the compiler takes, so
  /// that both together take at most twice the least time. Those that have an
  /// eighth of that behind them are compiled with it: most of the compiler's
  /// time goes into functions that all call. What has been compiled is not
  /// asked for again: what a device has forgotten it compiles when it runs.
  bool generates(const KernelText& text, int64_t steps);

 private:
  struct Seen {
    Base base = Base::kElements;
    int64_t steps = 0;  // of all launches so far
  };

  Seen& seen(const KernelText& text);
  void compile_likely(const KernelText& text);

  Device& device_;
  Kernels kernels_;
  Recent<Seen> seen_;
};

}  // namespace hlo::gpu
