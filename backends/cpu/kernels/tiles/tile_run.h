#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cpu/kernels/tiles/tile_program.h"

namespace hlo::cpu {

/// Lanes of a tile: a multiple of whole vectors and of the periods of as many
/// inputs as can be.
int64_t tile_lanes(const TileProgram& program);

/// What one thread needs to compute a program.
class TileRun {
 public:
  /// Bytes of the program's registers.
  static size_t memory_bytes(const TileProgram& program, int64_t lanes);

  /// `inputs` is the memory of the program's inputs, `memory` that of its
  /// registers, which others may use between two calls of run().
  TileRun(const TileProgram& program, std::span<const std::byte* const> inputs,
          int64_t lanes, std::byte* memory);

  /// Computes elements first ... last - 1 of the result, the first one at `to`.
  void run(int64_t first, int64_t last, std::byte* to);

  /// Inputs lie in no cache: asks for the next tile while one is computed.
  void fetch_inputs() { fetches_ = true; }

  /// Writes results past the caches (stream.h), where they lie on boundaries.
  void stream_results() { streams_ = true; }

 private:
  /// What is read of an input for the next tile.
  struct Next {
    const std::byte* first = nullptr;
    int64_t bytes = 0;
  };

  /// How an input is read.
  enum class Kind : uint8_t { kDirect, kRunsOfOne, kOther };

  bool is_direct(Stored stored) const;
  Kind kind_of(const TileInput& input) const;
  bool is_one_number(size_t i, int64_t at, int64_t n) const;
  void read(size_t i, int64_t at, int64_t n, int64_t last);
  void fetch(int64_t part, int64_t parts) const;
  void compute(size_t n) const;
  void write(int64_t n, std::byte* to);

  const TileProgram& program_;
  std::span<const std::byte* const> inputs_;
  int64_t lanes_;
  int64_t vector_lanes_;
  std::vector<std::byte*> own_;   // of each register
  std::vector<Register> places_;  // where each register is now
  std::vector<Kind> kinds_;       // of each input
  std::vector<bool> repeats_;
  std::vector<Next> next_;  // of each input
  std::byte* spare_ = nullptr;
  bool fetches_ = false;
  bool streams_ = false;
};

}  // namespace hlo::cpu
