#include "backends/cpu/routines/products/byte_product_routines.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "backends/cpu/routines/products/testing/as_reference.h"

// What is expected is what the reference gives, which adds integers one by one.

namespace hlo::cpu {
namespace {

/// Buffers of any bytes that are elements of their types.
std::vector<Buffer> random_buffers(const Module& module) {
  std::mt19937 engine(5);
  std::vector<Buffer> buffers;
  for (const Shape& shape : argument_shapes(module)) {
    Literal literal(shape);
    for (int64_t i = 0; i < literal.element_count(); ++i) {
      const auto drawn = static_cast<uint64_t>(engine()) >> 4;
      const bool is_nibble = bits(shape.element_type) == 4;
      const bool is_negative =
          is_signed(shape.element_type) && is_nibble && (drawn & 8) != 0;
      const uint64_t low = drawn & (is_nibble ? 0xf : 0xff);
      literal.set(i, {shape.element_type, {is_negative ? low | 0xf0 : low, 0}});
    }
    buffers.push_back(hlo::store(literal, shape, Padding::kPoison));
  }
  return buffers;
}

void expect_as_reference(const std::string& body, bool by_routine = true) {
  expect_run_as_reference(body, by_routine, random_buffers);
}

TEST(ByteProductRoutines, MultiplyAllIntegersOfAByteAndLess) {
  for (const char* const left : {"s8", "u8", "s4", "u4"}) {
    for (const char* const right : {"s8", "u8", "s4", "u4"}) {
      for (const char* const result : {"s32", "u32"}) {
        expect_as_reference(std::string("  x = ") + left +
                            "[5,70] parameter(0)\n  y = " + right +
                            "[70,37] parameter(1)\n  ROOT r = " + result +
                            "[5,37] dot(x, y), lhs_contracting_dims={1}, "
                            "rhs_contracting_dims={0}\n");
      }
    }
  }
}

TEST(ByteProductRoutines, TakeBatchesContractionsAndNone) {
  expect_as_reference(
      "  x = s8[3,4,5,2] parameter(0)\n  y = u8[5,6,2,3] parameter(1)\n"
      "  ROOT r = s32[2,4,6] dot(x, y), lhs_batch_dims={3}, "
      "rhs_batch_dims={2}, lhs_contracting_dims={0,2}, "
      "rhs_contracting_dims={3,0}\n");
  expect_as_reference(
      "  x = s8[3] parameter(0)\n  y = s8[4] parameter(1)\n"
      "  ROOT r = s32[3,4] dot(x, y), lhs_contracting_dims={}, "
      "rhs_contracting_dims={}\n");
  expect_as_reference(
      "  x = s8[300] parameter(0)\n  y = s8[300] parameter(1)\n"
      "  ROOT r = s32[] dot(x, y), lhs_contracting_dims={0}, "
      "rhs_contracting_dims={0}\n");
  expect_as_reference(
      "  x = s8[200,16,16] parameter(0)\n  y = s8[200,16,16] parameter(1)\n"
      "  ROOT r = s32[200,16,16] dot(x, y), lhs_batch_dims={0}, "
      "rhs_batch_dims={0}, lhs_contracting_dims={2}, "
      "rhs_contracting_dims={1}\n");
}

TEST(ByteProductRoutines, LeaveOtherTypesToFunctions) {
  for (const char* const result : {"s8", "s64"}) {
    expect_as_reference(
        std::string(
            "  x = s8[3,4] parameter(0)\n  y = s8[4,5] parameter(1)\n") +
            "  ROOT r = " + result +
            "[3,5] dot(x, y), lhs_contracting_dims={1}, "
            "rhs_contracting_dims={0}\n",
        /*by_routine=*/false);
  }
}

struct ByteWindow {
  const char* input;
  const char* kernel;
  const char* result;
  const char* attributes;
  bool by_routine = true;
};

constexpr ByteWindow kWindows[] = {
    {"s8[2,9,8,5]", "s8[3,3,5,12]", "s32[2,9,8,12]",
     "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"},
    {"u8[2,9,8,5]", "u8[3,2,5,33]", "u32[2,5,10,33]",
     "window={size=3x2 stride=2x1 pad=2_0x1_2}, dim_labels=b01f_01io->b01f"},
    {"s8[2,5,9,8]", "u8[12,5,3,3]", "s32[2,12,5,4]",
     "window={size=3x3 rhs_dilate=2x2}, dim_labels=bf01_oi01->bf01"},
    {"s8[9,5,8,2]", "s8[5,3,12,3]", "s32[12,2,19,17]",
     "window={size=3x3 pad=2_2x2_2 lhs_dilate=2x2}, "
     "dim_labels=0f1b_i0o1->fb01"},
    {"s8[1,7,16]", "s8[1,4,32]", "s32[1,7,32]",
     "window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=4"},
    {"s4[3,40]", "u4[40,6]", "s32[3,6]", "dim_labels=bf_io->bf"},
    {"s8[1,7,16]", "s8[3,1,16]", "s32[1,7,16]",
     "window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, "
     "feature_group_count=16",
     false},
    {"s8[1,7,16]", "s8[3,16,8]", "s32[1,7,8]",
     "window={size=3 pad=1_1 rhs_reversal=1}, dim_labels=b0f_0io->b0f", false},
    {"s8[1,3,70000]", "s8[2,70000,8]", "s32[1,2,8]",
     "window={size=2}, dim_labels=b0f_0io->b0f"},
    {"s8[1,3,16]", "s8[3,16,8]", "s32[1,7,8]",
     "window={size=3 pad=3_3}, dim_labels=b0f_0io->b0f"}};

TEST(ByteProductRoutines, ConvolveInAnyOrderOfDimensions) {
  for (const ByteWindow& w : kWindows) {
    expect_as_reference(std::string("  x = ") + w.input +
                            " parameter(0)\n  w = " + w.kernel +
                            " parameter(1)\n  ROOT r = " + w.result +
                            " convolution(x, w), " + w.attributes + "\n",
                        w.by_routine);
  }
}

}  // namespace
}  // namespace hlo::cpu
