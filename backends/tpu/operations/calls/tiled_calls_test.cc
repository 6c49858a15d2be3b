#include "backends/tpu/operations/calls/tiled_calls.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "backends/host_side.h"
#include "backends/tpu/testing/run_tpu.h"
#include "interpreter/foreign/custom_calls.h"

namespace hlo::tpu {
namespace {

/// 4 floats as they lie.
void copy4(void* out, void** in) { std::memcpy(out, in[0], 4 * sizeof(float)); }

/// All 1024 floats of a tile.
void copy_tile(void* out, void** in) {
  std::memcpy(out, in[0], 1024 * sizeof(float));
}

/// Adds 1 to what is there already, and leaves the operand at 0.
void count_up(void* out, void** in) {
  *static_cast<float*>(out) += 1;
  if (in[0] != out) *static_cast<float*>(in[0]) = 0;
}

/// (a, (b)) becomes (b, a).
void swap_parts(void* out, void** in) {
  auto* const whole = static_cast<void**>(in[0]);
  auto* const inner = static_cast<void**>(whole[1]);
  auto* const result = static_cast<void**>(out);
  std::memcpy(result[0], inner[0], sizeof(float));
  std::memcpy(result[1], whole[0], 2 * sizeof(float));
}

/// A byte each, of which the high bits are another's.
void nibbles(void* out, void** in) {
  const auto* const from = static_cast<const uint8_t*>(in[0]);
  for (int k = 0; k < 3; ++k) {
    static_cast<uint8_t*>(out)[k] = static_cast<uint8_t>(0xa0 | from[k]);
  }
}

/// How far each array is beyond a multiple of 64 bytes.
void alignments(void* out, void** in) {
  auto* const result = static_cast<float*>(out);
  constexpr uintptr_t kLine = 64;
  const auto rest = [](void* p) {
    return static_cast<float>(reinterpret_cast<uintptr_t>(p) % kLine);
  };
  const float rests[] = {rest(in[0]), rest(in[1]), rest(out)};
  std::memcpy(result, rests, sizeof(rests));
}

/// The result of ENTRY main with these lines, with the functions above.
std::vector<float> run_with_functions(const std::string& lines,
                                      size_t leaf = 0) {
  auto functions = std::make_shared<CustomCalls>();
  functions->add("copy4", copy4);
  functions->add("copy_tile", copy_tile);
  functions->add("count_up", count_up);
  functions->add("swap_parts", swap_parts);
  functions->add("nibbles", nibbles);
  functions->add("alignments", alignments);
  const Module module =
      verified_module("HloModule m\nENTRY main {\n" + lines + "\n}");
  const auto backend = make_tpu_backend("tpu:");
  dynamic_cast<HostFed&>(*backend).take({.custom_calls = functions});
  Outcome outcome = backend->run(module, {});
  if (const auto* failure = std::get_if<Failure>(&outcome)) {
    throw std::runtime_error(failure->message);
  }
  const Buffer& buffer = std::get<std::vector<Buffer>>(outcome).at(leaf);
  std::vector<float> values(buffer.bytes.size() / sizeof(float));
  std::memcpy(values.data(), buffer.bytes.data(), buffer.bytes.size());
  return values;
}

using Floats = std::vector<float>;

// Columns of f32[2,2]{0,1} follow each other: 1 3 2 4.
TEST(TpuTiledCalls, HandArraysOverInTheLayoutsThatAreDemanded) {
  const std::string x = "x = f32[2,2] constant({{1, 2}, {3, 4}})\n";
  const std::string call =
      "f32[2,2] custom-call(x), custom_call_target=\"copy4\"";
  EXPECT_EQ(run_with_functions(x + "ROOT r = " + call), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(run_with_functions(x + "ROOT r = " + call +
                               ", operand_layout_constraints={f32[2,2]{0,1}}"),
            (Floats{1, 3, 2, 4}));
}

// A tile of 8 by 128 has 2 by 2 elements of x, and zeros everywhere else.
TEST(TpuTiledCalls, HandPaddingOverAsZeros) {
  const Floats tile = run_with_functions(
      "x = f32[2,2] constant({{1, 2}, {3, 4}})\n"
      "ROOT r = f32[1024]{0} custom-call(x), custom_call_target=\"copy_tile\", "
      "operand_layout_constraints={f32[2,2]{1,0:T(8,128)}}");
  Floats expected(1024, 0);
  expected[0] = 1;
  expected[1] = 2;
  expected[128] = 3;
  expected[129] = 4;
  EXPECT_EQ(tile, expected);
}

// The result is 0 at first; where it shares the operand's buffer, it has that.
TEST(TpuTiledCalls, WriteToOperandsOnlyWhereTheResultSharesThem) {
  const std::string x = "x = f32[] constant(4)\n";
  const std::string call =
      "c = f32[] custom-call(x), "
      "custom_call_target=\"count_up\"";
  const std::string sum = "\nROOT r = f32[] add(x, c)";
  EXPECT_EQ(run_with_functions(x + call + sum), (Floats{5}));
  EXPECT_EQ(run_with_functions(
                x + call + ", output_to_operand_aliasing={{}: (0, {})}" + sum),
            (Floats{9}));
}

TEST(TpuTiledCalls, HandTuplesOverAsPointers) {
  const std::string lines =
      "a = f32[2] constant({1, 2})\n b = f32[] constant(3)\n"
      "t = (f32[]) tuple(b)\n u = (f32[2], (f32[])) tuple(a, t)\n"
      "ROOT r = (f32[], f32[2]) custom-call(u), "
      "custom_call_target=\"swap_parts\"";
  EXPECT_EQ(run_with_functions(lines), (Floats{3}));
  EXPECT_EQ(run_with_functions(lines, 1), (Floats{1, 2}));
}

// A number of 4 bits is one of the low bits of a byte.
TEST(TpuTiledCalls, TakeOnlyTheBitsOfAnElement) {
  EXPECT_EQ(run_with_functions(
                "x = s4[3] constant({1, -1, -8})\n"
                "c = s4[3] custom-call(x), custom_call_target=\"nibbles\"\n"
                "ROOT r = f32[3] convert(c)"),
            (Floats{1, -1, -8}));
}

TEST(TpuTiledCalls, AlignArraysEvenIfTheyAreEmpty) {
  EXPECT_EQ(run_with_functions("x = u8[3] constant({1, 2, 3})\n"
                               "y = f32[0,5] iota(), iota_dimension=1\n"
                               "ROOT r = f32[3] custom-call(x, y), "
                               "custom_call_target=\"alignments\""),
            (Floats{0, 0, 0}));
}

TEST(TpuTiledCalls, SayWhatNobodyHasOrCanTake) {
  const auto message = [](const std::string& lines) -> std::string {
    try {
      run_with_functions(lines);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  const std::string x = "x = f32[4] constant({1, 2, 3, 4})\n";
  EXPECT_NE(message(x + "ROOT r = f32[4] custom-call(x), "
                        "custom_call_target=\"nobody\"")
                .find("the target \"nobody\" is not known"),
            std::string::npos);
  EXPECT_NE(message(x + "ROOT r = f32[3] custom-call(x), "
                        "custom_call_target=\"Sharding\"")
                .find("no function \"Sharding\" for these shapes"),
            std::string::npos);
  EXPECT_NE(message(x + "n = s32[] constant(2)\n"
                        "d = f32[<=4] set-dimension-size(x, n), "
                        "dimensions={0}\n"
                        "ROOT r = f32[4] custom-call(d), "
                        "custom_call_target=\"copy4\"")
                .find("smaller at run time than its bounds"),
            std::string::npos);
}

/// Whether check.eq says that they are equal, both f32[9,129] in layouts of
/// their own: 1 where y is x but for element (8,128), `last`.
float are_equal(const std::string& size, const std::string& last) {
  return run_with_functions(
             "x = f32[9,129]{0,1:T(8,128)} iota(), iota_dimension=0\n"
             "l = f32[1,1] constant({{" +
             last +
             "}})\n"
             "eight = s32[] constant(8)\n"
             "end = s32[] constant(128)\n"
             "y = f32[9,129]{1,0:T(2,128)} dynamic-update-slice(x, l, eight, "
             "end)\n"
             "n = s32[] constant(" +
             size +
             ")\n"
             "all = s32[] constant(9)\n"
             "xs = f32[<=9,129]{0,1:T(8,128)} set-dimension-size(x, n), "
             "dimensions={0}\n"
             "ys = f32[<=9,129]{1,0:T(2,128)} set-dimension-size(y, n), "
             "dimensions={0}\n"
             "e = pred[] custom-call(xs, ys), custom_call_target=\"check.eq\"\n"
             "ROOT r = f32[] convert(e)")
      .at(0);
}

TEST(TpuTiledCalls, CompareElementsWithinTheirSizes) {
  EXPECT_EQ(are_equal("9", "8"), 1);
  EXPECT_EQ(are_equal("9", "7"), 0);
  EXPECT_EQ(are_equal("8", "7"), 1);
  EXPECT_EQ(are_equal("9", "nan"), 0);
}

// Arrays of other sizes are not equal, whatever their elements.
TEST(TpuTiledCalls, CompareSizes) {
  EXPECT_EQ(
      run_with_functions(
          "x = f32[2] constant({1, 1})\n n = s32[] constant(1)\n"
          "y = f32[<=2] set-dimension-size(x, n), dimensions={0}\n"
          "e = pred[] custom-call(x, y), custom_call_target=\"check.eq\"\n"
          "ROOT r = f32[] convert(e)"),
      (Floats{0}));
}

// Zeros of both signs are equal, and NaNs of the same bits.
TEST(TpuTiledCalls, CompareNumbersAndNot) {
  EXPECT_EQ(
      run_with_functions(
          "x = f32[2] constant({-0.0, nan})\n"
          "y = f32[2] constant({0, nan})\n"
          "e = pred[] custom-call(x, y), custom_call_target=\"check.eq\"\n"
          "ROOT r = f32[] convert(e)"),
      (Floats{1}));
}

}  // namespace
}  // namespace hlo::tpu
