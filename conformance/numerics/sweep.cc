#include "conformance/numerics/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <numeric>

#include "conformance/case/case_files.h"
#include "conformance/files/read_file.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

constexpr uint32_t kNan = 0x7fc00000;
constexpr int64_t kChunk = 4096;  // results that fit into the nearest cache
constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;  // odd: 2^64 / golden ratio
constexpr int kMantissaBits = 23;

/// The code with `low` to low + 2^bits - 1 as its biased exponent.
uint32_t confined(uint32_t code, uint32_t low, int bits) {
  constexpr uint32_t kField = 0xff;
  const uint32_t field = low + (code >> kMantissaBits & ((1U << bits) - 1));
  return (code & ~(kField << kMantissaBits)) | field << kMantissaBits;
}

/// A number below 32: an integer, or one from 1 to 17.
uint32_t order_of(uint32_t code, bool whole) {
  constexpr uint32_t kMask = (1U << 24) - 1;
  constexpr float kUnit = 0x1p-20F;
  const auto number = whole ? static_cast<float>(code >> 27)
                            : 1 + static_cast<float>(code & kMask) * kUnit;
  return std::bit_cast<uint32_t>(number);
}

std::pair<uint32_t, uint32_t> pair_at(uint64_t k, bool confine) {
  constexpr uint32_t kLow = 112;  // 2^-15
  constexpr int kBits = 5;
  const uint64_t both = k * kGolden;
  const auto x = static_cast<uint32_t>(both >> 32);
  const auto y = static_cast<uint32_t>(both);
  if (!confine) return {x, y};
  return {confined(x, kLow, kBits), confined(y, kLow, kBits)};
}

std::pair<uint32_t, uint32_t> point_at(Sweep sweep, uint64_t k, bool odd) {
  constexpr uint32_t kStride = 65;
  constexpr uint32_t kLow = 120;  // 2^-7
  constexpr int kBits = 4;
  const auto code = static_cast<uint32_t>(k);
  if (sweep == Sweep::kStrided) return {code * kStride, code};
  if (sweep == Sweep::kPairs) return pair_at(k, odd);
  const auto [x, y] = pair_at(k, false);
  return {order_of(x, odd), confined(y, kLow, kBits)};
}

/// Calls visit(points, results) for each chunk of a block; the results have
/// one NaN.
template <typename Visit>
void for_each_chunk(const Rival& rival, int64_t block, const Visit& visit) {
  const numeric::FloatFormat& f32 = numeric::format(ElementType::kF32);
  const int64_t size = block_size(rival.sweep);
  const int64_t chunk = std::min(kChunk, size);
  std::vector<uint32_t> results(static_cast<size_t>(chunk));
  for (int64_t done = 0; done < size; done += chunk) {
    const Points points = points_of(rival.sweep, block, done, done + chunk);
    evaluate_reference(rival, points.x.data(), points.y.data(), results.data(),
                       chunk, f32);
    for (uint32_t& result : results) {
      const bool is_nan = std::isnan(std::bit_cast<float>(result));
      result = is_nan ? kNan : result;
    }
    visit(points, results);
  }
}

}  // namespace

int64_t block_count(Sweep sweep) {
  constexpr int64_t kAllBlocks = 4096;
  constexpr int64_t kSomeBlocks = 64;
  return sweep == Sweep::kAll ? kAllBlocks : kSomeBlocks;
}

int64_t block_size(Sweep sweep) {
  constexpr int kSlow = 10;
  constexpr int kFast = 20;
  return int64_t{1} << (sweep == Sweep::kOrders ? kSlow : kFast);
}

Points points_of(Sweep sweep, int64_t block, int64_t begin, int64_t end) {
  Points points;
  const auto n = static_cast<size_t>(end - begin);
  points.x.resize(n);
  points.y.resize(n);
  const auto first = static_cast<uint64_t>(block * block_size(sweep) + begin);
  if (sweep == Sweep::kAll) {  // the one that is asked for most
    std::iota(points.x.begin(), points.x.end(), static_cast<uint32_t>(first));
    return points;
  }
  for (size_t i = 0; i < n; ++i) {
    const auto [x, y] = point_at(sweep, first + i, block % 2 != 0);
    points.x[i] = x;
    points.y[i] = y;
  }
  return points;
}

uint64_t block_checksum(const Rival& rival, int64_t block) {
  constexpr int kShift = 32;
  uint64_t sum = 0;
  for_each_chunk(
      rival, block, [&](const Points&, const std::vector<uint32_t>& results) {
        for (size_t i = 0; i < results.size(); i += 2) {
          const uint64_t pair = uint64_t{results[i + 1]} << kShift | results[i];
          sum = (sum ^ pair) * kGolden;
          sum ^= sum >> kShift;
        }
      });
  return sum;
}

std::optional<std::pair<uint32_t, uint32_t>> first_difference(
    const Rival& rival, int64_t block) {
  std::optional<std::pair<uint32_t, uint32_t>> found;
  for_each_chunk(rival, block,
                 [&](const Points& points, const std::vector<uint32_t>& got) {
                   for (size_t i = 0; i < got.size() && !found; ++i) {
                     const float wanted =
                         evaluate(rival, std::bit_cast<float>(points.x[i]),
                                  std::bit_cast<float>(points.y[i]));
                     const bool same =
                         std::isnan(wanted)
                             ? got[i] == kNan
                             : std::bit_cast<uint32_t>(wanted) == got[i];
                     if (!same) found = std::pair(points.x[i], points.y[i]);
                   }
                 });
  return found;
}

std::vector<uint64_t> parse_checksums(std::string_view text,
                                      const std::string& file, int64_t count) {
  constexpr size_t kLine = 17;
  const auto fail = [&] {
    throw Error(Phase::kEvaluate, "numerics.checksums",
                fmt::format("{} does not hold {} of 16 hex digits", file,
                            counted(count, "line")));
  };
  if (text.size() != static_cast<size_t>(count) * kLine) fail();
  std::vector<uint64_t> checksums;
  checksums.reserve(static_cast<size_t>(count));
  for (size_t at = 0; at < text.size(); at += kLine) {
    const char* const begin = text.data() + at;
    uint64_t value = 0;
    const auto read = std::from_chars(begin, begin + kLine - 1, value, 16);
    if (read.ptr != begin + kLine - 1 || *read.ptr != '\n') fail();
    checksums.push_back(value);
  }
  return checksums;
}

std::vector<uint64_t> read_checksums(const std::string& file, int64_t count) {
  return parse_checksums(read_file(file), file, count);
}

std::string print_checksums(const std::vector<uint64_t>& checksums) {
  std::string text;
  for (const uint64_t checksum : checksums) {
    text += fmt::format("{:016x}\n", checksum);
  }
  return text;
}

}  // namespace hlo::conformance
