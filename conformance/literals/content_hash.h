#pragma once

#include <openssl/types.h>

#include <memory>
#include <string>
#include <string_view>

namespace hlo::conformance {

/// A running SHA-256.
class Sha256 {
 public:
  Sha256();

  void add(std::string_view bytes);
  /// In lower-case hexadecimal; nothing is added after it.
  std::string finish();

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

/// The SHA-256 of bytes, in lower-case hexadecimal.
std::string sha256(std::string_view bytes);

}  // namespace hlo::conformance
