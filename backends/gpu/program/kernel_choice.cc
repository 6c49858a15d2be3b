#include "backends/gpu/program/kernel_choice.h"

#include <algorithm>
#include <array>
#include <vector>

namespace hlo::gpu {
namespace {

/// Steps that an interpreter does in the time in which PoCL compiles a kernel:
/// a step takes some 35 ns more there, on one core; kernels of elements take
/// 0.3 s to compile, of functions 0.6 s, of all operations 5 s.
int64_t steps_of_compiler(Base base) {
  constexpr std::array<int64_t, 3> kSteps = {1 << 23, 1 << 24, 1 << 27};
  return kSteps.at(static_cast<size_t>(base));
}

/// With less at a time it is not worth to write the text.
constexpr int64_t kFewSteps = int64_t{1} << 14;

}  // namespace

KernelChoice::KernelChoice(Device& device, Kernels wanted)
    : device_(device),
      kernels_(device.compiles() ? wanted : Kernels::kInterpreted) {}

bool KernelChoice::may_generate(int64_t steps) const {
  return kernels_ == Kernels::kGenerated ||
         (kernels_ == Kernels::kByWork && steps >= kFewSteps);
}

bool KernelChoice::generates(const KernelText& text, int64_t steps) {
  if (kernels_ != Kernels::kByWork) return kernels_ == Kernels::kGenerated;
  const int64_t enough = steps_of_compiler(text.base);
  Seen& own = seen_[text.body];
  own.base = text.base;
  if (own.steps >= enough) return true;
  own.steps += steps;
  if (own.steps < enough) return false;
  compile_likely(text.base);
  return true;
}

void KernelChoice::compile_likely(Base base) {
  std::vector<KernelText> likely;
  for (auto& [body, seen] : seen_) {
    const int64_t enough = steps_of_compiler(seen.base);
    if (seen.base > base || seen.steps < enough / 8) continue;
    seen.steps = std::max(seen.steps, enough);
    likely.push_back({seen.base, body});
  }
  device_.compile(likely);
}

}  // namespace hlo::gpu
