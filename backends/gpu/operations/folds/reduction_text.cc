#include "backends/gpu/operations/folds/reduction_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "backends/gpu/program/index_text.h"
#include "backends/gpu/program/kernel_codes.h"
#include "backends/gpu/program/tape_text.h"

namespace hlo::gpu {
namespace {

std::string numbered(const char* name, size_t k) {
  return name + std::to_string(k);
}

/// The parameter that is the offset of the initial value of a result, behind
/// which those of the results are.
int64_t parameter_of_init(const Reduction& own, size_t k) {
  return std::ssize(own.terms->inputs) + 1 + static_cast<int64_t>(k);
}

std::string type_of_sum(const Reduction& own) {
  return std::to_string(type_code(own.types[0]));
}

/// The initial value of a sum, as a f64.
std::string initial_text(const Reduction& own) {
  return "to_f64(" + type_of_sum(own) + ", s0.re)";
}

/// A tap's element e0 as a term of a sum, as a f64.
std::string term_text(const Reduction& own) {
  return "to_f64(" + type_of_sum(own) + ", e0.re)";
}

/// The initial values, as states s0, s1, ...
std::string states_text(const Reduction& own) {
  std::string text;
  for (size_t k = 0; k < own.types.size(); ++k) {
    text += "cell " + numbered("s", k) + " = load(" +
            array_text(own.types[k], parameter_of_init(own, k)) + ", 0);\n";
  }
  return text;
}

/// Stores the states.
std::string end_text(const Reduction& own) {
  std::string text;
  for (size_t k = 0; k < own.types.size(); ++k) {
    text +=
        "store(" +
        array_text(own.types[k], parameter_of_init(own, own.types.size() + k)) +
        ", i, " + numbered("s", k) + ");\n";
  }
  return text;
}

/// The elements of a tap, from loading what the terms' tape reads.
std::string terms_text(const Reduction& own) {
  std::string text;
  for (size_t k = 0; k < own.terms->inputs.size(); ++k) {
    const std::string tap = place_text(own.taps, own.t_strides[k], "t", "t");
    text += definition(
        numbered("x", k),
        "load(" +
            array_text(own.terms->inputs[k].type, static_cast<int64_t>(k) + 1) +
            ", " + numbered("base", k) + " + " + tap + ")");
  }
  text += statements_of(own.terms->tape, "x");
  for (size_t k = 0; k < own.terms->registers.size(); ++k) {
    text += definition(numbered("e", k),
                       "x" + std::to_string(own.terms->registers[k]));
  }
  return text;
}

/// What each tap does, from the first to the last.
std::string loops_text(const Reduction& own, const std::string& step) {
  std::string text = "i64 t = 0;\n";
  for (size_t d = 0; d < own.taps.size(); ++d) {
    const std::string t = numbered("t", d);
    text += fmt::format("ROLLED\nfor (i64 {0} = 0; {0} < {1}; ++{0}) ", t,
                        own.taps[d]);
  }
  return text + "{\n" + terms_text(own) + step + "t += 1;\n}\n";
}

/// The sum of the terms, rounded once, as s0: what is near it, and only where
/// that does not say what it rounds to the exact one.
std::string exact_sum_text(const Reduction& own) {
  const std::string init = initial_text(own);
  const std::string term = term_text(own);
  return "near_sum near_it;\nstart_near(&near_it, 1);\nadd_near(&near_it, " +
         init + ");\n{\n" +
         loops_text(own, "add_near(&near_it, " + term + ");\n") +
         "}\nu64 code;\nif (!has_code(&near_it, " +
         std::to_string(elements_in(own.taps)) + ", " + type_of_sum(own) +
         ", &code)) {\nexact_sum sum;\nstart_sum(&sum);\nadd_number(&sum, " +
         init + ");\n" + loops_text(own, "add_number(&sum, " + term + ");\n") +
         "code = rounded_sum(&sum, " + type_of_sum(own) +
         ", 1);\n}\ns0 = make_cell(code);\n";
}

/// Additions of f32 or f64, one after the other.
std::string chain_text(const Reduction& own) {
  const bool is_wide = own.types[0] == ElementType::kF64;
  const std::string init = initial_text(own);
  const std::string term = term_text(own);
  const std::string begin = is_wide ? "f64 sum = " + init + ";\n"
                                    : "f32 sum = F32_OF_F64(" + init + ");\n";
  const std::string step =
      is_wide ? "sum = ADD64(sum, " + term + ");\n"
              : "sum = ADD32(sum, F32_OF_F64(" + term + "));\n";
  return begin + loops_text(own, step) + "s0 = make_cell(from_f64(" +
         type_of_sum(own) + ", sum));\n";
}

/// The region on the states and each tap's elements.
std::string region_text(const Reduction& own) {
  std::string step;
  const size_t count = own.types.size();
  for (size_t k = 0; k < count; ++k) {
    step += definition(numbered("r", k), numbered("s", k)) +
            definition(numbered("r", count + k), numbered("e", k));
  }
  step += statements_of(own.region, "r");
  for (size_t k = 0; k < count; ++k) {
    step +=
        numbered("s", k) + " = r" + std::to_string(own.registers[k]) + ";\n";
  }
  return loops_text(own, step);
}

std::string fold_text(const Reduction& own) {
  switch (own.fold) {
    case Fold::kExactSum:
      return exact_sum_text(own);
    case Fold::kChain:
      return chain_text(own);
    default:
      return region_text(own);
  }
}

}  // namespace

KernelText text_of(const Reduction& own) {
  std::string text = "const i64 i = GLOBAL_ID;\nif (i >= p[0]) return;\n" +
                     index_text(own.sizes, "o", "i");
  for (size_t k = 0; k < own.terms->inputs.size(); ++k) {
    text += "const i64 " + numbered("base", k) + " = " +
            place_text(own.sizes, own.o_strides[k], "o", "i") + ";\n";
  }
  text += states_text(own) + fold_text(own) + end_text(own);
  return {std::max(base_of(own.terms->tape), base_of(own.region)),
          "{\n" + text + "}\n"};
}

}  // namespace hlo::gpu
