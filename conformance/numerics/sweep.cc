#include "conformance/numerics/sweep.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <numeric>

#include "conformance/sources/files.h"
#include "interpreter/error.h"
#include "interpreter/numeric/float_format.h"

namespace hlo::conformance {
namespace {

constexpr uint32_t kNan = 0x7fc00000;
constexpr size_t kChunk = 4096;  // results that fit into the nearest cache

using Chunk = std::array<uint32_t, kChunk>;

/// Calls visit(first code, results) for each chunk of a block; the results
/// have one NaN.
template <typename Visit>
void for_each_chunk(const Rival& rival, int64_t block, const Visit& visit) {
  const numeric::FloatFormat& f32 = numeric::format(ElementType::kF32);
  Chunk codes;
  Chunk results;
  for (size_t done = 0; done < size_t{kBlockSize}; done += kChunk) {
    const auto first =
        static_cast<uint32_t>(block * kBlockSize) + static_cast<uint32_t>(done);
    std::iota(codes.begin(), codes.end(), first);
    numeric::round_function_array(rival.function, codes.data(), results.data(),
                                  kChunk, f32);
    for (uint32_t& result : results) {
      const bool is_nan = std::isnan(std::bit_cast<float>(result));
      result = is_nan ? kNan : result;
    }
    visit(first, results);
  }
}

}  // namespace

uint64_t block_checksum(const Rival& rival, int64_t block) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;  // odd: 2^64 / golden ratio
  constexpr int kShift = 32;
  uint64_t sum = 0;
  for_each_chunk(rival, block, [&](uint32_t, const Chunk& results) {
    for (size_t i = 0; i < kChunk; i += 2) {
      const uint64_t pair = uint64_t{results[i + 1]} << kShift | results[i];
      sum = (sum ^ pair) * kFactor;
      sum ^= sum >> kShift;
    }
  });
  return sum;
}

std::optional<uint32_t> first_difference(const Rival& rival, int64_t block) {
  std::optional<uint32_t> found;
  for_each_chunk(rival, block, [&](uint32_t first, const Chunk& results) {
    for (size_t i = 0; i < kChunk && !found; ++i) {
      const uint32_t code = first + static_cast<uint32_t>(i);
      const float wanted = evaluate(rival, std::bit_cast<float>(code));
      if (std::bit_cast<uint32_t>(wanted) != results[i]) found = code;
    }
  });
  return found;
}

std::vector<uint64_t> read_checksums(const std::string& file) {
  constexpr size_t kLine = 17;
  const std::string text = read_file(file);
  const auto fail = [&] {
    throw Error(Phase::kEvaluate, "numerics.checksums",
                file + " does not hold 4096 lines of 16 hex digits");
  };
  if (text.size() != kBlocks * kLine) fail();
  std::vector<uint64_t> checksums;
  checksums.reserve(static_cast<size_t>(kBlocks));
  for (size_t at = 0; at < text.size(); at += kLine) {
    const char* const begin = text.data() + at;
    uint64_t value = 0;
    const auto read = std::from_chars(begin, begin + kLine - 1, value, 16);
    if (read.ptr != begin + kLine - 1 || *read.ptr != '\n') fail();
    checksums.push_back(value);
  }
  return checksums;
}

std::string print_checksums(const std::vector<uint64_t>& checksums) {
  std::string text;
  for (const uint64_t checksum : checksums) {
    text += fmt::format("{:016x}\n", checksum);
  }
  return text;
}

}  // namespace hlo::conformance
