#include "conformance/literals/digest.h"

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "conformance/literals/live.h"

namespace hlo::conformance {
namespace {

/// A running SHA-256.
class Hash {
 public:
  Hash() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    check(context_ != nullptr &&
          EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }

  void add(const void* bytes, size_t size) {
    check(EVP_DigestUpdate(context_.get(), bytes, size) == 1);
  }

  std::string finish() {
    std::array<unsigned char, 32> sum{};
    unsigned size = 0;
    check(EVP_DigestFinal_ex(context_.get(), sum.data(), &size) == 1);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : sum) {
      text += kDigits[byte >> 4U];
      text += kDigits[byte & 15U];
    }
    return text;
  }

 private:
  static void check(bool ok) {
    if (!ok) throw std::runtime_error("SHA-256 is not available");
  }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.finish();
}

std::string digest(const Literal& leaf) {
  const Literal elements = live_part(leaf);
  const std::string head =
      to_string(elements.shape(), /*with_layout=*/false) + "\n";
  Hash hash;
  hash.add(head.data(), head.size());
  if (leaf.shape().is_array()) {
    hash.add(elements.bytes().data(), elements.bytes().size());
  }
  return hash.finish();
}

}  // namespace hlo::conformance
