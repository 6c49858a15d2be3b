#include "conformance/numerics/sweep.h"

#include <fmt/format.h>

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

/// The reference's results for a block, with one NaN.
std::vector<uint32_t> results_of(const Rival& rival, int64_t block) {
  std::vector<uint32_t> codes(static_cast<size_t>(kBlockSize));
  std::iota(codes.begin(), codes.end(),
            static_cast<uint32_t>(block * kBlockSize));
  std::vector<uint32_t> results(codes.size());
  numeric::round_function_array(rival.function, codes.data(), results.data(),
                                kBlockSize, numeric::format(ElementType::kF32));
  for (uint32_t& result : results) {
    if (std::isnan(std::bit_cast<float>(result))) result = kNan;
  }
  return results;
}

}  // namespace

uint64_t block_checksum(const Rival& rival, int64_t block) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;  // odd: 2^64 / golden ratio
  constexpr int kShift = 32;
  uint64_t sum = 0;
  for (const uint32_t result : results_of(rival, block)) {
    sum = (sum ^ result) * kFactor;
    sum ^= sum >> kShift;
  }
  return sum;
}

std::optional<uint32_t> first_difference(const Rival& rival, int64_t block) {
  const std::vector<uint32_t> results = results_of(rival, block);
  for (size_t i = 0; i < results.size(); ++i) {
    const auto code =
        static_cast<uint32_t>(block * kBlockSize) + static_cast<uint32_t>(i);
    const float wanted = evaluate(rival, std::bit_cast<float>(code));
    if (std::bit_cast<uint32_t>(wanted) != results[i]) return code;
  }
  return std::nullopt;
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
