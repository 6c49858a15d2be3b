#include "conformance/literals/raw_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "conformance/judge/run_case.h"
#include "conformance/literals/literal_bits.h"

namespace hlo::conformance {
namespace {

Buffer buffer_of(const Shape& shape, std::initializer_list<int> bytes) {
  Buffer buffer{shape, Bytes(bytes.size())};
  std::ranges::transform(bytes, buffer.bytes.begin(),
                         [](int byte) { return static_cast<std::byte>(byte); });
  return buffer;
}

Shape shape_of(ElementType type, const std::vector<int64_t>& dims,
               int64_t bits) {
  Shape shape = Shape::array(type, dims);
  shape.layout = default_layout(shape.rank());
  shape.layout->element_size_in_bits = bits;
  return shape;
}

// spec/layout.md, "Width of an element": {-2, 3} is fe ff 03 00.
TEST(RawMemory, HasSignsInWideSlots) {
  const Shape shape = shape_of(ElementType::kS8, {2}, 16);
  EXPECT_FALSE(raw_difference(buffer_of(shape, {0xfe, 0xff, 3, 0})));
  EXPECT_EQ(raw_difference(buffer_of(shape, {0xfe, 0x00, 3, 0})),
            "in memory, slot 0 (index [0], byte 0) has the bits "
            "0000000011111110 and must have 1111111111111110");
  EXPECT_EQ(raw_difference(buffer_of(shape, {0xfe, 0xff, 3, 0xff})),
            "in memory, slot 1 (index [1], byte 2) has the bits "
            "1111111100000011 and must have 0000000000000011");
}

TEST(RawMemory, HasZerosAboveUnsignedNumbersOfFewBits) {
  const Shape shape = shape_of(ElementType::kU4, {2}, 0);
  EXPECT_FALSE(raw_difference(buffer_of(shape, {0x0f, 0x03})));
  EXPECT_TRUE(raw_difference(buffer_of(shape, {0x0f, 0x13})));
}

TEST(RawMemory, HasAnythingInPadding) {
  Shape shape = Shape::array(ElementType::kU8, {3});
  shape.layout = default_layout(1);
  shape.layout->tiles = {{{2}}};
  EXPECT_FALSE(raw_difference(buffer_of(shape, {1, 2, 3, 0x77})));
  // Five numbers of 2 bits leave 6 bits of the last byte.
  const Shape packed = shape_of(ElementType::kU2, {5}, 2);
  EXPECT_FALSE(raw_difference(buffer_of(packed, {0x39, 0xff})));
}

TEST(RawMemory, CountsThePrefixInAddresses) {
  Shape shape = shape_of(ElementType::kS8, {2}, 16);
  shape.layout->dynamic_shape_metadata_prefix_bytes = 4;
  EXPECT_FALSE(raw_difference(buffer_of(shape, {9, 9, 9, 9, 1, 0, 2, 0})));
  EXPECT_EQ(raw_difference(buffer_of(shape, {9, 9, 9, 9, 1, 0, 2, 1})),
            "in memory, slot 1 (index [1], byte 6) has the bits "
            "0000000100000010 and must have 0000000000000010");
}

/// Negates {1, 2} into slots of 16 bits, and loses the signs.
class LosesSigns : public Backend {
 public:
  std::string name() const override { return "loses-signs"; }

  Outcome run(const Module& module, std::span<const Buffer>) override {
    return std::vector<Buffer>{
        buffer_of(result_shapes(module)[0], {0xff, 0, 0xfe, 0})};
  }
};

TEST(RawMemory, IsJudgedWhereThatIsAskedFor) {
  Case c;
  c.id = "negate/s8/wide";
  c.hlo =
      "HloModule m, entry_computation_layout={(s8[2])->s8[2]{0:E(16)}}\n\n"
      "ENTRY main {\n  x = s8[2] parameter(0)\n"
      "  ROOT r = s8[2]{0:E(16)} negate(x)\n}\n";
  c.inputs = {parse_bits("s8[2] 01 02")};
  c.expect = {ArraySet::computed(parse_bits("s8[2] ff fe"))};
  LosesSigns backend;
  EXPECT_EQ(run_case(c, backend).verdict, Verdict::kConforms);
  const Judgement judgement = run_case(c, backend, {.raw = true});
  EXPECT_EQ(judgement.verdict, Verdict::kDiffers);
  EXPECT_TRUE(judgement.message.starts_with("result 0: in memory, slot 0"))
      << judgement.message;
}

}  // namespace
}  // namespace hlo::conformance
