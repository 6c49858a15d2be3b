#include "interpreter/definition/total_order.h"

#include <gtest/gtest.h>

#include <vector>

namespace hlo::definition {
namespace {

using enum ElementType;

/// All codes of a type of 8 bits, in the order of spec/types.md.
std::vector<uint64_t> codes_in_order(ElementType type) {
  std::vector<uint64_t> codes;
  const bool is_fnuz = type == kF8E4M3FNUZ || type == kF8E5M2FNUZ;
  // The code 0x80 of a type without -0 is its NaN, the least of all.
  if (is_fnuz) codes.push_back(0x80);
  if (type != kF8E8M0FNU) {
    for (uint64_t c = 0xff; c > 0x80; --c) codes.push_back(c);
    if (!is_fnuz) codes.push_back(0x80);
  }
  const uint64_t end = type == kF8E8M0FNU ? 0x100 : 0x80;
  for (uint64_t c = 0; c < end; ++c) codes.push_back(c);
  return codes;
}

TEST(TotalOrder, TellsAllCodesApart) {
  for (const ElementType type : {kF8E5M2, kF8E4M3, kF8E4M3FN, kF8E3M4,
                                 kF8E4M3FNUZ, kF8E5M2FNUZ, kF8E8M0FNU}) {
    const std::vector<uint64_t> codes = codes_in_order(type);
    ASSERT_EQ(codes.size(), 256U) << name(type);
    for (size_t i = 1; i < codes.size(); ++i) {
      EXPECT_TRUE(total_order({type, {codes[i - 1], 0}}) <
                  total_order({type, {codes[i], 0}}))
          << name(type) << " " << codes[i - 1] << " " << codes[i];
    }
  }
}

TEST(TotalOrder, IsThatOfTheIntegers) {
  EXPECT_TRUE(total_order({kS8, {0x80, 0}}) == -128);
  EXPECT_TRUE(total_order({kU8, {0x80, 0}}) == 128);
}

}  // namespace
}  // namespace hlo::definition
