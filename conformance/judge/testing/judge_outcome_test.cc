#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "conformance/judge/run_case.h"
#include "conformance/levels/profile_text.h"
#include "conformance/literals/literal_bits.h"
#include "interpreter/model/buffer.h"

// What is made of what a backend answers, beside values that are right or not
// (run_case_test.cc).
namespace hlo::conformance {
namespace {

/// Answers with the next of some texts each time, the last of them from then
/// on: the result's bits, or the rule of a rejection.
class Answering : public Backend {
 public:
  explicit Answering(std::vector<std::string> answers)
      : answers_(std::move(answers)) {}

  std::string name() const override { return "answering"; }

  Outcome run(const Module& module, std::span<const Buffer>) override {
    const std::string answer = answers_.front();
    if (answers_.size() > 1) answers_.erase(answers_.begin());
    if (answer.find('[') == std::string::npos) {
      return Failure{
          .kind = Failure::Kind::kRejected, .rule = answer, .message = "m"};
    }
    return std::vector<Buffer>{
        store(parse_bits(answer), result_shapes(module)[0])};
  }

 private:
  std::vector<std::string> answers_;
};

Judgement judged(const Case& c, std::vector<std::string> answers,
                 const Judging& judging = {}) {
  Answering backend(std::move(answers));
  return run_case(c, backend, judging);
}

Case negate_case() {
  Case c;
  c.id = "negate/f32/x";
  c.hlo =
      "HloModule m\n\nENTRY main {\n  x = f32[2] parameter(0)\n"
      "  ROOT r = f32[2] negate(x)\n}\n";
  c.inputs = {parse_bits("f32[2] 3f800000 40000000")};
  c.expect = {ArraySet::computed(parse_bits("f32[2] bf800000 c0000000"))};
  return c;
}

// The case says that nothing is negated: the sets of the reference, which does
// negate, are not what it states.
TEST(JudgeOutcome, HoldsToWhatIsStatedWhereTheReferenceReturnsSomethingElse) {
  Case c = negate_case();
  c.expect = {ArraySet::computed(parse_bits("f32[2] 3f800000 40000000"))};
  const Judging relaxed{.profile = parse_profile("relaxed")};
  EXPECT_EQ(judged(c, {"f32[2] 3f800000 40000000"}, relaxed).verdict,
            Verdict::kConforms);
}

// One of two elements exists. Whoever can say so has to; of memory without room
// for sizes the element that exists is judged.
TEST(JudgeOutcome, WantsTheSizesThatABufferHasRoomFor) {
  const std::vector<std::string> whole = {"f32[<=2] bf800000 c0000000"};
  Case c = negate_case();
  c.hlo =
      "HloModule m\n\nENTRY main {\n  x = f32[2] parameter(0)\n"
      "  n = s32[] constant(1)\n"
      "  d = f32[<=2] set-dimension-size(x, n), dimensions={0}\n"
      "  ROOT r = f32[<=2]{0:M(4)} negate(d)\n}\n";
  c.expect = {ArraySet::computed(parse_bits("f32[<=2](1) bf800000 00000000"))};
  EXPECT_EQ(judged(c, whole).verdict, Verdict::kWrongShape);
  c.derive_sets = true;
  EXPECT_EQ(judged(c, whole).verdict, Verdict::kWrongShape);
  c.hlo.replace(c.hlo.find("{0:M(4)}"), 8, "");
  EXPECT_EQ(judged(c, whole).verdict, Verdict::kConforms);
}

// -0 for +0 is admitted by an axis of the level relaxed, which has the rank 6.
TEST(JudgeOutcome, MeasuresLevelsWithTheirOwnAxes) {
  Case c = negate_case();
  c.hlo.replace(c.hlo.find("negate(x)"), 9, "subtract(x, x)");
  c.expect = {ArraySet::computed(parse_bits("f32[2] 00000000 00000000"))};
  const Judgement judgement =
      judged(c, {"f32[2] 80000000 00000000"}, {.levels = true});
  EXPECT_EQ(judgement.verdict, Verdict::kDiffers);
  EXPECT_EQ(judgement.closeness.level, 6);
}

// A rejection is another one where another rule is named.
TEST(JudgeOutcome, TellsRejectionsApartByTheirRule) {
  EXPECT_EQ(judged(negate_case(), {"negate.C1", "negate.C1"}).again,
            std::nullopt);
  EXPECT_EQ(judged(negate_case(), {"negate.C1", "negate.C2"}).again,
            Verdict::kRejectedWrongly);
}

}  // namespace
}  // namespace hlo::conformance
