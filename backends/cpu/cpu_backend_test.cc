#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "backends/backend.h"
#include "backends/cpu/arrays/array.h"
#include "backends/cpu/arrays/narrow_float.h"
#include "backends/cpu/arrays/packing.h"
#include "backends/registry/make_backend.h"
#include "interpreter/verify/verify.h"

namespace hlo::cpu {
namespace {

using enum ElementType;

constexpr ElementType kNarrow[] = {
    kF16,      kBF16,       kF8E5M2,     kF8E4M3,    kF8E3M4,
    kF8E4M3FN, kF8E4M3FNUZ, kF8E5M2FNUZ, kF8E8M0FNU, kF8E4M3B11FNUZ,
    kF4E2M1FN, kF6E2M3FN,   kF6E3M2FN};

struct Fact {
  ElementType type;
  uint32_t code;
  float value;
};

// The largest finite number and the smallest positive one of each format, from
// the definitions in spec/types.md.
const Fact kFacts[] = {
    {kF16, 0x7bff, 65504.0F},      {kF16, 0x0001, 0x1p-24F},
    {kBF16, 0x7f7f, 0x1.fep127F},  {kBF16, 0x0001, 0x1p-133F},
    {kF8E5M2, 0x7b, 57344.0F},     {kF8E5M2, 0x01, 0x1p-16F},
    {kF8E4M3, 0x77, 240.0F},       {kF8E4M3, 0x01, 0x1p-9F},
    {kF8E3M4, 0x6f, 15.5F},        {kF8E3M4, 0x01, 0x1p-6F},
    {kF8E4M3FN, 0x7e, 448.0F},     {kF8E4M3FN, 0x01, 0x1p-9F},
    {kF8E4M3FNUZ, 0x7f, 240.0F},   {kF8E4M3FNUZ, 0x01, 0x1p-10F},
    {kF8E5M2FNUZ, 0x7f, 57344.0F}, {kF8E5M2FNUZ, 0x01, 0x1p-17F},
    {kF8E4M3B11FNUZ, 0x7f, 30.0F}, {kF8E4M3B11FNUZ, 0x01, 0x1p-13F},
    {kF8E8M0FNU, 0xfe, 0x1p127F},  {kF8E8M0FNU, 0x00, 0x1p-127F},
    {kF4E2M1FN, 0x7, 6.0F},        {kF4E2M1FN, 0x1, 0.5F},
    {kF6E2M3FN, 0x1f, 7.5F},       {kF6E2M3FN, 0x01, 0.125F},
    {kF6E3M2FN, 0x1f, 28.0F},      {kF6E3M2FN, 0x01, 0.0625F},
};

TEST(CpuFormat, KnowsTheEndsOfEachFormat) {
  for (const Fact& fact : kFacts) {
    EXPECT_EQ(decode_narrow(fact.code, fact.type), fact.value)
        << name(fact.type);
    EXPECT_EQ(encode_narrow(fact.value, fact.type), fact.code)
        << name(fact.type);
  }
}

TEST(CpuFormat, EncodesEveryDecodedCodeBack) {
  for (const ElementType type : kNarrow) {
    for (uint32_t code = 0; code < 1U << bits(type); ++code) {
      const float value = decode_narrow(code, type);
      if (std::isnan(value)) continue;
      EXPECT_EQ(encode_narrow(value, type), code) << name(type);
    }
  }
}

TEST(CpuFormat, RoundsHalvesToEvenCodes) {
  for (const ElementType type : kNarrow) {
    if (type == kF8E8M0FNU) continue;  // halves go up: the codes are exponents
    for (uint32_t code = 0; code + 1 < 1U << (bits(type) - 1); ++code) {
      const float low = decode_narrow(code, type);
      const float high = decode_narrow(code + 1, type);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      const double half = std::midpoint(double{low}, double{high});
      EXPECT_EQ(encode_narrow(half, type), code + code % 2) << name(type);
    }
  }
}

TEST(CpuFormat, OverflowsAsEachFormatDoes) {
  EXPECT_EQ(encode_narrow(1e9, kF8E5M2), 0x7cU);    // infinity
  EXPECT_EQ(encode_narrow(1e9, kF8E4M3FN), 0x7fU);  // its only NaN
  EXPECT_EQ(encode_narrow(-1e9, kF8E4M3FNUZ), 0x80U);
  EXPECT_EQ(encode_narrow(-1e9, kF4E2M1FN), 0xfU);  // saturates
  EXPECT_EQ(encode_narrow(-0.0, kF8E5M2FNUZ), 0U);  // has no -0
}

Layout tiled(std::vector<int64_t> minor_to_major, std::vector<Tile> tiles) {
  Layout layout;
  layout.minor_to_major = std::move(minor_to_major);
  layout.tiles = std::move(tiles);
  return layout;
}

Array counted(const Shape& shape) {
  std::vector<uint64_t> values(static_cast<size_t>(shape.element_count()));
  std::iota(values.begin(), values.end(), 1);
  return store<uint64_t>(shape, values);
}

struct LayoutExample {
  std::vector<int64_t> dims;
  Layout layout;
  Index index;
  size_t slot;
  size_t slots;
};

// The worked examples of spec/layout.md.
std::vector<LayoutExample> layout_examples() {
  constexpr int64_t kAll = Tile::kCombine;
  return {{{3, 5}, tiled({1, 0}, {{{2, 2}}}), {2, 3}, 17, 24},
          {{4, 8}, tiled({1, 0}, {{{2, 4}}, {{2, 1}}}), {3, 5}, 27, 32},
          {{2, 7, 8, 11, 10},
           tiled({4, 3, 2, 1, 0}, {{{kAll, kAll, 2, kAll, 3}}}),
           {1, 2, 3, 4, 5},
           8307,
           12432}};
}

TEST(CpuLayout, PutsElementsIntoTheSlotsOfTheExamples) {
  for (const LayoutExample& example : layout_examples()) {
    Shape shape = Shape::array(kU32, example.dims);
    const Array array = counted(shape);
    shape.layout = example.layout;
    Buffer buffer = pack(array, shape);
    ASSERT_EQ(buffer.bytes.size(), 4 * example.slots);
    buffer.shape = Shape::array(kU32, {static_cast<int64_t>(example.slots)});
    EXPECT_EQ(load<uint64_t>(unpack(buffer))[example.slot],
              linearize(example.index, example.dims) + 1U);
  }
}

TEST(CpuLayout, UnpacksWhatItPacks) {
  for (const LayoutExample& example : layout_examples()) {
    Shape shape = Shape::array(kU32, example.dims);
    const Array array = counted(shape);
    shape.layout = example.layout;
    EXPECT_EQ(unpack(pack(array, shape)).bytes, array.bytes);
  }
}

TEST(CpuLayout, PacksBitsAcrossBytes) {
  Shape shape = Shape::array(kF6E3M2FN, {4});
  const std::vector<float> values = {0.0625F, -28.0F, 0.0F, 28.0F};
  const Array array = store<float>(shape, values);
  shape.layout = default_layout(1);
  shape.layout->element_size_in_bits = 6;
  const Buffer buffer = pack(array, shape);
  EXPECT_EQ(buffer.bytes,
            (Bytes{std::byte{0xc1}, std::byte{0x0f}, std::byte{0x7c}}));
  EXPECT_EQ(load<float>(unpack(buffer)), values);
}

Outcome run_text(std::string_view text, std::span<const Buffer> arguments) {
  const Module module = verified_module(text);
  return make_backend("cpu:")->run(module, arguments);
}

Failure::Kind failure_of(const Outcome& outcome) {
  return std::get<Failure>(outcome).kind;
}

TEST(CpuBackend, FailsWithoutArguments) {
  const Outcome outcome = run_text(
      "HloModule m\n\nENTRY main {\n  ROOT x = f32[2] parameter(0)\n}\n", {});
  EXPECT_EQ(failure_of(outcome), Failure::Kind::kError);
}

TEST(CpuBackend, FailsOnABufferOfAnotherSize) {
  const Buffer small{Shape::array(kF32, {2}), Bytes(3)};
  const Outcome outcome = run_text(
      "HloModule m\n\nENTRY main {\n  ROOT x = f32[2] parameter(0)\n}\n",
      {&small, 1});
  EXPECT_EQ(failure_of(outcome), Failure::Kind::kError);
}

std::string called(int levels) {
  std::string text = "HloModule m\nc0 { ROOT x = f32[] constant(1) }\n";
  for (int i = 1; i <= levels; ++i) {
    text += (i == levels ? "ENTRY main" : "c" + std::to_string(i)) +
            " { ROOT r = f32[] call(), to_apply=c" + std::to_string(i - 1) +
            " }\n";
  }
  return text;
}

TEST(CpuBackend, RunsComputationsInEachOtherAsDeepAsMemoryAllows) {
  for (const int levels : {100, 101, 20'000}) {
    const Outcome outcome = run_text(called(levels), {});
    const auto& buffers = std::get<std::vector<Buffer>>(outcome);
    EXPECT_EQ(buffers.at(0).bytes, (Bytes{std::byte{0}, std::byte{0},
                                          std::byte{0x80}, std::byte{0x3f}}));
  }
}

std::string counting(int trips) {
  return "HloModule m\nless { i = s32[] parameter(0)\n n = s32[] constant(" +
         std::to_string(trips) +
         ")\n ROOT r = pred[] compare(i, n), direction=LT }\n"
         "next { i = s32[] parameter(0)\n one = s32[] constant(1)\n"
         " ROOT r = s32[] add(i, one) }\n"
         "ENTRY main { z = s32[] constant(0)\n"
         " ROOT r = s32[] while(z), condition=less, body=next }\n";
}

TEST(CpuBackend, RunsLoopsOfAnyLength) {
  const Outcome outcome = run_text(counting(1'000'001), {});
  const auto& buffers = std::get<std::vector<Buffer>>(outcome);
  EXPECT_EQ(integers(unpack(buffers.at(0))), (std::vector<int64_t>{1'000'001}));
}

// spec/ops/fft.md: a length of 0 gives zeros, whatever the others are.
TEST(CpuBackend, TransformsNothingBesideAHugeLength) {
  for (const char* lengths : {"9223372036854775807,0", "0,4611686018427387904",
                              "1099511627776,0,1099511627776"}) {
    const Outcome outcome = run_text(
        "HloModule m\n\nENTRY main {\n"
        "  x = c64[1,1,2] constant({{{(1, 2), (3, 4)}}})\n"
        "  ROOT r = c64[1,1,2] fft(x), fft_type=IFFT, fft_length={" +
            std::string(lengths) + "}\n}\n",
        {});
    const auto& buffers = std::get<std::vector<Buffer>>(outcome);
    EXPECT_EQ(buffers.at(0).bytes, Bytes(16));
  }
}

// An empty sum is 0; UBSan watches how its operands are walked.
TEST(CpuBackend, ConvolvesNothing) {
  const Outcome outcome = run_text(
      "HloModule m\n\nENTRY main {\n"
      "  x = f32[2,0] constant({})\n  k = f32[0,2] constant({})\n"
      "  ROOT r = f32[1,2] convolution(x, k), dim_labels=bf_io->bf,"
      " batch_group_count=2\n}\n",
      {});
  const auto& buffers = std::get<std::vector<Buffer>>(outcome);
  EXPECT_EQ(buffers.at(0).bytes, Bytes(8));
}

// Elements that are read backwards are not outside.
TEST(CpuBackend, ConvolvesWhatIsReversed) {
  const Shape shape = Shape::array(kF32, {2, 1, 3, 1});
  const Buffer argument =
      pack(store<float>(shape, std::vector<float>{1, 2, 3, 4, 5, 6}), shape);
  const Outcome outcome = run_text(
      "HloModule m\n\nENTRY main {\n"
      "  x = f32[2,1,3,1] parameter(0)\n"
      "  y = f32[2,1,3,1] reverse(x), dimensions={0,2}\n"
      "  k = f32[1,2,1,1] constant({{{{10}},{{1}}}})\n"
      "  ROOT r = f32[2,1,4,1] convolution(y, k), window={size=1x2"
      " pad=0_0x1_1}, dim_labels=b01f_01io->b01f\n}\n",
      {&argument, 1});
  const auto& buffers = std::get<std::vector<Buffer>>(outcome);
  EXPECT_EQ(load<float>(unpack(buffers.at(0))),
            (std::vector<float>{6, 65, 54, 40, 3, 32, 21, 10}));
}

// What says how a value is spread over devices gives the value.
TEST(CpuBackend, HandsOnWhatIsShardedWhateverIsDynamic) {
  for (const char* result : {"f32[2]", "f32[<=2]"}) {
    const Outcome outcome = run_text(
        "HloModule m\n\nENTRY main {\n  x = f32[2] constant({1, 2})\n"
        "  ROOT r = " +
            std::string(result) +
            " custom-call(x), custom_call_target=\"Sharding\"\n}\n",
        {});
    const auto& buffers = std::get<std::vector<Buffer>>(outcome);
    EXPECT_EQ(load<float>(unpack(buffers.at(0))), (std::vector<float>{1, 2}));
  }
}

TEST(CpuBackend, RejectsAnUnknownCustomCallByItsRule) {
  const Outcome outcome = run_text(
      "HloModule m\n\nENTRY main {\n"
      "  ROOT r = f32[2] custom-call(), custom_call_target=\"f\"\n}\n",
      {});
  EXPECT_EQ(std::get<Failure>(outcome).rule, "custom-call.target");
}

}  // namespace
}  // namespace hlo::cpu
