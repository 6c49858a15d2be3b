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

}  // namespace
}  // namespace hlo::process
