#include "interpreter/arithmetic_state.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <cfenv>
#include <string>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/foreign/custom_calls.h"
#include "interpreter/stablehlo/import/import.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

/// A state that libraries leave, and a word of its description.
struct Hostile {
  ArithmeticState state;
  std::string word;
};

ArithmeticState rounding(int mode) {
  const ReferenceArithmetic restored;
  std::fesetround(mode);
  return current_arithmetic();
}

ArithmeticState with_control(uint64_t bits) {
  ArithmeticState state = reference_arithmetic();
  state.control ^= bits;
  return state;
}

ArithmeticState with_exponents(int64_t least, int64_t most) {
  ArithmeticState state = reference_arithmetic();
  state.least_exponent = least;
  state.most_exponent = most;
  return state;
}

std::vector<Hostile> hostile_states() {
  std::vector<Hostile> states = {
      {rounding(FE_UPWARD), "rounds upward"},
      {rounding(FE_DOWNWARD), "rounds downward"},
      {rounding(FE_TOWARDZERO), "rounds toward zero"},
      {with_exponents(-148, 128), "exponents from -148 to 128"}};
#if defined(__x86_64__)
  constexpr uint64_t kX87 = uint64_t{1} << 32;
  states.push_back({with_control(0x8000), "FTZ"});
  states.push_back({with_control(0x0040), "DAZ"});
  states.push_back({with_control(0xe040), "rounds toward zero"});
  states.push_back({with_control(0x0300 * kX87), "24 bits in x87"});
  states.push_back({with_control(0x0800 * kX87), "upward in x87"});
  states.push_back({with_control(0x1f80), "traps"});
#endif
  return states;
}

#if defined(__x86_64__)
// As foreign code may leave it: 1/0 has happened in x87, and now ends programs
// that use it.
TEST(ArithmeticState, IsRestoredWhereATrapIsDue) {
  volatile long double zero = 0;
  const volatile long double infinite = 1 / zero;
  EXPECT_GT(infinite, 1);
  const uint16_t with_traps = 0x0340;
  __asm__ volatile("fldcw %0" : : "m"(with_traps));
  set_arithmetic(reference_arithmetic());
  EXPECT_EQ(current_arithmetic(), reference_arithmetic());
}
#endif

/// The calling thread computes under `state` while it lives.
class Under {
 public:
  explicit Under(const ArithmeticState& state) { set_arithmetic(state); }

  ~Under() { set_arithmetic(before_); }

  Under(const Under&) = delete;
  Under& operator=(const Under&) = delete;

 private:
  ArithmeticState before_ = current_arithmetic();
};

// 1/3 lies below its neighbour 0x3eaaaaab by a third of a step, and exp(-88) is
// 4320708.29 times 2^-149. 1e-40 is 71362.38 times 2^-149; three times that is
// 214086, and (1 + 2^-23) times it rounds to itself. 1 + 2^-24 is a tie. 0.1
// and 16777217.0000001 are no f32.
constexpr std::string_view kProgram = R"(HloModule m
ENTRY main {
  a = f32[] constant(1)
  b = f32[] constant(3)
  third = f32[] divide(a, b)
  c = f32[] constant(-88)
  small = f32[] exponential(c)
  d = f32[] constant(1e-40)
  triple = f32[] multiply(d, b)
  e = f32[] constant(5.9604644775390625e-08)
  tie = f32[] add(a, e)
  tenth = f32[] constant(0.1)
  large = f32[] constant(16777217.0000001)
  wide = f64[] constant(0.1)
  sine = f64[] sine(wide)
  ROOT r = (f32[], f32[], f32[], f32[], f32[], f32[], f64[]) tuple(third, small, triple, tie, tenth, large, sine)
})";

std::vector<uint64_t> bits_of(const Literal& tuple) {
  std::vector<uint64_t> bits;
  for (const Literal& element : tuple.elements()) {
    bits.push_back(element.scalar().bits[0]);
  }
  return bits;
}

// sin(0.1 as f64) by mpmath: 0.09983341664682815 = 0x3fb98eaecb8bcb2c.
const std::vector<uint64_t> kBits = {0x3eaaaaab,        0x0041edc4, 0x00034446,
                                     0x3f800000,        0x3dcccccd, 0x4b800001,
                                     0x3fb98eaecb8bcb2c};

TEST(ArithmeticState, SaysWhatIsUnlikeTheReference) {
  EXPECT_EQ(describe(reference_arithmetic()), "");
  for (const Hostile& hostile : hostile_states()) {
    EXPECT_NE(describe(hostile.state).find(hostile.word), std::string::npos)
        << describe(hostile.state);
  }
}

TEST(ArithmeticState, IsTheReferencesAndThenTheCallersAgain) {
  for (const Hostile& hostile : hostile_states()) {
    const Under under(hostile.state);
    EXPECT_EQ(current_arithmetic(), hostile.state) << hostile.word;
    {
      const ReferenceArithmetic arithmetic;
      EXPECT_EQ(current_arithmetic(), reference_arithmetic()) << hostile.word;
      EXPECT_EQ(arithmetic.found(), hostile.state) << hostile.word;
    }
    EXPECT_EQ(current_arithmetic(), hostile.state) << hostile.word;
  }
}

TEST(ArithmeticState, OfTheCallerChangesNoBit) {
  for (const Hostile& hostile : hostile_states()) {
    for (const PlanSet& plans : {PlanSet::all(), PlanSet::none()}) {
      const Under under(hostile.state);
      const Module module = verified_module(kProgram);
      const Literal result = evaluate(module, {}, {.plans = plans});
      Evaluator evaluator(kReference, {.plans = plans});
      const Literal same = evaluator.run(*module.entry, {});
      EXPECT_EQ(current_arithmetic(), hostile.state) << hostile.word;
      const ReferenceArithmetic arithmetic;
      EXPECT_EQ(bits_of(result), kBits) << hostile.word;
      EXPECT_EQ(bits_of(same), kBits) << hostile.word;
    }
  }
}

TEST(ArithmeticState, OfTheCallerChangesNoText) {
  const Module module = verified_module(kProgram);
  const std::string text = text::print(module);
  for (const Hostile& hostile : hostile_states()) {
    const Under under(hostile.state);
    const std::string again = text::print(verified_module(kProgram));
    const Module imported = stablehlo::import_text(
        "func.func @main() -> tensor<f32> {\n"
        "  %x = stablehlo.constant dense<16777217.0000001> : tensor<f32>\n"
        "  return %x : tensor<f32>\n}\n");
    const Literal value = evaluate(imported, {});
    const ReferenceArithmetic arithmetic;
    EXPECT_EQ(again, text) << hostile.word;
    EXPECT_EQ(value.scalar().bits[0], 0x4b800001) << hostile.word;
  }
}

ArithmeticState left_behind;

extern "C" void leave_state(void* out, void** in) {
  *static_cast<float*>(out) = *static_cast<float*>(in[0]);
  set_arithmetic(left_behind);
}

bool is_noted(const std::string& words) {
  return std::ranges::any_of(arithmetic_notes(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

TEST(ArithmeticState, OfAFunctionIsUndoneAndNoted) {
  const Module module = verified_module(R"(HloModule m
ENTRY main {
  a = f32[] constant(1)
  b = f32[] custom-call(a), custom_call_target="leave_state"
  c = f32[] constant(3)
  third = f32[] divide(b, c)
  ROOT r = (f32[], f32[]) tuple(third, third)
})");
  CustomCalls functions;
  functions.add("leave_state", leave_state);
  for (const Hostile& hostile : hostile_states()) {
    left_behind = hostile.state;
    const Literal result = evaluate(module, {}, {.custom_calls = &functions});
    EXPECT_EQ(current_arithmetic(), reference_arithmetic()) << hostile.word;
    EXPECT_EQ(bits_of(result)[0], 0x3eaaaaab) << hostile.word;
    EXPECT_TRUE(
        is_noted("the function \"leave_state\" changed how a thread "
                 "computes: it " +
                 describe(hostile.state)))
        << hostile.word;
  }
}

TEST(ArithmeticState, OfAnObserverAndOfWhatIsFedInIsUndone) {
  const Module module = verified_module(R"(HloModule m
ENTRY main {
  t = token[] after-all()
  i = (f32[], token[]) infeed(t)
  a = f32[] get-tuple-element(i), index=0
  c = f32[] constant(3)
  third = f32[] divide(a, c)
  ROOT r = (f32[], f32[]) tuple(third, third)
})");
  EvaluatorOptions options;
  options.infeed = [](const Shape&) {
    set_arithmetic(left_behind);
    return Literal::of({ElementType::kF32, {0x3f800000, 0}});
  };
  for (const Hostile& hostile : hostile_states()) {
    left_behind = hostile.state;
    options.observer = {};
    EXPECT_EQ(bits_of(evaluate(module, {}, options))[0], 0x3eaaaaab);
    options.observer = [](const Instruction&, Operands, const Literal&) {
      set_arithmetic(left_behind);
    };
    EXPECT_EQ(bits_of(evaluate(module, {}, options))[0], 0x3eaaaaab);
    EXPECT_EQ(current_arithmetic(), reference_arithmetic()) << hostile.word;
  }
}

}  // namespace
}  // namespace hlo
