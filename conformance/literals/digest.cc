#include "conformance/literals/digest.h"

#include "conformance/literals/content_hash.h"
#include "conformance/literals/live.h"

namespace hlo::conformance {

std::string digest(const Literal& leaf) {
  const Literal elements = live_part(leaf);
  Sha256 hash;
  hash.add(to_string(elements.shape(), /*with_layout=*/false) + "\n");
  if (leaf.shape().is_array()) {
    const auto bytes = elements.bytes();
    hash.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  return hash.finish();
}

}  // namespace hlo::conformance
