#include "conformance/commands/results/timed_runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <variant>

#include "conformance/literals/literal_bits.h"
#include "interpreter/model/buffer.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

constexpr int kValue = 7;

/// Returns 7, but after `constant_until` calls how many there were.
class Counting : public Backend {
 public:
  int compiles = 0;
  int calls = 0;
  int constant_until = 1 << 30;
  int throws_at = 0;
  double sleeps = 0;
  bool is_apart = true;
  bool compile_throws = false;

  std::string name() const override { return "counting:"; }

  Outcome run(const Module& module,
              std::span<const Buffer> /*arguments*/) override {
    ++calls;
    if (calls == throws_at) throw std::runtime_error("no");
    std::this_thread::sleep_for(std::chrono::duration<double>(sleeps));
    const int value = calls > constant_until ? calls : kValue;
    const Literal literal = parse_bits(fmt::format("s32[] {:08x}", value));
    return std::vector<Buffer>{store(literal, result_shapes(module).at(0))};
  }

  std::unique_ptr<Executable> compile(const Module& module) override {
    if (compile_throws) throw std::runtime_error("no compiler");
    if (!is_apart) return nullptr;
    ++compiles;
    return std::make_unique<Ready>(*this, module);
  }

 private:
  class Ready : public Executable {
   public:
    Ready(Counting& backend, const Module& module)
        : backend_(backend), module_(module) {}

    Outcome run(std::span<const Buffer> arguments) override {
      return backend_.run(module_, arguments);
    }

   private:
    Counting& backend_;
    const Module& module_;
  };
};

struct Fixture {
  std::shared_ptr<Counting> backend = std::make_shared<Counting>();

  TimedRuns run(int times, Seconds most = Seconds(60),
                Looks looks = Looks::kAfterEach) const {
    Module module = text::parse("ENTRY e { ROOT r = s32[] constant(7) }\n");
    verify(module);
    return run_timed(
        {.backend = backend,
         .module = std::make_shared<const Module>(std::move(module)),
         .arguments = {}},
        times, most, looks);
  }
};

TEST(TimedRuns, CompileOnceWhereThatIsApart) {
  const Fixture fixture;
  const TimedRuns timed = fixture.run(3);
  EXPECT_TRUE(timed.compile.has_value());
  EXPECT_EQ(timed.runs.size(), 3U);
  EXPECT_EQ(fixture.backend->compiles, 1);
  EXPECT_EQ(fixture.backend->calls, 3);
  EXPECT_FALSE(timed.start.has_value());
  EXPECT_EQ(timed.others, 0);
  ASSERT_TRUE(timed.memory && timed.memory_before);
  EXPECT_GE(*timed.memory, *timed.memory_before);
}

TEST(TimedRuns, SayWhereItIsNot) {
  const Fixture fixture;
  fixture.backend->is_apart = false;
  const TimedRuns timed = fixture.run(1);
  EXPECT_FALSE(timed.compile.has_value());
  EXPECT_EQ(timed.runs.size(), 1U);
}

TEST(TimedRuns, CountRunsWithOtherResults) {
  const Fixture fixture;
  fixture.backend->constant_until = 2;
  const TimedRuns timed = fixture.run(5);
  EXPECT_EQ(timed.others, 3);
  const auto first = std::get<std::vector<Literal>>(timed.result);
  const auto other = std::get<std::vector<Literal>>(*timed.other);
  EXPECT_EQ(print_bits(first.at(0)), "s32[] 00000007");
  EXPECT_EQ(print_bits(other.at(0)), "s32[] 00000003");
}

TEST(TimedRuns, LookAtTheLastOfThoseInARow) {
  const Fixture fixture;
  fixture.backend->constant_until = 2;
  const TimedRuns timed = fixture.run(5, Seconds(60), Looks::kAfterTheLast);
  EXPECT_EQ(timed.runs.size(), 5U);
  EXPECT_EQ(fixture.backend->calls, 5);
  EXPECT_EQ(timed.others, 1);
  const auto other = std::get<std::vector<Literal>>(*timed.other);
  EXPECT_EQ(print_bits(other.at(0)), "s32[] 00000005");
}

TEST(TimedRuns, EndARowWithTheFirstThatFails) {
  const Fixture fixture;
  fixture.backend->throws_at = 3;
  const TimedRuns timed = fixture.run(5, Seconds(60), Looks::kAfterTheLast);
  EXPECT_EQ(timed.runs.size(), 2U);
  EXPECT_EQ(fixture.backend->calls, 3);
  EXPECT_EQ(std::get<Failure>(timed.result).kind, Failure::Kind::kCrashed);
}

TEST(TimedRuns, GiveThoseInARowTheTimeOfAll) {
  const Fixture fixture;
  fixture.backend->sleeps = 0.1;
  const TimedRuns timed = fixture.run(4, Seconds(0.25), Looks::kAfterTheLast);
  EXPECT_EQ(timed.runs.size(), 4U);
  EXPECT_FALSE(std::holds_alternative<Failure>(timed.result));
}

TEST(TimedRuns, EndWithTheFirstThatFails) {
  const Fixture fixture;
  fixture.backend->throws_at = 2;
  const TimedRuns timed = fixture.run(5);
  EXPECT_EQ(timed.runs.size(), 1U);
  EXPECT_EQ(fixture.backend->calls, 2);
  EXPECT_EQ(std::get<Failure>(timed.result).kind, Failure::Kind::kCrashed);
}

TEST(TimedRuns, EndWhereNothingCanBeCompiled) {
  const Fixture fixture;
  fixture.backend->compile_throws = true;
  const TimedRuns timed = fixture.run(5);
  EXPECT_EQ(fixture.backend->calls, 0);
  EXPECT_NE(std::get<Failure>(timed.result).message.find("no compiler"),
            std::string::npos);
}

TEST(TimedRuns, LeaveARunAloneThatTakesTooLong) {
  const Fixture fixture;
  fixture.backend->sleeps = 0.3;
  const TimedRuns timed = fixture.run(5, Seconds(0.05));
  EXPECT_TRUE(timed.runs.empty());
  EXPECT_FALSE(timed.memory.has_value());
  EXPECT_EQ(std::get<Failure>(timed.result).message, "no answer within 0.05 s");
}

TEST(TimedRuns, HaveAMedian) {
  EXPECT_EQ(median({5}), 5);
  EXPECT_EQ(median({5, 1, 9}), 5);
  EXPECT_EQ(median({8, 1, 2, 4}), 3);
}

TEST(TimedRuns, TellTimesInAUnitThatSuitsThem) {
  EXPECT_EQ(time_text(0), "0.00 us");
  EXPECT_EQ(time_text(0.00000125), "1.25 us");
  EXPECT_EQ(time_text(0.0125), "12.50 ms");
  EXPECT_EQ(time_text(75), "75.00 s");
}

}  // namespace
}  // namespace hlo::conformance
