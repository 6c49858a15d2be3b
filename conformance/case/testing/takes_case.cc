#include "conformance/case/testing/takes_case.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace hlo::conformance {

bool takes_case(const Case& c) {
  const char* wanted = std::getenv("ASSAY_CASES");
  if (wanted != nullptr && std::string_view(wanted) == "all") return true;
  uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char letter : c.id) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  }
  return (hash >> 32) % 8 == 0;
}

}  // namespace hlo::conformance
