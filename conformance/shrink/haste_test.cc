#include "conformance/shrink/haste.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "conformance/shrink/shrink.h"
#include "conformance/shrink/testing/faulty_backend.h"
#include "interpreter/run/shared_limits.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// It never ends where there is a negation: by what it may take, as backends
/// of this process do.
class Endless : public Faulty {
 public:
  explicit Endless(int& leisurely) : Faulty(spin(leisurely)) {}

 private:
  static Fault spin(int& leisurely) {
    return [&leisurely](const Module& module, std::vector<Literal>&) {
      if (!has(module, "negate")) return;
      Budget own(kOwn);
      const auto shared = shared_limits().budget;
      Budget& budget = shared ? *shared : own;
      if (!shared) ++leisurely;
      for (;;) budget.spend(10'000'000);
    };
  }

  static constexpr int64_t kOwn = 4'000'000'000;
};

TEST(Haste, EndsWhatNeverEndsByLessThanARunMayTake) {
  int leisurely = 0;
  const MakeBackend make = [&] { return std::make_unique<Endless>(leisurely); };
  const Shrunk shrunk = shrink(program(), make, {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.kind->verdict, Verdict::kError);
  EXPECT_EQ(shrunk.after.instructions, 1);
  EXPECT_TRUE(has(verified_module(shrunk.smallest.program.hlo), "negate"));
  // The last look, which is judged twice as all that does not go well.
  EXPECT_EQ(leisurely, 2);
  EXPECT_FALSE(shrunk.is_in_haste);
  EXPECT_NE(shrunk.smallest.judgement.message.find("4000000000 units"),
            std::string::npos)
      << shrunk.smallest.judgement.message;
}

TEST(Haste, IsNotMisledByItsHaste) {
  const auto slow = [](const Module& module, std::vector<Literal>& results) {
    const auto shared = shared_limits().budget;
    if (shared) shared->spend(3'000'000'000);
    spoil_products(module, results);
  };
  const Shrunk shrunk = shrink(program(), faulty(slow), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(describe(*shrunk.kind), "differs: wrong number");
  EXPECT_EQ(shrunk.after.instructions, 1);
}

// The reference comes to no end of it either, so that no backend is at fault.
TEST(Haste, BlamesNoBackendForADeadlock) {
  const Program deadlock{.hlo = R"(HloModule m, replica_count=2
ENTRY main {
  t = token[] after-all()
  x = s32[] constant(1)
  s = (s32[], u32[], token[]) send(x, t), channel_id=1
  u = token[] send-done(s), channel_id=1
  r = (s32[], u32[], token[]) recv(u), channel_id=1
  d = (s32[], token[]) recv-done(r), channel_id=1
  ROOT y = s32[] get-tuple-element(d), index=0
}
)",
                         .inputs = {}};
  const MakeBackend make = [] {
    return std::make_unique<Faulty>(
        [](const Module&, std::vector<Literal>&) {});
  };
  try {
    shrink(deadlock, make, {});
    ADD_FAILURE() << "it was shrunk";
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "evaluate.deadlock");
  }
}

TEST(Haste, LeavesToOthersWhatTheReferenceHasNoFunctionFor) {
  EXPECT_NO_THROW(
      require_value({.hlo = "ENTRY e { ROOT r = f32[] custom-call(), "
                            "custom_call_target=\"unknown\" }",
                     .inputs = {}}));
}

}  // namespace
}  // namespace hlo::conformance
