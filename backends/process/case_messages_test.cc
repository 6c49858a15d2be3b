#include "backends/process/case_messages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "interpreter/verify/verify.h"

namespace hlo::process {
namespace {

/// Why a program without parameters cannot be handed over, which has so many
/// results on each of 65536 devices; empty where it can.
std::string refusal(int results) {
  std::string operands = "c";
  for (int k = 1; k < results; ++k) operands += ", c";
  const Module module = verified_module(
      fmt::format("HloModule m, replica_count=65536\n\nENTRY main {{\n"
                  "  c = pred[] constant(true)\n  ROOT r = tuple({})\n}}\n",
                  operands));
  Hello hello;
  hello.runs_devices = true;
  const auto request = make_request(1, module, {}, hello);
  const auto* failure = std::get_if<Failure>(&request);
  if (failure == nullptr) return "";
  EXPECT_EQ(failure->kind, Failure::Kind::kUnsupported);
  return failure->message;
}

TEST(CaseMessages, KeepTheHeaderOfACaseInItsBounds) {
  // A result takes the 28 bytes of {"shape":"pred[]","bytes":1}, and a comma.
  EXPECT_EQ(refusal(4), "");
  const std::string message = refusal(5);
  EXPECT_TRUE(message.starts_with("a header of 9502")) << message;
  EXPECT_TRUE(message.ends_with(", but may have 8388608 and 17179869184"))
      << message;
}

// Memory without layouts has no room for them, though the program's result has:
// they are not told to be those of the bounds.
TEST(CaseMessages, TellNoSizesOfRunTimeWithoutLayouts) {
  const Module module = verified_module(
      "HloModule m\n\nENTRY main {\n  x = f32[2] parameter(0)\n"
      "  n = s32[] constant(1)\n"
      "  ROOT r = f32[<=2]{0:M(4)} set-dimension-size(x, n), "
      "dimensions={0}\n}\n");
  const auto is_told = [&](const std::string& shape, size_t bytes,
                           bool wants_layouts) {
    Hello hello;
    hello.wants_layouts = wants_layouts;
    const Answer answer{.kind = Answer::Kind::kResults,
                        .message = {},
                        .results = {{.shape = shape, .bytes = bytes}},
                        .bytes = {std::string(bytes, '\0')}};
    const Outcome outcome = to_outcome(answer, module, hello);
    return std::get<std::vector<Buffer>>(outcome)
        .at(0)
        .shape.has_dynamic_dimensions();
  };
  EXPECT_FALSE(is_told("f32[<=2]", 8, false));
  EXPECT_TRUE(is_told("f32[<=2]{0:M(4)}", 12, true));
}

}  // namespace
}  // namespace hlo::process
