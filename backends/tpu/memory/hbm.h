#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace hlo::tpu {

/// The memory of the machine: bytes with addresses. What is allocated is filled
/// with poison, whose pattern is another each time.
class Hbm {
 public:
  /// The least that an array takes, and what its address is a multiple of.
  explicit Hbm(int64_t grain) : grain_(grain) {}

  /// A piece of the memory, given back when it is destroyed.
  class Piece {
   public:
    Piece(Hbm& memory, int64_t address, int64_t size);
    ~Piece();
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

    int64_t address() const { return address_; }

    int64_t size() const { return size_; }

    std::span<std::byte> bytes() const;

   private:
    Hbm& memory_;
    int64_t address_;
    int64_t size_;
    std::vector<std::byte> bytes_;
  };

  /// Error "evaluate.memory" where the machine that runs this has no room.
  std::shared_ptr<Piece> allocate(int64_t bytes);

  /// The pattern that the next poisoned bytes get; it moves on each time.
  std::byte next_poison();

  /// How many bytes are allocated now, and how many were at most.
  int64_t held() const { return held_; }

  int64_t peak() const { return peak_; }

 private:
  int64_t grain_;
  int64_t held_ = 0;
  int64_t peak_ = 0;
  uint64_t pattern_ = 0;
  std::map<int64_t, int64_t> pieces_;  // address to end
};

}  // namespace hlo::tpu
