#include "backends/gpu/run/exact_probe.h"

#include <array>
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

}  // namespace

void require_exact(Memory& memory) {
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
