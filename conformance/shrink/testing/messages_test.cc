#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/shrink/shrink.h"
#include "conformance/shrink/testing/faulty_backend.h"
#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

// Programs of devices that send each other something.

namespace hlo::conformance {
namespace {

void spoil(std::vector<Literal>& results) {
  Scalar element = results.at(0).at(0);
  element.bits[0] ^= 0x800000;
  results[0].set(0, element);
}

// The result needs nothing of what sends it. A token may be an input.
TEST(Shrink, KeepsWhatSendsWhatIsReceived) {
  const std::string pairs =
      "channel_id=0, frontend_attributes="
      "{_xla_send_recv_source_target_pairs=\"{{1,0}}\"}";
  Edit edit({.hlo = fmt::format(R"(HloModule m, replica_count=3
    ENTRY e {{ x = f32[1] parameter(0)
              t = token[] after-all()
              s = (f32[1], u32[], token[]) send(x, t), {0}
              q = (f32[1], u32[], token[]) recv(t), {0}
              v = token[] send-done(s), channel_id=0
              d = (f32[1], token[]) recv-done(q), channel_id=0
              ROOT r = f32[1] get-tuple-element(d), index=0 }})",
                                pairs),
             .inputs = {text::parse_literal_with_shape("f32[1] {1}"),
                        text::parse_literal_with_shape("f32[1] {2}"),
                        text::parse_literal_with_shape("f32[1] {3}")}});
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (has(module, "recv-done")) spoil(results);
  };
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_LE(shrunk.after.instructions, 4) << shrunk.smallest.program.hlo;
}

TEST(Shrink, LeavesOutMessagesThatNothingNeeds) {
  Edit edit({.hlo = R"(HloModule m, replica_count=2
    ENTRY e { x = f32[1] parameter(0)
              t = token[] after-all()
              s = (f32[1], u32[], token[]) send(x, t), channel_id=0,
                frontend_attributes={
                  _xla_send_recv_source_target_pairs="{{1,0}}"}
              q = (f32[1], u32[], token[]) recv(t), channel_id=0,
                frontend_attributes={
                  _xla_send_recv_source_target_pairs="{{1,0}}"}
              v = token[] send-done(s), channel_id=0
              d = (f32[1], token[]) recv-done(q), channel_id=0
              ROOT r = f32[1] negate(x) })",
             .inputs = {text::parse_literal_with_shape("f32[1] {1}"),
                        text::parse_literal_with_shape("f32[1] {2}")}});
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (has(module, "negate")) spoil(results);
  };
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.instructions, 1) << shrunk.smallest.program.hlo;
}

/// It refuses all of this operation by one of its rules.
class Refusing : public Backend {
 public:
  std::string name() const override { return "refusing"; }

  Outcome run(const Module& module, std::span<const Buffer>) override {
    if (!has(module, "ragged-all-to-all")) {
      return Failure{Failure::Kind::kUnsupported, "", "another operation"};
    }
    return Failure{Failure::Kind::kRejected, "ragged-all-to-all.sizes", "no"};
  }
};

// The two sizes must be equal, which the verifier does not see: with one of
// them 0 the reference refuses the program, too.
TEST(Shrink, KeepsProgramsThatTheReferenceEvaluates) {
  const Program start{
      .hlo = text::print(verified_module(R"(ENTRY e {
        x = f32[4] parameter(0)   z = s64[1] parameter(1)
        n = s64[1] parameter(2)   m = s64[1] parameter(3)
        ROOT r = f32[4] ragged-all-to-all(x, x, z, n, z, m) })")),
      .inputs = {text::parse_literal_with_shape("f32[4] {1, 2, 3, 4}"),
                 text::parse_literal_with_shape("s64[1] {0}"),
                 text::parse_literal_with_shape("s64[1] {2}"),
                 text::parse_literal_with_shape("s64[1] {2}")}};
  const MakeBackend make = [] { return std::make_unique<Refusing>(); };
  const Shrunk shrunk = shrink(start, make, {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.kind->verdict, Verdict::kRejectedWrongly);
  EXPECT_GT(shrunk.taken, 0);
  const Program& left = shrunk.smallest.program;
  const Module module = verified_module(left.hlo);
  EXPECT_NO_THROW(
      evaluate_devices(module, device_arguments(module, left.inputs), {}))
      << left.hlo;
}

}  // namespace
}  // namespace hlo::conformance
