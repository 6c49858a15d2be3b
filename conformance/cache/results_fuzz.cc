#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "conformance/cache/fingerprint.h"
#include "conformance/cache/result_cache.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A line of a cache, of the case whose hash it has, and a text about
// processors: what is read is written again to the same.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hlo::conformance;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr size_t kHash = 64;
  const std::string key(text.substr(0, kHash));
  const std::string_view rest = text.substr(key.size());
  // The sum is right, or nothing but sums would be tried.
  const std::string line =
      checked_line("fingerprint", key + ' ' + std::string(rest));
  const auto judgement = read_result_line("fingerprint", key, line);
  if (judgement && (!is_kept(*judgement) ||
                    result_line("fingerprint", key, *judgement) != line)) {
    std::abort();
  }
  if (read_result_line("fingerprint", key, text)) std::abort();
  if (processor_kinds(std::string(text)).size() > size + 1) std::abort();
  return 0;
}
