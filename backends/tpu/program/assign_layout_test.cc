#include "backends/tpu/program/assign_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "interpreter/model/buffer_layout.h"
#include "interpreter/testing/random_case.h"
#include "interpreter/text/parser.h"

namespace hlo::tpu {
namespace {

using hlo::testing::Random;

const Generation& named(const std::string& name) {
  for (const Generation& each : generations()) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(name);
}

std::string assigned(const std::string& shape,
                     const std::string& generation = "v5e") {
  return to_string(
      with_assigned_layout(named(generation), text::parse_shape(shape)));
}

// What a TPU compiler chose.
TEST(TpuAssignedLayout, IsThatOfTheCompiler) {
  for (const std::string name : {"v4", "v5e", "v6e"}) {
    EXPECT_EQ(assigned("f32[2,3,5]", name), "f32[2,3,5]{2,0,1:T(2,128)}");
    EXPECT_EQ(assigned("f32[300,257]", name), "f32[300,257]{0,1:T(8,128)}");
    EXPECT_EQ(assigned("f32[]", name), "f32[]{:T(128)}");
    EXPECT_EQ(assigned("s4[]", name), "s4[]{:T(1024)E(4)}");
    EXPECT_EQ(assigned("pred[7]", name), "pred[7]{0:T(512)(128)(4,1)}");
    EXPECT_EQ(assigned("bf16[7]", name), "bf16[7]{0:T(256)(128)(2,1)}");
  }
}

TEST(TpuAssignedLayout, StoresNarrowTypesAsTheGenerationDoes) {
  EXPECT_EQ(assigned("s4[]", "v3"), "s4[]{:T(512)}");
  EXPECT_EQ(assigned("s4[8,128]", "v2"), "s4[8,128]{1,0:T(8,128)(4,1)}");
  EXPECT_EQ(assigned("f4e2m1fn[9,128]"),
            "f4e2m1fn[9,128]{1,0:T(8,128)(8,1)E(4)}");
  EXPECT_EQ(assigned("f64[9,128]"), "f64[9,128]{1,0:T(8,128)}");
}

TEST(TpuAssignedLayout, TakesSmallerTilesForFewRows) {
  EXPECT_EQ(assigned("f32[1,128]"), "f32[1,128]{1,0:T(2,128)}");
  EXPECT_EQ(assigned("f32[3,128]"), "f32[3,128]{1,0:T(4,128)}");
  EXPECT_EQ(assigned("f32[5,128]"), "f32[5,128]{1,0:T(8,128)}");
  EXPECT_EQ(assigned("bf16[2,128]"), "bf16[2,128]{1,0:T(2,128)(2,1)}");
  EXPECT_EQ(assigned("s8[2,128]"), "s8[2,128]{1,0:T(4,128)(4,1)}");
}

TEST(TpuAssignedLayout, IsRowMajorWhereNoOrderPadsLess) {
  EXPECT_EQ(assigned("f32[128,128]"), "f32[128,128]{1,0:T(8,128)}");
  EXPECT_EQ(assigned("f32[0,300,257]"), "f32[0,300,257]{2,1,0:T(8,128)}");
  EXPECT_EQ(assigned("f32[4,4,4]"), "f32[4,4,4]{2,1,0:T(4,128)}");
}

/// The fewest slots of any order, counted by the model of layouts.
int64_t fewest_slots(const Generation& generation, const Shape& array) {
  std::vector<int64_t> order(array.dims.size());
  std::iota(order.begin(), order.end(), 0);
  int64_t fewest = INT64_MAX;
  do {
    fewest =
        std::min(fewest, buffer_elements(with_order(generation, array, order)));
  } while (std::next_permutation(order.begin(), order.end()));
  return fewest;
}

TEST(TpuAssignedLayout, PadsLeastOfAllOrders) {
  Random random(5);
  for (int n = 0; n < 300; ++n) {
    std::vector<int64_t> dims;
    for (int64_t d = random.between(0, 4); d > 0; --d) {
      dims.push_back(random.one_in(3) ? random.between(100, 300)
                                      : random.between(1, 12));
    }
    const ElementType type = random.one_in(2)   ? ElementType::kF32
                             : random.one_in(2) ? ElementType::kS8
                                                : ElementType::kU4;
    const Shape array = Shape::array(type, dims);
    for (const Generation& generation : generations()) {
      const Shape chosen = with_assigned_layout(generation, array);
      validate_layout(chosen);
      EXPECT_EQ(buffer_elements(chosen), fewest_slots(generation, array))
          << to_string(chosen);
    }
  }
}

}  // namespace
}  // namespace hlo::tpu
