#include "backends/tpu/memory/scratch_registers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "backends/tpu/memory/trap.h"

namespace hlo::tpu {
namespace {

std::string rule_of_taking(Scratch& scratch, ElementType type) {
  try {
    const Register lanes(scratch, type);
  } catch (const Trap& trap) {
    return trap.rule();
  }
  return "";
}

TEST(Scratch, HasRoomForWholeRegistersOnly) {
  Scratch scratch(7 * kLanes + 1);
  EXPECT_EQ(scratch.size(), 7 * kLanes);
  EXPECT_EQ(scratch.room(ElementType::kF32), 1);
  EXPECT_EQ(scratch.room(ElementType::kS8), 7);
  EXPECT_EQ(rule_of_taking(scratch, ElementType::kF64), "tpu.scratch");
  EXPECT_EQ(rule_of_taking(scratch, ElementType::kF32), "");
}

TEST(Scratch, StopsWhereItIsFull) {
  Scratch scratch(4 * kLanes);
  std::vector<Register> registers;
  registers.emplace_back(scratch, ElementType::kBF16);
  registers.emplace_back(scratch, ElementType::kBF16);
  EXPECT_EQ(scratch.held(), scratch.size());
  EXPECT_EQ(rule_of_taking(scratch, ElementType::kS8), "tpu.scratch");
  registers.pop_back();
  EXPECT_EQ(rule_of_taking(scratch, ElementType::kBF16), "");
  EXPECT_EQ(scratch.held(), 2 * kLanes);
  EXPECT_EQ(scratch.peak(), 4 * kLanes);
}

// Whoever fills a register must not reach into another one.
TEST(Scratch, KeepsRegistersApart) {
  Scratch scratch(64 * kLanes);
  std::vector<Register> registers;
  for (const ElementType type : {ElementType::kS8, ElementType::kC128,
                                 ElementType::kF32, ElementType::kF64}) {
    registers.emplace_back(scratch, type);
  }
  for (size_t k = 0; k < registers.size(); ++k) {
    Register& each = registers[k];
    std::fill_n(each.bytes(), kLanes * each.width(), std::byte(k));
  }
  for (size_t k = 0; k < registers.size(); ++k) {
    EXPECT_EQ(registers[k].lane(0)[0], std::byte(k));
    EXPECT_EQ(registers[k].lane(kLanes - 1)[registers[k].width() - 1],
              std::byte(k));
  }
}

TEST(Scratch, GivesBackWhatWasMoved) {
  Scratch scratch(4 * kLanes);
  {
    Register first(scratch, ElementType::kF32);
    const Register second = std::move(first);
    EXPECT_EQ(scratch.held(), 4 * kLanes);
  }
  EXPECT_EQ(scratch.held(), 0);
}

}  // namespace
}  // namespace hlo::tpu
