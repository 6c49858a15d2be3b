#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace hlo::abi {

/// Bytes that a library may write to, aligned to 64, between others that show
/// where it wrote beyond them.
class GuardedBytes {
 public:
  /// They hold 0xa5. std::bad_alloc, of more than a frame has always.
  explicit GuardedBytes(uint64_t size);
  /// They hold the text.
  explicit GuardedBytes(std::string_view text);

  std::byte* data() const { return bytes_.get() + kGuard; }

  uint64_t size() const { return size_; }

  std::string_view view() const {
    return {reinterpret_cast<const char*>(data()), size_};
  }

  /// Whether nobody wrote beyond them.
  bool is_intact() const;

 private:
  static constexpr uint64_t kGuard = 64;  // before; behind at least as many

  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };

  uint64_t size_;
  uint64_t whole_;
  std::unique_ptr<std::byte, Free> bytes_;
};

}  // namespace hlo::abi
