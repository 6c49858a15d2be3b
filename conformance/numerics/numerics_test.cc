#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <string>

#include "conformance/numerics/battery.h"
#include "conformance/numerics/hard_cases.h"
#include "conformance/numerics/pairs.h"
#include "conformance/numerics/sweep.h"
#include "conformance/sources/files.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

// Blocks of 2^20 f32 codes, an eighth of a binade each; 1.0 is 3f800000.
constexpr int64_t kBlockOfOne = 0x3f8;

// Stated values: tensorflow#55390, tensorflow#115507, jax#37670.
TEST(Rival, KnowsStatedValues) {
  const auto bits = [](std::string_view function, float x) {
    return std::bit_cast<uint32_t>(evaluate(*find_rival(function), x));
  };
  EXPECT_EQ(bits("tanh", 7), 0x3f7fffe4U);
  EXPECT_EQ(bits("tanh", 8), 0x3f7ffffcU);
  EXPECT_EQ(bits("sin", 1e10F), 0xbef99a64U);
  EXPECT_EQ(bits("sin", 1e30F), 0xbf4a89b0U);
  EXPECT_EQ(bits("log", 0x1p-149F), std::bit_cast<uint32_t>(-103.27893F));
  EXPECT_TRUE(std::isnan(evaluate(*find_rival("log"), -1)));
}

TEST(Rival, AgreesWithTheReference) {
  for (const auto* function : {"exp", "log", "tanh", "rsqrt"}) {
    EXPECT_FALSE(first_difference(*find_rival(function), kBlockOfOne))
        << function;
  }
}

TEST(Rival, FindsAFunctionThatIsOff) {
  Rival off = *find_rival("exp");
  off.approximate = [](double x) { return std::exp(x) * (1 + 0x1p-23); };
  EXPECT_TRUE(first_difference(off, kBlockOfOne));
}

TEST(Sweep, ChecksumsTellResultsApart) {
  const Rival& exp = *find_rival("exp");
  const Rival& expm1 = *find_rival("expm1");
  EXPECT_EQ(block_checksum(exp, kBlockOfOne), block_checksum(exp, kBlockOfOne));
  EXPECT_NE(block_checksum(exp, kBlockOfOne),
            block_checksum(expm1, kBlockOfOne));
  EXPECT_NE(block_checksum(exp, kBlockOfOne),
            block_checksum(exp, kBlockOfOne + 1));
}

TEST(Sweep, ReadsWhatItPrints) {
  const std::string file =
      (std::filesystem::temp_directory_path() / "assay_checksums.txt").string();
  std::vector<uint64_t> checksums(static_cast<size_t>(kBlocks), 0xabcdef);
  checksums[1] = ~uint64_t{0};
  write_file(file, print_checksums(checksums));
  EXPECT_EQ(read_checksums(file), checksums);
  const std::string text = print_checksums(checksums);
  for (const std::string& bad :
       {std::string(), text.substr(1), text + "\n", "x" + text.substr(1)}) {
    write_file(file, bad);
    EXPECT_THROW(read_checksums(file), Error);
  }
  std::filesystem::remove(file);
}

TEST(HardCases, AreRoundedRightly) {
  for (const Rival& rival : all_rivals()) {
    const HardCases cases = check_hard_cases(rival, 10, /*seed=*/7);
    EXPECT_TRUE(cases.found == 10 || cases.tried == 0) << rival.name;
    EXPECT_FALSE(cases.wrong) << rival.name;
  }
}

TEST(Pairs, AreRoundedRightly) {
  for (const ElementType type : {ElementType::kF16, ElementType::kBF16}) {
    for (const auto* operation : {"add", "multiply", "divide"}) {
      EXPECT_FALSE(first_wrong_pair(operation, type, 0, 2)) << operation;
      EXPECT_FALSE(first_wrong_pair(operation, type, 0x3bff, 0x3c01))
          << operation;
      EXPECT_FALSE(first_wrong_pair(operation, type, 0xfbff, 0xfc02))
          << operation;
    }
  }
}

TEST(Battery, DoesNotDependOnThreads) {
  const auto one = run_battery(100, 1);
  const auto two = run_battery(100, 2);
  ASSERT_EQ(one.size(), two.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].checksum, two[i].checksum) << one[i].name;
  }
}

}  // namespace
}  // namespace hlo::conformance
