#include "backends/gpu/operations/reduction_text.h"

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

/// What stands before the taps: the initial values, as states s0, s1, ...
std::string begin_text(const Reduction& own) {
  std::string text;
  for (size_t k = 0; k < own.types.size(); ++k) {
    text += "cell " + numbered("s", k) + " = load(" +
            array_text(own.types[k], parameter_of_init(own, k)) + ", 0);\n";
  }
  const std::string type = std::to_string(type_code(own.types[0]));
  const std::string init = "to_f64(" + type + ", s0.re)";
  if (own.fold == Fold::kExactSum) {
    text += "exact_sum sum;\nstart_sum(&sum);\nadd_product(&sum, " + init +
            ", 1.0);\n";
  } else if (own.fold == Fold::kChain) {
    text += own.types[0] == ElementType::kF64
                ? "f64 sum = " + init + ";\n"
                : "f32 sum = F32_OF_F64(" + init + ");\n";
  }
  return text;
}

/// What a tap's elements e0, e1, ... do.
std::string step_text(const Reduction& own) {
  const std::string type = std::to_string(type_code(own.types[0]));
  const std::string term = "to_f64(" + type + ", e0.re)";
  if (own.fold == Fold::kExactSum) return "add_number(&sum, " + term + ");\n";
  if (own.fold == Fold::kChain) {
    return own.types[0] == ElementType::kF64
               ? "sum = ADD64(sum, " + term + ");\n"
               : "sum = ADD32(sum, F32_OF_F64(" + term + "));\n";
  }
  std::string text;
  const size_t count = own.types.size();
  for (size_t k = 0; k < count; ++k) {
    text += definition(numbered("r", k), numbered("s", k)) +
            definition(numbered("r", count + k), numbered("e", k));
  }
  text += statements_of(own.region, "r");
  for (size_t k = 0; k < count; ++k) {
    text +=
        numbered("s", k) + " = r" + std::to_string(own.registers[k]) + ";\n";
  }
  return text;
}

std::string end_text(const Reduction& own) {
  const std::string type = std::to_string(type_code(own.types[0]));
  std::string text;
  if (own.fold == Fold::kExactSum) {
    text = "s0 = make_cell(rounded_sum(&sum, " + type + ", 1));\n";
  } else if (own.fold == Fold::kChain) {
    text = "s0 = make_cell(from_f64(" + type + ", sum));\n";
  }
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

}  // namespace

KernelText text_of(const Reduction& own) {
  std::string text = "const i64 i = GLOBAL_ID;\nif (i >= p[0]) return;\n" +
                     index_text(own.sizes, "o", "i");
  for (size_t k = 0; k < own.terms->inputs.size(); ++k) {
    text += "const i64 " + numbered("base", k) + " = " +
            place_text(own.sizes, own.o_strides[k], "o", "i") + ";\n";
  }
  text += begin_text(own) + "i64 t = 0;\n";
  for (size_t d = 0; d < own.taps.size(); ++d) {
    const std::string t = numbered("t", d);
    text += "ROLLED\nfor (i64 " + t + " = 0; " + t + " < " +
            std::to_string(own.taps[d]) + "; ++" + t + ") ";
  }
  text +=
      "{\n" + terms_text(own) + step_text(own) + "t += 1;\n}\n" + end_text(own);
  return {std::max(base_of(own.terms->tape), base_of(own.region)),
          "{\n" + text + "}\n"};
}

}  // namespace hlo::gpu
