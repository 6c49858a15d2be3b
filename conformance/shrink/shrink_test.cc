#include "conformance/shrink/shrink.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "backends/backend.h"
#include "conformance/expect/expect_module.h"
#include "conformance/levels/profile_text.h"
#include "conformance/shrink/folder_page.h"
#include "conformance/shrink/jax_line.h"
#include "conformance/shrink/reproducer.h"
#include "conformance/shrink/testing/faulty_backend.h"
#include "interpreter/devices/devices.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

TEST(Shrink, EndsWithTheInstructionThatIsWrong) {
  const Shrunk shrunk = shrink(program(), faulty(spoil_products), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(describe(*shrunk.kind), "differs: wrong number");
  EXPECT_EQ(shrunk.smallest.program.hlo, R"(HloModule extracted

ENTRY %main {
  %operand.0 = f32[] parameter(0)
  %operand.1 = f32[] parameter(1)
  ROOT %p = f32[] multiply(%operand.0, %operand.1)
}
)");
  ASSERT_EQ(shrunk.smallest.program.inputs.size(), 2);
  for (const Literal& input : shrunk.smallest.program.inputs) {
    EXPECT_EQ(input.scalar().bits[0], 0);
  }
  EXPECT_EQ(shrunk.after.instructions, 1);
  EXPECT_EQ(shrunk.after.elements, 1);
  EXPECT_EQ(shrunk.before.instructions, 6);
  EXPECT_EQ(shrunk.before.elements, 24);
}

TEST(Shrink, KeepsInstructionsThatFailTogetherOnly) {
  const auto together = [](const Module& module,
                           std::vector<Literal>& results) {
    if (has(module, "negate")) spoil_products(module, results);
  };
  const Shrunk shrunk = shrink(program(), faulty(together), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.instructions, 2) << shrunk.smallest.program.hlo;
  EXPECT_EQ(shrunk.after.elements, 1);
  EXPECT_FALSE(shrunk.stated.asks_reference);
}

TEST(Shrink, IsTheSameEachTime) {
  const Shrunk one = shrink(program(), faulty(spoil_products), {});
  const Shrunk two = shrink(program(), faulty(spoil_products), {});
  EXPECT_EQ(print_case(one.stated), print_case(two.stated));
  EXPECT_EQ(one.asked, two.asked);
}

TEST(Shrink, SlidesToNoOtherFailure) {
  // One of fewer than 8 elements is refused, which is another failure.
  const auto refuses = [](const Module& module, std::vector<Literal>& results) {
    spoil_products(module, results);
    if (results[0].element_count() < 8) {
      throw Failure{Failure::Kind::kError, "", "out of luck"};
    }
  };
  Program start = program();
  Edit edit(start);
  for (const auto& one : edit.entry().instructions) {
    if (one->op->name == "multiply") edit.entry().root = one.get();
  }
  start = edit.finish();
  const Shrunk shrunk = shrink(start, faulty(refuses), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.kind->verdict, Verdict::kDiffers);
  EXPECT_EQ(shrunk.after.elements, 8) << shrunk.smallest.program.hlo;
}

TEST(Shrink, DoesNotTakeWhatFailsOnce) {
  int64_t runs = 0;
  const auto flaky = [&](const Module& module, std::vector<Literal>& results) {
    // The program itself always fails, what is smaller the first time only.
    const bool is_whole = results.size() == 2;
    if (is_whole || runs++ % 2 == 0) spoil_products(module, results);
  };
  const Shrunk shrunk = shrink(program(), faulty(flaky), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_GT(shrunk.flaky, 0);
  EXPECT_EQ(text::parse(shrunk.smallest.program.hlo)
                .entry->root->shape.tuple_shapes.size(),
            2);
  EXPECT_NE(shrink_report(shrunk).find("flaky"), std::string::npos);
}

TEST(Shrink, TakesNothingThatFailsNowAndThen) {
  int64_t runs = 0;
  const auto flaky = [&](const Module& module, std::vector<Literal>& results) {
    if (runs++ % 2 == 0) spoil_products(module, results);
  };
  EXPECT_FALSE(shrink(program(), faulty(flaky), {}).kind);
  EXPECT_FALSE(shrink(program(), faulty([](const Module&, auto&) {}), {}).kind);
}

TEST(Shrink, KeepsTheSignalOfACrash) {
  const auto dies = [](const Module& module, std::vector<Literal>&) {
    if (!has(module, "multiply")) return;
    throw Failure{Failure::Kind::kCrashed, "",
                  fmt::format("the worker was ended by the signal {} without "
                              "an answer",
                              has(module, "negate") ? 11 : 6)};
  };
  const Shrunk shrunk = shrink(program(), faulty(dies), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(describe(*shrunk.kind), "crashed: signal 11");
  EXPECT_EQ(shrunk.after.instructions, 2) << shrunk.smallest.program.hlo;
}

TEST(Shrink, SurvivesABackendThatHangs) {
  const auto hangs = [](const Module& module, std::vector<Literal>&) {
    if (has(module, "multiply")) {
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  };
  const Shrunk shrunk =
      shrink(program(), faulty(hangs), {.most = Seconds(0.1), .candidates = 8});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(describe(*shrunk.kind), "crashed: no answer in time");
  EXPECT_EQ(shrunk.after.instructions, 1) << shrunk.smallest.program.hlo;
}

/// An element-wise program of arrays like the input.
Program applied(const std::string& operation, const Literal& input) {
  const std::string shape = to_string(input.shape(), false);
  const std::string both = operation == "add" ? "x, y" : "x";
  Edit edit({.hlo = fmt::format("ENTRY e {{ x = {0} parameter(0)\n"
                                "  y = {0} parameter(1)\n"
                                "  ROOT r = {0} {1}({2}) }}",
                                shape, operation, both),
             .inputs = {input, input}});
  return edit.finish();
}

TEST(Shrink, MakesAComparatorOfComplexNumbersOneOfRealNumbers) {
  const auto reverses = [](const Module& module,
                           std::vector<Literal>& results) {
    if (!has(module, "sort")) return;
    const Scalar first = results.back().at(0);
    results.back().set(0, results.back().at(1));
    results.back().set(1, first);
  };
  Edit edit(
      {.hlo = R"(
  by_real { a = c64[] parameter(0)  b = c64[] parameter(1)
            i = s32[] parameter(2)  j = s32[] parameter(3)
            x = f32[] real(a)  y = f32[] real(b)
            ROOT c = pred[] compare(x, y), direction=LT }
  ENTRY e { k = c64[2] parameter(0)  i = s32[2] parameter(1)
            ROOT r = (c64[2], s32[2]) sort(k, i), dimensions={0},
              is_stable=true, to_apply=by_real }
)",
       .inputs = {text::parse_literal_with_shape("c64[2] {(3, 1), (3, 2)}"),
                  text::parse_literal_with_shape("s32[2] {0, 1}")}});
  const Shrunk shrunk = shrink(edit.finish(), faulty(reverses), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.instructions, 2) << shrunk.smallest.program.hlo;
  EXPECT_EQ(shrunk.smallest.program.hlo.find("c64"), std::string::npos);
}

TEST(Shrink, ShrinksEqualDimensionsOneByOne) {
  Literal input(Shape::array(ElementType::kS32, {9, 9}));
  const int64_t place = 1 * 9 + 7;  // far from the diagonal
  input.set(place,
            text::parse_literal("38", Shape::scalar(input.type())).scalar());
  const auto spoils_76 = [](const Module&, std::vector<Literal>& results) {
    for (Literal& result : results) {
      for (int64_t i = 0; i < result.element_count(); ++i) {
        Scalar element = result.at(i);
        element.bits[0] += element.bits[0] == 76 ? 1 : 0;
        result.set(i, element);
      }
    }
  };
  const Shrunk shrunk = shrink(applied("add", input), faulty(spoils_76), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.elements, 1) << shrunk.smallest.program.hlo;
}

TEST(Shrink, KeepsTheTypeOfAResultThatOperandsLeaveFree) {
  Edit edit({.hlo = "ENTRY e { x = f64[3] parameter(0)\n"
                    "  ROOT r = f16[3] multiply(x, x) }",
             .inputs = {text::parse_literal_with_shape("f64[3] {1,2,3}")}});
  const auto spoils_f16 = [](const Module& module,
                             std::vector<Literal>& results) {
    if (results[0].type() == ElementType::kF16) spoil_products(module, results);
  };
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils_f16), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.elements, 1) << shrunk.smallest.program.hlo;
}

TEST(Shrink, TakesACalledComputationByItself) {
  Edit edit({.hlo = "body {\n  x = s32[1] parameter(0)\n"
                    "  c = s32[1] parameter(1)\n"
                    "  s = s32[1] multiply(x, c)\n"
                    "  ROOT r = (s32[1], s32[1]) tuple(s, s)\n}\n"
                    "ENTRY e {\n  p = s32[1,1] parameter(0)\n"
                    "  q = s32[1] parameter(1)\n"
                    "  ROOT r = (s32[1,1], s32[1]) scan(p, q), dimensions={0},"
                    " num_carries=1, to_apply=body\n}\n",
             .inputs = {text::parse_literal_with_shape("s32[1,1] {{3}}"),
                        text::parse_literal_with_shape("s32[1] {5}")}});
  const auto spoils_15 = [](const Module& module,
                            std::vector<Literal>& results) {
    if (text::print(module).find("multiply") == std::string::npos) return;
    for (Literal& result : results) {
      Scalar element = result.at(0);
      element.bits[0] += element.bits[0] == 15 ? 1 : 0;
      result.set(0, element);
    }
  };
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils_15), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.instructions, 1) << shrunk.smallest.program.hlo;
}

TEST(Shrink, KeepsTheSetOfTheCaseUntilACandidateIsTaken) {
  constexpr uint64_t kTanhOfHalf =
      0x3eec9a9f;  // 0.46211715726000975850 by mpmath
  const auto one_off = [](const Module& module, std::vector<Literal>& results) {
    if (!has(module, "tanh")) return;
    Scalar element = results[0].scalar();
    element.bits[0] += element.bits[0] == kTanhOfHalf ? 1 : 0;
    results[0].set(0, element);
  };
  const Program program =
      applied("tanh", text::parse_literal_with_shape("f32[] 0.5"));
  EXPECT_FALSE(shrink(program, faulty(one_off), {}).kind);
  Case stated = case_of(program, {});
  stated.id = "tanh/f32/half";
  stated.asks_reference = false;
  stated.expect = {
      ArraySet{.value = text::parse_literal_with_shape("f32[] 0.46211717")}};
  const Shrunk shrunk = shrink(program, faulty(one_off), {.stated = stated});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_TRUE(shrunk.is_only_stated);
  EXPECT_EQ(shrunk.taken, 0);
  EXPECT_EQ(shrunk.stated.id, "tanh/f32/half");
  EXPECT_NE(shrink_report(shrunk).find("wrong by the set of its case"),
            std::string::npos);
}

TEST(Edit, KeepsParametersWithoutArrays) {
  Edit edit({.hlo = "ENTRY e {\n  p = (()) parameter(0)\n"
                    "  ROOT r = () get-tuple-element(p), index=0\n}\n",
             .inputs = {}});
  EXPECT_NE(edit.finish().hlo.find("parameter(0)"), std::string::npos);
}

/// The line of JAX for two operands that are the same.
std::string jax_line_of(const std::string& operation, const std::string& shape,
                        const std::string& value) {
  Edit edit({.hlo = fmt::format("ENTRY e {{ x = {1} parameter(0)\n"
                                "  ROOT r = {1} {0}(x, x) }}",
                                operation, shape),
             .inputs = {text::parse_literal_with_shape(shape + " " + value)}});
  return jax_line(edit.finish());
}

// As JAX 0.10 has it: `jax.lax.pow` refuses a base of integers, and `add` and
// `mul` booleans.
TEST(JaxLine, LeavesOutWhatJaxRefuses) {
  EXPECT_NE(jax_line_of("power", "f32[]", "2").find("jax.lax.pow"),
            std::string::npos);
  EXPECT_EQ(jax_line_of("power", "s32[]", "2"), "");
  EXPECT_EQ(jax_line_of("power", "u8[]", "2"), "");
  EXPECT_EQ(jax_line_of("add", "pred[]", "true"), "");
  EXPECT_EQ(jax_line_of("multiply", "pred[]", "true"), "");
  EXPECT_NE(jax_line_of("maximum", "pred[]", "true").find("jax.lax.max"),
            std::string::npos);
  EXPECT_NE(jax_line_of("add", "s32[]", "2").find("jax.lax.add"),
            std::string::npos);
}

TEST(Shrink, SaysWhatEndedIt) {
  const Shrunk few =
      shrink(program(), faulty(spoil_products), {.candidates = 1});
  EXPECT_TRUE(few.is_out_of_candidates);
  EXPECT_EQ(few.asked, 1);
  EXPECT_NE(shrink_report(few).find("number of candidates ended it"),
            std::string::npos);
  const auto slow = [](const Module& module, std::vector<Literal>& results) {
    spoil_products(module, results);
    std::this_thread::sleep_for(std::chrono::milliseconds(
        module.entry->instructions.size() < 6 ? 2000 : 1));
  };
  const Shrunk late = shrink(program(), faulty(slow), {.time = Seconds(1)});
  ASSERT_TRUE(late.kind);
  EXPECT_TRUE(late.is_out_of_time);
  EXPECT_EQ(describe(*late.kind), "differs: wrong number");
  EXPECT_NE(shrink_report(late).find("time ended it"), std::string::npos);
}

TEST(Shrink, EndsInItsTimeWhereNothingIsKnownOfTheProgram) {
  const auto hangs = [](const Module&, std::vector<Literal>&) {
    std::this_thread::sleep_for(std::chrono::seconds(2));
  };
  const auto begin = std::chrono::steady_clock::now();
  for (const double time : {-1.0, 0.0, 0.2}) {
    const Shrunk shrunk =
        shrink(program(), faulty(hangs), {.time = Seconds(time)});
    EXPECT_FALSE(shrunk.kind) << "it is not known to be late";
    EXPECT_TRUE(shrunk.is_out_of_time);
    EXPECT_EQ(shrunk.flaky, 0);
    EXPECT_EQ(shrunk.asked, 0);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

Program gathered() {
  Edit edit({.hlo = R"(HloModule m, replica_count=4
  ENTRY e { x = f32[3] parameter(0)
            n = f32[3] negate(x)
            ROOT r = f32[12] all-gather(n), dimensions={0},
                             replica_groups={{0,1,2,3}} })",
             .inputs = {text::parse_literal_with_shape("f32[3] {1,2,3}"),
                        text::parse_literal_with_shape("f32[3] {4,5,6}"),
                        text::parse_literal_with_shape("f32[3] {7,8,9}"),
                        text::parse_literal_with_shape("f32[3] {7,8,1}")}});
  return edit.finish();
}

void spoil(std::vector<Literal>& results) {
  for (Literal& result : results) {
    Scalar element = result.at(0);
    element.bits[0] ^= 0x800000;
    result.set(0, element);
  }
}

// One element less at a time would take 100 steps from 3/4 of the array on.
TEST(Shrink, ComesToTheLeastSizeInSteps) {
  Edit edit({.hlo = R"(ENTRY e { x = f32[4000] parameter(0)
                               ROOT r = f32[4000] negate(x) })",
             .inputs = {Literal(Shape::array(ElementType::kF32, {4000}))}});
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (has(module, "negate") && results[0].element_count() >= 2900) {
      spoil(results);
    }
  };
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.elements, 2900);
  EXPECT_LE(shrunk.taken, 40);
}

// A transform of 13,440 samples took 47 s to come to 13,313 of them, which is a
// prime number: its length becomes smaller while the array is as it was.
TEST(Shrink, ShortensATransformBeforeItsArray) {
  Edit edit({.hlo = R"(ENTRY e { x = c64[400] parameter(0)
      ROOT r = c64[400] fft(x), fft_type=FFT, fft_length={400} })",
             .inputs = {Literal(Shape::array(ElementType::kC64, {400}))}});
  int64_t longest = 0;  // of those with a smaller array
  const auto spoils = [&](const Module& module, std::vector<Literal>& results) {
    const Instruction& root = *module.entry->root;
    if (!has(module, "fft") || results[0].element_count() < 300) return;
    if (results[0].element_count() < 400) {
      longest = std::max(longest, root.get<Ints>("fft_length").at(0));
    }
    spoil(results);
  };
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.elements, 300) << shrunk.smallest.program.hlo;
  EXPECT_EQ(longest, 1);
}

TEST(FewerDevices, LeaveOneWhereOneFails) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (has(module, "negate")) spoil(results);
  };
  const Shrunk shrunk = shrink(gathered(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  const Module module = verified_module(shrunk.smallest.program.hlo);
  EXPECT_EQ(device_count(module), 1) << shrunk.smallest.program.hlo;
  EXPECT_EQ(shrunk.after.instructions, 1);
  EXPECT_EQ(shrunk.smallest.program.inputs.size(), 1);
}

TEST(FewerDevices, LeaveTwoWhereOneConforms) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (device_count(module) > 1) spoil(results);
  };
  const Shrunk shrunk = shrink(gathered(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  const Module module = verified_module(shrunk.smallest.program.hlo);
  EXPECT_EQ(device_count(module), 2) << shrunk.smallest.program.hlo;
  EXPECT_LE(shrunk.after.elements, 2);
}

// A reproducer judges as the failure was judged, wherever it is called.
TEST(Reproducer, JudgesByTheProfileOfTheFailure) {
  ShrinkOptions options;
  options.profile = parse_profile("exact");
  options.most = Seconds(7);
  const MakeBackend make = faulty(spoil_products);
  const Shrunk shrunk = shrink(program(), make, options);
  for (const auto& [name, text] :
       reproducer_files(shrunk, "process:./worker", make, options)) {
    if (name == "reproduce.sh") {
      EXPECT_NE(text.find("check \"$(dirname \"$0\")/case.jsonl\" --backend "
                          "\"$backend\" --profile 'exact' --timeout 7"),
                std::string::npos)
          << text;
      EXPECT_EQ(text.find("cd "), std::string::npos);
    } else if (name == "README.md") {
      EXPECT_NE(text.find("`assay check case.jsonl --backend "
                          "'process:./worker' --profile 'exact' --timeout 7`"),
                std::string::npos)
          << text;
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
