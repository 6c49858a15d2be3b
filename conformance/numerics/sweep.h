#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/numerics/rival.h"

// All f32 arguments of a function in blocks of 2^20 codes, each with a
// checksum of its results.
namespace hlo::conformance {

inline constexpr int64_t kBlocks = 4096;
inline constexpr int64_t kBlockSize = int64_t{1} << 20;

/// The checksum of the reference's results for the codes from block * 2^20 on;
/// the sign and payload of a NaN do not count (spec/numerics.md, Proof).
uint64_t block_checksum(const Rival& rival, int64_t block);

/// The first code of the block for which the rival differs, if any.
std::optional<uint32_t> first_difference(const Rival& rival, int64_t block);

/// The committed checksums of a function; error "file.read" or
/// "numerics.checksums" where they are not 4,096 lines of 16 hex digits.
std::vector<uint64_t> read_checksums(const std::string& file);
/// The text of such a file.
std::string print_checksums(const std::vector<uint64_t>& checksums);

}  // namespace hlo::conformance
