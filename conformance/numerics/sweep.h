#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/numerics/rival.h"

// Arguments of f32 in blocks, each with a checksum of a function's results.
namespace hlo::conformance {

/// How many blocks a function has: 4096, with all arguments, or 64.
int64_t block_count(Sweep sweep);
/// How many arguments a block has: 2^20, or 2^10 of functions that are slow.
int64_t block_size(Sweep sweep);

/// The arguments of f32 are point by point, for k from 0 on:
///   kAll: the code k;
///   kStrided: the code 65 k mod 2^32, from all over the format;
///   kPairs: the upper and the lower 32 bits of k 9e3779b97f4a7c15 mod 2^64; in
///     odd blocks magnitudes from 2^-15 to 2^17, by the exponent's last bits;
///   kOrders: the same, but the first is a number below 32, in odd blocks an
///     integer, in even ones between 1 and 17, and the other one has a
///     magnitude between 2^-7 and 2^9.
struct Points {
  std::vector<uint32_t> x;
  std::vector<uint32_t> y;  // of functions of one argument, nothing of use
};

/// Points `begin` to `end` of a block.
Points points_of(Sweep sweep, int64_t block, int64_t begin, int64_t end);

/// The checksum of the reference's results for a block; the sign and payload of
/// a NaN do not count (spec/numerics.md, Proof).
uint64_t block_checksum(const Rival& rival, int64_t block);

/// The first codes x and y of the block for which the rival differs, if any.
std::optional<std::pair<uint32_t, uint32_t>> first_difference(
    const Rival& rival, int64_t block);

/// The checksums of a text from `file`; error "numerics.checksums" where it is
/// not `count` lines of 16 hex digits.
std::vector<uint64_t> parse_checksums(std::string_view text,
                                      const std::string& file, int64_t count);
/// The committed checksums of a function; also error "file.read".
std::vector<uint64_t> read_checksums(const std::string& file, int64_t count);
/// The text of such a file.
std::string print_checksums(const std::vector<uint64_t>& checksums);

}  // namespace hlo::conformance
