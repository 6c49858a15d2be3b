#pragma once

#include <cstdint>

// One source, compiled for several instruction sets; the best one that the host
// has runs. Only the width of the vectors differs: as no multiply-adds are
// fused, every set computes the same bits.
namespace hlo::numeric {

/// kAvx2 has FMA too, kAvx512 the parts F, DQ, BW and VL.
enum class InstructionSet : uint8_t { kBaseline, kAvx2, kAvx512 };

#if defined(__x86_64__)
/// The host's.
inline InstructionSet instruction_set() {
  static const InstructionSet best = [] {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") != 0 &&
        __builtin_cpu_supports("avx512dq") != 0 &&
        __builtin_cpu_supports("avx512bw") != 0 &&
        __builtin_cpu_supports("avx512vl") != 0) {
      return InstructionSet::kAvx512;
    }
    const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 &&
                          __builtin_cpu_supports("fma") != 0;
    return has_avx2 ? InstructionSet::kAvx2 : InstructionSet::kBaseline;
  }();
  return best;
}

template <typename Body, typename... T>
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl")]] auto run_avx512(
    T... arguments) {
  return Body::run(arguments...);
}

template <typename Body, typename... T>
[[gnu::target("avx2")]] auto run_avx2(T... arguments) {
  return Body::run(arguments...);
}
#else
inline InstructionSet instruction_set() { return InstructionSet::kBaseline; }
#endif

template <typename Body, typename... T>
[[gnu::noinline]] auto run_baseline(T... arguments) {
  return Body::run(arguments...);
}

/// Body::run(arguments...), an always-inline function, on the host's vectors.
template <typename Body, typename... T>
auto run_on_vectors(T... arguments) {
#if defined(__x86_64__)
  switch (instruction_set()) {
    case InstructionSet::kAvx512:
      return run_avx512<Body, T...>(arguments...);
    case InstructionSet::kAvx2:
      return run_avx2<Body, T...>(arguments...);
    case InstructionSet::kBaseline:
      break;
  }
#endif
  return run_baseline<Body, T...>(arguments...);
}

}  // namespace hlo::numeric
