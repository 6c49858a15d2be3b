#include "backends/gpu/program/kernel_choice.h"

#include <array>
#include <vector>

#include "backends/gpu/device/kernel_source.h"

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

/// How many texts are counted: more than devices keep of their kernels, and a
/// few MiB.
constexpr size_t kSeen = 4 * kKeptKernels;

}  // namespace

KernelChoice::KernelChoice(Device& device, Kernels wanted)
    : device_(device),
      kernels_(device.compiles() ? wanted : Kernels::kInterpreted),
      seen_(kSeen) {}

bool KernelChoice::may_generate(int64_t steps) const {
  return kernels_ == Kernels::kGenerated ||
         (kernels_ == Kernels::kByWork && steps >= kFewSteps);
}

bool KernelChoice::generates(const KernelText& text, int64_t steps) {
  if (kernels_ != Kernels::kByWork) return kernels_ == Kernels::kGenerated;
  const int64_t enough = steps_of_compiler(text.base);
  Seen& own = seen(text);
  if (own.steps >= enough) return true;
  own.steps += steps;
  if (own.steps < enough) return false;
  compile_likely(text);
  return true;
}

KernelChoice::Seen& KernelChoice::seen(const KernelText& text) {
  Seen* const there = seen_.use(text.body);
  if (there != nullptr) return *there;
  return seen_.keep(text.body, {text.base});
}

/// A device has the first of those that it compiles in any case.
void KernelChoice::compile_likely(const KernelText& text) {
  std::vector<KernelText> likely = {text};
  for (auto& [body, seen] : seen_) {
    const int64_t enough = steps_of_compiler(seen.base);
    const bool is_likely = seen.steps >= enough / 8 && seen.steps < enough;
    if (seen.base > text.base || !is_likely) continue;
    seen.steps = enough;
    likely.push_back({seen.base, body});
  }
  device_.compile(likely);
}

}  // namespace hlo::gpu
