#include "backends/gpu/program/tape_text.h"

#include <algorithm>
#include <array>
#include <span>

#include "backends/gpu/program/kernel_codes.h"

namespace hlo::gpu {
namespace {

/// One instruction of a tape, by the fields that codes.inc names.
struct Step {
  int64_t op, type, from, result, a, b, c, extra;
};

Step step_at(const Tape& tape, int64_t k) {
  const auto words =
      std::span(tape.words).subspan(static_cast<size_t>(k * TAPE_WORDS));
  return {words[0], words[1], words[2], words[3],
          words[4], words[5], words[6], words[7]};
}

/// What apply_plain() does for complex numbers, too.
constexpr std::array<int64_t, 10> kPlainOfComplex = {
    OP_COPY,    OP_CONVERT, OP_REAL, OP_IMAG,   OP_COMPLEX,
    OP_COMPARE, OP_NEGATE,  OP_ADD,  OP_SELECT, OP_SUBTRACT};

Base base_of(const Step& step) {
  if (step.op == OP_CONSTANT || step.op == OP_INDEX) return Base::kElements;
  if (step.op >= OP_FAST) return Base::kFunctions;
  if (step.from >= T_C64 || step.type >= T_C64) {
    const bool is_plain =
        std::ranges::find(kPlainOfComplex, step.op) != kPlainOfComplex.end() ||
        (step.op == OP_MULTIPLY && step.type == T_C64);
    return is_plain ? Base::kElements : Base::kAll;
  }
  if (step.op >= OP_EXP) {
    const bool is_real_function =
        step.op <= OP_CBRT || step.op == OP_REAL_POWER || step.op == OP_ATAN2;
    return is_real_function ? Base::kFunctions : Base::kAll;
  }
  const bool is_mixed = step.from != step.type && step.type >= T_F16 &&
                        step.op >= OP_ADD && step.op <= OP_DIVIDE;
  return is_mixed ? Base::kAll : Base::kElements;
}

/// The bits of a constant; hexadecimal constants have the types that hold them.
std::string bits_text(int64_t bits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (auto rest = static_cast<uint64_t>(bits); rest != 0 || text.empty();
       rest /= 16) {
    text.insert(text.begin(), kDigits[rest % 16]);
  }
  return "(u64)0x" + text;
}

std::string call(const std::string& function,
                 std::initializer_list<std::string> arguments) {
  std::string text;
  for (const std::string& argument : arguments) {
    text += (text.empty() ? "" : ", ") + argument;
  }
  return function + "(" + text + ")";
}

std::string number(int64_t value) { return std::to_string(value); }

/// What an instruction computes, of registers `name`K.
std::string value_text(const Step& step, const std::string& name) {
  const std::string type = number(step.type);
  if (step.op == OP_INDEX) {
    return call("convert_cell",
                {type, number(T_S64),
                 call("make_cell", {"(u64)i" + number(step.extra)})});
  }
  const std::string a = name + number(step.a);
  const std::string b = name + number(step.b);
  const Base base = base_of(step);
  if (base == Base::kFunctions) {
    const bool is_fast = step.op >= OP_FAST;
    const std::string op = number(is_fast ? step.op - OP_FAST : step.op);
    return call("make_cell", {call(is_fast ? "fast_value" : "function_of_reals",
                                   {op, type, a + ".re", b + ".re"})});
  }
  return call(base == Base::kAll ? "apply" : "apply_plain",
              {number(step.op), type, number(step.from), a, b,
               name + number(step.c), number(step.extra)});
}

}  // namespace

Base base_of(const Tape& tape) {
  Base base = Base::kElements;
  for (int64_t k = 0; k < tape.length(); ++k) {
    base = std::max(base, base_of(step_at(tape, k)));
  }
  return base;
}

std::string definition(const std::string& to, const std::string& from) {
  return "const cell " + to + " = " + from + ";\n";
}

std::string statements_of(const Tape& tape, std::string_view name) {
  const std::string own(name);
  std::string text;
  for (int64_t k = 0; k < tape.length(); ++k) {
    const Step step = step_at(tape, k);
    const std::string result = own + number(step.result);
    if (step.op == OP_CONSTANT) {
      text += "cell " + result + ";\n" + result + ".re = " + bits_text(step.a) +
              ";\n" + result + ".im = " + bits_text(step.b) + ";\n";
    } else {
      text += definition(result, value_text(step, own));
    }
  }
  return text;
}

std::string array_text(ElementType type, int64_t parameter) {
  return number(type_code(type)) + ", heap, p[" + number(parameter) + "]";
}

}  // namespace hlo::gpu
