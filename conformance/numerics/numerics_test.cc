#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/output_file.h"
#include "conformance/numerics/battery.h"
#include "conformance/numerics/codes.h"
#include "conformance/numerics/hard_cases.h"
#include "conformance/numerics/pairs.h"
#include "conformance/numerics/sweep.h"
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
  off.approximate = [](double x, double) {
    return std::exp(x) * (1 + 0x1p-23);
  };
  EXPECT_TRUE(first_difference(off, kBlockOfOne));
}

// By MPFR alone, rounded to odd: what the approximations in long double and
// the C library say.
TEST(Rival, HasTwoWaysToEachValue) {
  for (const Rival& rival : all_rivals()) {
    const Points points = points_of(rival.sweep, 35, 0, 250);
    for (size_t i = 0; i < points.x.size(); ++i) {
      const auto x = std::bit_cast<float>(points.x[i]);
      const auto y = std::bit_cast<float>(points.y[i]);
      const float value = evaluate(rival, x, y);
      const auto exact = static_cast<float>(evaluate_to_odd(
          rival, static_cast<double>(x), static_cast<double>(y)));
      ASSERT_TRUE(std::isnan(value) ? std::isnan(exact) : value == exact)
          << rival.name << " " << x << " " << y;
    }
  }
}

TEST(Rival, RoundsToOdd) {
  const Rival& exp2 = *find_rival("exp2");
  EXPECT_EQ(evaluate_to_odd(exp2, 1), 2);
  EXPECT_EQ(evaluate_to_odd(exp2, 0x1p-60), 1 + 0x1p-52);
  EXPECT_EQ(evaluate_to_odd(exp2, -0x1p-60), 1 - 0x1p-53);
  EXPECT_EQ(evaluate_to_odd(exp2, -3000), 0x1p-1000);
}

TEST(Points, AreThoseOfThePage) {
  const Points all = points_of(Sweep::kAll, 3, 5, 7);
  EXPECT_EQ(all.x, (std::vector<uint32_t>{0x300005, 0x300006}));
  const Points strided = points_of(Sweep::kStrided, 63, 0xfffff, 0x100000);
  EXPECT_EQ(strided.x[0], static_cast<uint32_t>(0x3ffffffULL * 65));
  const Points pairs = points_of(Sweep::kPairs, 0, 2, 3);
  EXPECT_EQ(pairs.x[0], 0x3c6ef372U);
  EXPECT_EQ(pairs.y[0], 0xfe94f82aU);
  const Points confined = points_of(Sweep::kPairs, 1, 0, 1000);
  for (const uint32_t code : confined.y) {
    const double size = std::fabs(std::bit_cast<float>(code));
    EXPECT_TRUE(size >= 0x1p-15 && size < 0x1p17);
  }
  const Points orders = points_of(Sweep::kOrders, 1, 0, 200);
  for (const uint32_t code : orders.x) {
    const float order = std::bit_cast<float>(code);
    EXPECT_TRUE(order >= 0 && order < 32 && order == std::floor(order));
  }
}

TEST(Codes, AreRoundedRightly) {
  for (const Rival& rival : all_rivals()) {
    for (const ElementType type :
         {ElementType::kF4E2M1FN, ElementType::kF6E3M2FN}) {
      EXPECT_FALSE(first_wrong_code(rival, type)) << rival.name;
    }
    if (rival.is_binary()) continue;
    EXPECT_FALSE(first_wrong_code(rival, ElementType::kF8E8M0FNU))
        << rival.name;
  }
  for (const std::string_view operation : exact_operations()) {
    EXPECT_FALSE(first_wrong_result(operation, ElementType::kF8E4M3FN))
        << operation;
  }
}

TEST(Codes, FindsAFunctionThatIsOff) {
  Rival off = *find_rival("exp");
  off.exact = find_rival("exp2")->exact;
  EXPECT_TRUE(first_wrong_code(off, ElementType::kBF16));
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
  constexpr int64_t kLines = 64;
  std::vector<uint64_t> checksums(static_cast<size_t>(kLines), 0xabcdef);
  checksums[1] = ~uint64_t{0};
  write_file(file, print_checksums(checksums));
  EXPECT_EQ(read_checksums(file, kLines), checksums);
  EXPECT_THROW(read_checksums(file, kLines + 1), Error);
  const std::string text = print_checksums(checksums);
  for (const std::string& bad :
       {std::string(), text.substr(1), text + "\n", "x" + text.substr(1)}) {
    write_file(file, bad);
    EXPECT_THROW(read_checksums(file, kLines), Error);
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
