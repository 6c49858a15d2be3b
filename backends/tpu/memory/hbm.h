#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace hlo::tpu {

/// The memory of the machine: bytes with addresses, and for each bit whether it
/// belongs to an element that was stored there. All else is padding, which
/// holds poison: a pattern that is another for each operation.
class Hbm {
 public:
  /// `grain` is the least that an array takes, and what its address is a
  /// multiple of; poison hangs on the seed.
  explicit Hbm(int64_t grain, uint64_t seed = 0);

  /// An empty memory like this one, with other poison.
  Hbm another();

  /// Bytes begin at such a multiple here, too: functions of custom-calls rely
  /// on it (spec/ops/custom_call.md).
  static constexpr int64_t kLineBytes = 64;

  struct alignas(kLineBytes) Line {
    std::array<uint64_t, kLineBytes / sizeof(uint64_t)> words;
  };

  /// A piece of the memory, given back when it is destroyed.
  class Piece {
   public:
    Piece(Hbm& memory, int64_t address, int64_t size);
    ~Piece();
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

    int64_t address() const { return address_; }

    int64_t size() const { return size_; }

    const Hbm& memory() const { return memory_; }

    bool is_in(const Hbm& memory) const { return &memory_ == &memory; }

    std::span<std::byte> bytes() const;
    /// The bits of bytes() that elements were stored to.
    std::span<std::byte> written() const;
    /// Trap "tpu.bounds" where the piece has fewer bytes than that.
    void stop_beyond(int64_t bytes) const;
    /// Gives padding the memory's pattern, and elements nothing.
    void poison();
    /// Gives padding zeros, and elements nothing: for code that is not the
    /// machine's.
    void clear_padding();

   private:
    void fill_padding(uint64_t pattern);

    Hbm& memory_;
    int64_t address_;
    int64_t size_;
    std::vector<Line> bytes_;
    std::vector<Line> written_;
  };

  /// Error "evaluate.memory" where the machine that runs this has no room.
  std::shared_ptr<Piece> allocate(int64_t bytes);

  /// The next operation begins, whose poison is another.
  void begin_operation();

  /// The eight bytes that poison repeats.
  uint64_t pattern() const { return pattern_; }

  /// How many bytes are allocated now, and how many were at most.
  int64_t held() const { return held_; }

  int64_t peak() const { return peak_; }

 private:
  int64_t grain_;
  int64_t held_ = 0;
  int64_t peak_ = 0;
  uint64_t seed_;
  uint64_t operation_ = 0;
  uint64_t pattern_;
  uint64_t others_ = 0;
  std::map<int64_t, int64_t> pieces_;  // address to end
};

}  // namespace hlo::tpu
