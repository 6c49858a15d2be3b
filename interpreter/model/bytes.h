#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

namespace hlo {

/// The bytes of an array in memory. Unlike a vector's they need not be given a
/// value before someone writes them all.
class Bytes {
 public:
  Bytes() = default;

  /// So many zeros.
  explicit Bytes(size_t size) : Bytes(any(size)) {
    if (size > 0) std::memset(data(), 0, size);
  }

  Bytes(size_t size, std::byte value) : Bytes(any(size)) {
    std::fill_n(data(), size, value);
  }

  Bytes(std::initializer_list<std::byte> values)
      : Bytes(std::span(values.begin(), values.size())) {}

  explicit Bytes(std::span<const std::byte> values)
      : Bytes(any(values.size())) {
    if (!values.empty()) std::memcpy(data(), values.data(), values.size());
  }

  /// So many bytes of any value.
  static Bytes any(size_t size) {
    Bytes bytes;
    if (size > 0) bytes.memory_ = Memory(new std::byte[size], Free{});
    bytes.size_ = size;
    return bytes;
  }

  /// What takes back memory of so many bytes that was lent.
  using TakeBack = void (*)(std::byte* memory, size_t size);

  /// Bytes that lie in memory of another, who takes it back when the last one
  /// to hold them is gone. Copies have memory of their own.
  static Bytes lent(std::byte* memory, size_t size, TakeBack take_back) {
    Bytes bytes;
    bytes.memory_ = Memory(memory, Free{take_back, size});
    bytes.size_ = size;
    return bytes;
  }

  Bytes(const Bytes& other) : Bytes(std::span(other)) {}

  Bytes(Bytes&& other) noexcept
      : memory_(std::move(other.memory_)),
        size_(std::exchange(other.size_, 0)) {}

  Bytes& operator=(Bytes other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = other.size_;
    return *this;
  }

  ~Bytes() = default;

  /// Keeps the first ones; new ones are zero.
  void resize(size_t size) {
    Bytes other = any(size);
    const size_t kept = std::min(size, size_);
    if (kept > 0) std::memcpy(other.data(), data(), kept);
    if (size > kept) std::memset(other.data() + kept, 0, size - kept);
    *this = std::move(other);
  }

  std::byte* data() { return memory_.get(); }

  const std::byte* data() const { return memory_.get(); }

  size_t size() const { return size_; }

  bool empty() const { return size_ == 0; }

  std::byte* begin() { return data(); }

  std::byte* end() { return data() + size_; }

  const std::byte* begin() const { return data(); }

  const std::byte* end() const { return data() + size_; }

  /// std::out_of_range beyond the end.
  std::byte& at(size_t i) { return memory_[checked(i)]; }

  const std::byte& at(size_t i) const { return memory_[checked(i)]; }

  std::byte& operator[](size_t i) { return memory_[i]; }

  const std::byte& operator[](size_t i) const { return memory_[i]; }

  friend bool operator==(const Bytes& a, const Bytes& b) {
    return a.size_ == b.size_ &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size_) == 0);
  }

 private:
  struct Free {
    TakeBack take_back;  // null: it was not lent
    size_t size;

    void operator()(std::byte* memory) const {
      if (take_back != nullptr) {
        take_back(memory, size);
      } else {
        delete[] memory;
      }
    }
  };

  using Memory = std::unique_ptr<std::byte[], Free>;

  size_t checked(size_t i) const {
    if (i < size_) return i;
    throw std::out_of_range("a byte beyond the end of an array");
  }

  Memory memory_;
  size_t size_ = 0;
};

}  // namespace hlo
