#include "conformance/judge/run_case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include "backends/registry/make_backend.h"
#include "conformance/judge/golden.h"
#include "conformance/literals/literal_bits.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/model/buffer.h"
#include "interpreter/rules/clone.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// Answers with whatever it is told to.
class Puppet : public Backend {
 public:
  explicit Puppet(Outcome (*answer)(const Module&)) : answer_(answer) {}

  std::string name() const override { return "puppet"; }

  Outcome run(const Module& module, std::span<const Buffer>) override {
    return answer_(module);
  }

 private:
  Outcome (*answer_)(const Module&);
};

Case negate_case() {
  Case c;
  c.id = "negate/f32/x";
  c.hlo =
      "HloModule m\n\nENTRY main {\n  x = f32[2]{0:T(4)} parameter(0)\n"
      "  ROOT r = f32[2]{0} negate(x)\n}\n";
  c.inputs = {parse_bits("f32[2] 3f800000 40000000")};
  c.expect = {ArraySet::computed(parse_bits("f32[2] bf800000 c0000000"))};
  return c;
}

Verdict verdict(const Case& c, Outcome (*answer)(const Module&)) {
  Puppet puppet(answer);
  return run_case(c, puppet).verdict;
}

TEST(Run, JudgesTheReference) {
  const auto reference = make_backend("interpreter:");
  EXPECT_EQ(run_case(negate_case(), *reference).verdict, Verdict::kConforms);
}

Case stablehlo_case(const std::string& line) {
  Case c = negate_case();
  c.hlo = "";
  c.stablehlo = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  " +
                line + "\n  return %r : tensor<2xf32>\n}\n";
  return c;
}

TEST(Run, JudgesProgramsInStablehlo) {
  const auto reference = make_backend("interpreter:");
  const auto verdict_of = [&](const Case& c) {
    return run_case(c, *reference).verdict;
  };
  const Case good = stablehlo_case("%r = stablehlo.negate %x : tensor<2xf32>");
  EXPECT_EQ(verdict_of(good), Verdict::kConforms);
  EXPECT_EQ(verify_golden(good), "");
  EXPECT_EQ(verdict_of(stablehlo_case("%r = stablehlo.abs %x : tensor<2xf32>")),
            Verdict::kDiffers);
  Case wrong = stablehlo_case("%r = stablehlo.negat %x : tensor<2xf32>");
  EXPECT_EQ(verdict_of(wrong), Verdict::kRejectedWrongly);
  EXPECT_NE(verify_golden(wrong), "");
  wrong.expect = {RejectedSet{"stablehlo.operation"}};
  EXPECT_EQ(verdict_of(wrong), Verdict::kRefused);
  EXPECT_EQ(verify_golden(wrong), "");
}

TEST(Run, ShowsWhereAProgramIsWrong) {
  const auto reference = make_backend("interpreter:");
  Case c = negate_case();
  c.hlo.replace(c.hlo.find("negate"), 6, "frob");
  const std::string message =
      "text.opcode: there is no operation 'frob' (line 5, column 22 of the "
      "program)\n    ROOT r = f32[2]{0} frob(x)\n" +
      std::string(23, ' ') + "^";
  EXPECT_EQ(run_case(c, *reference).message, message);
  EXPECT_NE(verify_golden(c).find(message), std::string::npos);
  c.expect = {RejectedSet{"text.opcode"}};
  EXPECT_EQ(run_case(c, *reference).message, "there is no operation 'frob'");
  const Case other = stablehlo_case("%r = stablehlo.frob %x : tensor<2xf32>");
  EXPECT_NE(run_case(other, *reference)
                .message.find("(line 2, column 8 of the program)\n    %r = "),
            std::string::npos);
}

TEST(Run, CatchesWhatABackendThrows) {
  EXPECT_EQ(verdict(negate_case(),
                    [](const Module&) -> Outcome {
                      throw std::runtime_error("broken");
                    }),
            Verdict::kCrashed);
  EXPECT_EQ(verdict(negate_case(),
                    [](const Module&) -> Outcome { throw std::bad_alloc(); }),
            Verdict::kError);
  EXPECT_EQ(verdict(negate_case(), [](const Module&) -> Outcome { throw 3; }),
            Verdict::kCrashed);
}

std::vector<Buffer> values_of(const Module& module, const std::string& text) {
  return {store(parse_bits(text), result_shapes(module)[0])};
}

/// The verdict of a second run whose outcome is another one.
std::optional<Verdict> again(Outcome (*answer)(const Module&)) {
  Puppet puppet(answer);
  return run_case(negate_case(), puppet).again;
}

TEST(Run, LabelsWhatDoesNotFailTheSameWayTwice) {
  EXPECT_EQ(again([](const Module& module) -> Outcome {
              static int runs = 0;
              if (runs++ == 0) throw std::runtime_error("once");
              return values_of(module, "f32[2] bf800000 c0000000");
            }),
            Verdict::kConforms);
  EXPECT_EQ(again([](const Module& module) -> Outcome {
              static int runs = 0;
              return values_of(module, runs++ == 0
                                           ? "f32[2] 00000000 00000000"
                                           : "f32[2] 00000000 3f800000");
            }),
            Verdict::kDiffers);
}

TEST(Run, LabelsNothingThatFailsTheSameWayTwice) {
  EXPECT_EQ(again([](const Module& module) -> Outcome {
              return values_of(module, "f32[2] 00000000 7fc00001");
            }),
            std::nullopt);
  EXPECT_EQ(again([](const Module&) -> Outcome {
              static int runs = 0;
              throw std::runtime_error(std::to_string(runs++));
            }),
            std::nullopt);
}

TEST(Run, RefusesBuffersOfAnotherShapeLayoutOrSize) {
  const auto no_leaf = [](const Module&) -> Outcome {
    return std::vector<Buffer>{};
  };
  const auto other_shape = [](const Module&) -> Outcome {
    return std::vector<Buffer>{
        {Shape::array(ElementType::kF32, {1}), Bytes(4)}};
  };
  const auto short_buffer = [](const Module& module) -> Outcome {
    return std::vector<Buffer>{{result_shapes(module)[0], {}}};
  };
  EXPECT_EQ(verdict(negate_case(), no_leaf), Verdict::kWrongShape);
  EXPECT_EQ(verdict(negate_case(), other_shape), Verdict::kWrongShape);
  EXPECT_EQ(verdict(negate_case(), short_buffer), Verdict::kWrongShape);
}

TEST(Run, TellsInputsThatDoNotFit) {
  Case c = negate_case();
  c.inputs = {};
  const auto reference = make_backend("interpreter:");
  EXPECT_EQ(run_case(c, *reference).verdict, Verdict::kError);
}

std::unique_ptr<Backend> make_reference() {
  return make_backend("interpreter:");
}

TEST(Run, ReportsEachCaseOnce) {
  std::vector<Case> cases(50, negate_case());
  std::set<const Case*> reported;
  run_cases(cases, make_reference,
            [&](const Case& c, const CaseResult& r) {
              reported.insert(&c);
              EXPECT_EQ(r.judgement.verdict, Verdict::kConforms);
            },
            {.jobs = 3});
  EXPECT_EQ(reported.size(), 50U);
}

TEST(Run, EndsWhereAReportThrows) {
  const std::vector<Case> cases(50, negate_case());
  int reports = 0;
  const auto report = [&](const Case&, const CaseResult&) {
    if (++reports == 7) throw Error(Phase::kEvaluate, "file.write", "full");
  };
  EXPECT_THROW(run_cases(cases, make_reference, report, {.jobs = 3}), Error);
  EXPECT_EQ(reports, 7);
}

/// What others wait for until it is opened.
class Gate {
 public:
  void let_pass() {
    const std::lock_guard lock(mutex_);
    is_passable_ = true;
    changed_.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_passable_; });
    ++passed_;
    changed_.notify_all();
  }

  void await_passed(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return passed_ == count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_passable_ = false;
  int passed_ = 0;
};

/// Told whether it may take calls at once when a gate lets that pass, and
/// counts its runs.
class Waiting : public Backend {
 public:
  Waiting(Gate& gate, std::atomic<int>& runs) : gate_(gate), runs_(runs) {}

  std::string name() const override { return "waiting"; }

  Outcome run(const Module& module, std::span<const Buffer>) override {
    ++runs_;
    return values_of(module, "f32[2] bf800000 c0000000");
  }

  size_t most_at_once() const override {
    gate_.wait();
    return 1;
  }

 private:
  Gate& gate_;
  std::atomic<int>& runs_;
};

// The second runner begins when the report of the first one is about to throw.
TEST(Run, BeginsNothingAfterAReportThrew) {
  Gate gate;
  std::atomic<int> runs = 0;
  std::atomic<int> made = 0;
  const auto make = [&]() -> std::unique_ptr<Backend> {
    if (made++ == 0) return make_reference();
    return std::make_unique<Waiting>(gate, runs);
  };
  const auto report = [&](const Case&, const CaseResult&) {
    gate.let_pass();
    throw Error(Phase::kEvaluate, "file.write", "full");
  };
  const std::vector<Case> cases(50, negate_case());
  EXPECT_THROW(run_cases(cases, make, report, {.jobs = 2}), Error);
  EXPECT_EQ(runs, 0);
}

/// Takes eight calls at once, and negates wrongly what begins with a 9.
class Crowd : public Backend {
 public:
  using Meet = void (*)(std::span<const Call>);

  explicit Crowd(Meet meet) : meet_(meet) {}

  std::string name() const override { return "crowd"; }

  Outcome run(const Module& module, std::span<const Buffer> inputs) override {
    if (result_shapes(module)[0].element_count() != 2) return Failure();
    const float first = load(inputs[0]).data<float>()[0];
    const auto bits = std::bit_cast<uint32_t>(first == 9 ? first : -first);
    return values_of(module, fmt::format("f32[2] {:08x} c0000000", bits));
  }

  size_t most_at_once() const override { return 8; }

  std::vector<Outcome> run_all(std::span<const Call> calls) override {
    meet_(calls);
    return Backend::run_all(calls);
  }

 private:
  Meet meet_;
};

/// Cases of which some are refused, some fail and one cannot be run.
std::vector<Case> mixed_cases() {
  std::vector<Case> cases;
  for (uint32_t k = 0; k < 30; ++k) {
    const auto bits = [k](float sign) {
      return std::bit_cast<uint32_t>(sign * static_cast<float>(k % 11));
    };
    Case c = negate_case();
    c.id = fmt::format("negate/f32/{}", k);
    c.inputs = {parse_bits(fmt::format("f32[2] {:08x} 40000000", bits(1)))};
    c.expect = {ArraySet::computed(
        parse_bits(fmt::format("f32[2] {:08x} c0000000", bits(-1))))};
    if (k % 7 == 3) c.hlo.replace(c.hlo.find("negate"), 6, "frob");
    if (k == 17) c.inputs = {};
    cases.push_back(std::move(c));
  }
  return cases;
}

/// The ids, verdicts and messages of a run, in order.
std::vector<std::string> told(const std::vector<Case>& cases,
                              const MakeBackend& make,
                              const Running& running = {}) {
  std::vector<std::string> lines;
  run_cases(
      cases, make,
      [&](const Case& c, const CaseResult& r) {
        lines.push_back(fmt::format("{} {} {}", c.id, name(r.judgement.verdict),
                                    r.judgement.message));
      },
      running);
  return lines;
}

std::vector<std::string> told_alone(const std::vector<Case>& cases) {
  std::vector<std::string> lines;
  Crowd crowd([](std::span<const Call>) {});
  for (const Case& c : cases) {
    const Judgement judgement = run_case(c, crowd);
    lines.push_back(fmt::format("{} {} {}", c.id, name(judgement.verdict),
                                judgement.message));
  }
  return lines;
}

TEST(Run, JudgesCasesTogetherAsAlone) {
  static size_t together = 0;
  const std::vector<Case> cases = mixed_cases();
  const auto lines = told(cases, [] {
    return std::make_unique<Crowd>([](std::span<const Call> calls) {
      together = std::max(together, calls.size());
    });
  });
  EXPECT_EQ(lines, told_alone(cases));
  EXPECT_EQ(std::ranges::count(lines, std::string("negate/f32/9 differs ")), 1);
  EXPECT_EQ(together, 7U);  // one of the first eight is refused
}

TEST(Run, JudgesAloneWhatThrowsTogether) {
  const std::vector<Case> cases = mixed_cases();
  EXPECT_EQ(told(cases,
                 [] {
                   return std::make_unique<Crowd>([](std::span<const Call>) {
                     throw std::runtime_error("too many");
                   });
                 }),
            told_alone(cases));
}

TEST(Run, RunsNoMoreTogetherThanIsSmall) {
  static size_t together = 0;
  Case c = negate_case();
  c.hlo =
      "HloModule m\n\nENTRY main {\n  x = f32[2]{0} parameter(0)\n"
      "  ROOT r = f32[5000000]{0} iota(), iota_dimension=0\n}\n";
  run_cases(
      std::vector<Case>(8, c),
      [] {
        return std::make_unique<Crowd>([](std::span<const Call> calls) {
          together = std::max(together, calls.size());
        });
      },
      [](const Case&, const CaseResult&) {});
  EXPECT_EQ(together, 4U);  // of 20 MB each, of which 64 MiB hold three
}

/// What the runs that do not end wait for.
Gate gate;

/// Answers, but in one run of seven not before the gate lets them pass.
std::unique_ptr<Backend> make_stuck() {
  static std::atomic<int> runs = 0;
  return std::make_unique<Puppet>([](const Module& module) -> Outcome {
    if (runs++ % 7 == 3) gate.wait();
    return std::vector<Buffer>{store(parse_bits("f32[2] bf800000 c0000000"),
                                     result_shapes(module)[0])};
  });
}

TEST(Run, GoesOnWhereACaseDoesNotEnd) {
  const std::vector<Case> cases(20, negate_case());
  const int left_alone = Worker::left_alone();
  int conform = 0;
  int crashed = 0;
  const auto report = [&](const Case&, const CaseResult& r) {
    const bool is_crashed = r.judgement.verdict == Verdict::kCrashed;
    ++(is_crashed ? crashed : conform);
    EXPECT_EQ(r.judgement.message, is_crashed ? "no answer within 3 s" : "");
  };
  run_cases(cases, make_stuck, report, {.jobs = 2, .most = Seconds(3)});
  EXPECT_EQ(crashed, 3);
  EXPECT_EQ(conform, 17);
  EXPECT_EQ(Worker::left_alone(), left_alone + 3);
  gate.let_pass();
  gate.await_passed(3);
}

TEST(Run, JudgesAloneWhatDoesNotEndTogether) {
  static Gate crowded;
  const int left_alone = Worker::left_alone();
  const std::vector<Case> cases = mixed_cases();
  const std::vector<Case> eight(cases.begin(), cases.begin() + 8);
  EXPECT_EQ(told(eight,
                 [] {
                   return std::make_unique<Crowd>(
                       [](std::span<const Call>) { crowded.wait(); });
                 },
                 {.most = Seconds(2)}),
            told_alone(eight));
  EXPECT_EQ(Worker::left_alone(), left_alone + 1);
  crowded.let_pass();
  crowded.await_passed(1);
}

TEST(Run, KnowsNoOtherBackends) {
  EXPECT_THROW(make_backend("npu"), Error);
  EXPECT_THROW(make_backend("mutant:none"), Error);
}

}  // namespace
}  // namespace hlo::conformance
