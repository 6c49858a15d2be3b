#include "backends/gpu/run/exact_probe.h"

#include <array>
#include <bit>
#include <string>

#include "backends/gpu/run/evaluate_program.h"
#include "interpreter/verify/verify.h"

namespace hlo::gpu {
namespace {

struct Question {
  const char* what;
  const char* program;  // of one element
  uint64_t bits;        // of the right answer
};

// The answers are those of IEEE 754: 1/3, the root of 2, 2^-1073 / 2, half of
// the least normal f32, -1 times 0, and the upper half of (2^64 - 1)^2.
constexpr std::array<Question, 6> kQuestions = {{
    {"quotients",
     "x = f64[] constant(1) y = f64[] constant(3) "
     "ROOT r = f64[] divide(x, y)",
     0x3fd5555555555555},
    {"square roots", "x = f64[] constant(2) ROOT r = f64[] sqrt(x)",
     0x3ff6a09e667f3bcd},
    {"subnormal f64",
     "x = f64[] constant(1e-323) y = f64[] constant(0.5) "
     "ROOT r = f64[] multiply(x, y)",
     0x1},
    {"subnormal f32",
     "x = f32[] constant(1.1754943508222875e-38) y = f32[] constant(0.5) "
     "ROOT r = f32[] multiply(x, y)",
     0x00400000},
    {"zeros",
     "x = f64[] constant(-1) y = f64[] constant(0) "
     "ROOT r = f64[] multiply(x, y)",
     0x8000000000000000},
    {"products of 64 bits",
     "x = u64[] constant(18446744073709551615) "
     "ROOT r = u64[] mulhi(x, x)",
     0xfffffffffffffffe},
}};

/// What a compiler that fuses products with sums, or takes sums in another
/// order, makes of numbers that it does not know.
void require_order(Memory& memory) {
  // (1 + 2^-30) (1 - 2^-30) - 1 is 0 in f64 where the product is rounded, and
  // (1 + 2^-53) - 1 where the sum is; 2^-13 and 2^-24 do so in f32.
  const Value codes = new_array(memory, Shape::array(ElementType::kU64, {4}));
  const auto f64 = [](double x) { return std::bit_cast<int64_t>(x); };
  const auto f32 = [](float x) {
    return static_cast<int64_t>(std::bit_cast<uint32_t>(x));
  };
  memory.device().run(
      Kernel::kProbe,
      Ints{1, codes.offset(), f64(1 + 0x1p-30), f64(1 - 0x1p-30), f64(-1),
           f64(1), f64(0x1p-53), f32(1 + 0x1p-13F), f32(1 - 0x1p-13F), f32(-1),
           f32(1), f32(0x1p-24F)},
      1);
  constexpr std::array kWhat = {"products before a sum in f64", "sums in f64",
                                "products before a sum in f32", "sums in f32"};
  const Literal answers = download(memory, codes);
  for (size_t k = 0; k < kWhat.size(); ++k) {
    if (answers.at(static_cast<int64_t>(k)).bits[0] != 0) {
      throw DeviceError(std::string("its ") + kWhat.at(k) +
                        " are not rounded as IEEE 754 says");
    }
  }
}

}  // namespace

void require_exact(Memory& memory) {
  require_order(memory);
  for (const Question& question : kQuestions) {
    const Module module =
        verified_module(std::string("ENTRY main { ") + question.program + " }");
    const Literal answer =
        download(memory, evaluate(memory, *module.entry, {}));
    if (answer.scalar().bits[0] != question.bits) {
      throw DeviceError(std::string("its ") + question.what +
                        " are not those of IEEE 754");
    }
  }
}

}  // namespace hlo::gpu
