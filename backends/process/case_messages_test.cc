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

/// The bytes of the result of an identity on `shape`, of which a worker without
/// layouts gives these.
std::string kept(const std::string& shape, const std::string& given,
                 const std::string& dense) {
  const Module module =
      verified_module("HloModule m\n\nENTRY main {\n  ROOT x = " + shape +
                      " parameter(0)\n}\n");
  const Answer answer{.kind = Answer::Kind::kResults,
                      .message = {},
                      .results = {{.shape = dense, .bytes = given.size()}},
                      .bytes = {given}};
  const Outcome outcome = to_outcome(answer, module, Hello());
  std::string bytes;
  for (const std::byte byte :
       std::get<std::vector<Buffer>>(outcome).at(0).bytes) {
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

// A comparison of memory sees them, but for those that packed slots have no
// room for.
TEST(CaseMessages, KeepTheBitsAboveNarrowValues) {
  EXPECT_EQ(kept("pred[2]", "\xa5\x02", "pred[2]"), "\xa5\x02");
  EXPECT_EQ(kept("s4[2]", "\x7f\xf2", "s4[2]"), "\x7f\xf2");
  EXPECT_EQ(kept("pred[2,2]{0,1}", "\xa5\x01\x02\x03", "pred[2,2]"),
            "\xa5\x02\x01\x03");
  EXPECT_EQ(kept("s4[2]{0:T(4)}", "\x7f\xf2", "s4[2]"), "\x7f\xf2\xa5\xa5");
  EXPECT_EQ(kept("s4[2]{0:E(4)}", "\x7f\xf2", "s4[2]"), "\x2f");
}

}  // namespace
}  // namespace hlo::process
