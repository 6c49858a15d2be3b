#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "conformance/levels/profile_text.h"
#include "interpreter/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A profile that is read is printed, and read again to the same.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hlo::conformance;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Profile profile = parse_profile(text);
    if (parse_profile(print(profile)) != profile) std::abort();
  } catch (const hlo::Error& error) {
    if (error.rule() != "usage.profile") std::abort();
    constexpr size_t kMostMessage = 1000;
    if (error.message().size() > kMostMessage) std::abort();
  }
  return 0;
}
