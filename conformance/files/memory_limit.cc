#include "conformance/files/memory_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "conformance/files/read_file.h"
#include "interpreter/error.h"
#include "interpreter/model/array_memory.h"

namespace hlo::conformance {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasShadow = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kHasShadow = true;
#else
constexpr bool kHasShadow = false;
#endif
#else
constexpr bool kHasShadow = false;
#endif

/// The limit that a control group has in such a file; `otherwise` without one.
int64_t group_limit(const char* path, int64_t otherwise) {
  std::string text;
  try {
    text = read_file(path);
  } catch (const Error&) {
    return otherwise;
  }
  const int64_t bytes = std::atoll(text.c_str());  // 0 of "max"
  return bytes > 0 ? std::min(bytes, otherwise) : otherwise;
}

int64_t available_memory() {
  int64_t bytes = machine_memory();
  for (const char* path : {"/sys/fs/cgroup/memory.max",
                           "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    bytes = group_limit(path, bytes);
  }
  return bytes;
}

/// Sanitizers map more than there is.
void limit_process(int64_t bytes) {
  if (kHasShadow) return;
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(bytes));
  setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace

void limit_memory(int64_t most) {
  constexpr int64_t kBesideArrays = int64_t{192} << 20;
  set_most_memory(most > 0 ? most : available_memory() / 4 * 3);
  limit_process(most_memory() + kBesideArrays);
}

std::string out_of_memory() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  constexpr int64_t kPerMiB = 1024;
  return "error: system.memory: the command took " +
         std::to_string(used.ru_maxrss / kPerMiB) +
         " MiB and needs more, but the system or --max-memory gives none\n";
}

}  // namespace hlo::conformance
