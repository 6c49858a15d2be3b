#include "interpreter/stablehlo/export/export_linear.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/numeric/exact/decimal.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/stablehlo/export/export_text.h"

namespace hlo::stablehlo {
namespace {

/// Whether StableHLO has all words of the precision, of two operands at most.
bool has_known_precision(const Instruction& instruction) {
  const auto words = instruction.get_or<Words>("operand_precision", {});
  return words.values.size() <= 2 &&
         std::ranges::count(words.values, "packed_nibble") == 0;
}

struct Algorithm {
  std::string_view word;
  std::string_view operand;
  std::string_view sum;
  int operations = 1;
};

/// Those of HLO's that StableHLO can say; the f8 ones name no type.
constexpr Algorithm kAlgorithms[] = {
    {"dot_f16_f16_f16", "f16", "f16"},
    {"dot_f16_f16_f32", "f16", "f32"},
    {"dot_bf16_bf16_bf16", "bf16", "bf16"},
    {"dot_bf16_bf16_f32", "bf16", "f32"},
    {"dot_bf16_bf16_f32_x3", "bf16", "f32", 3},
    {"dot_bf16_bf16_f32_x6", "bf16", "f32", 6},
    {"dot_bf16_bf16_f32_x9", "bf16", "f32", 9},
    {"dot_tf32_tf32_f32", "tf32", "f32"},
    {"dot_tf32_tf32_f32_x3", "tf32", "f32", 3},
    {"dot_f32_f32_f32", "f32", "f32"},
    {"dot_f64_f64_f64", "f64", "f64"},
};

/// ", algorithm = ...", nothing where none is set; no value where StableHLO
/// cannot say it.
std::optional<std::string> algorithm_text(const Instruction& instruction) {
  const std::string word = instruction.get_or<Word>("algorithm", {}).value;
  if (word.empty()) return "";
  for (const Algorithm& row : kAlgorithms) {
    if (row.word != word) continue;
    return fmt::format(
        ", algorithm = #stablehlo.dot_algorithm<lhs_precision_type = {0}, "
        "rhs_precision_type = {0}, accumulation_type = {1}, "
        "lhs_component_count = 1, rhs_component_count = 1, "
        "num_primitive_operations = {2}, "
        "allow_imprecise_accumulation = false>",
        row.operand, row.sum, row.operations);
  }
  return std::nullopt;
}

bool dot(Writer& writer, const Instruction& instruction, Leaves& result) {
  const std::optional<std::string> algorithm = algorithm_text(instruction);
  if (!algorithm || !has_known_precision(instruction)) return false;
  const DotDimensions dims = dot_dimensions(instruction);
  result = plain(
      writer, instruction, "dot_general",
      fmt::format(
          "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = "
          "{}, rhs_batching_dimensions = {}, lhs_contracting_dimensions = {}, "
          "rhs_contracting_dimensions = {}>{}{}",
          list_text(dims.lhs_batch), list_text(dims.rhs_batch),
          list_text(dims.lhs_contracting), list_text(dims.rhs_contracting),
          precision_text(instruction), *algorithm));
  return true;
}

std::string side_text(const ConvolutionSide& side, char first, char second) {
  std::vector<std::string> labels(side.spatial.size() + 2);
  labels.at(static_cast<size_t>(side.batch_or_input)) = first;
  labels.at(static_cast<size_t>(side.feature)) = second;
  for (size_t s = 0; s < side.spatial.size(); ++s) {
    labels.at(static_cast<size_t>(side.spatial[s])) = std::to_string(s);
  }
  return fmt::format("[{}]", fmt::join(labels, ", "));
}

std::string dimension_numbers(const DimLabels& labels) {
  return fmt::format(
      "#stablehlo.conv<{}x{}->{}>", side_text(labels.input, 'b', 'f'),
      side_text(labels.kernel, 'i', 'o'), side_text(labels.output, 'b', 'f'));
}

bool is_plain_convolution(const Instruction& instruction) {
  const auto& labels = instruction.get<DimLabels>("dim_labels");
  return instruction.operand_shape(0).element_type ==
             instruction.operand_shape(1).element_type &&
         labels.input.unused.empty() && labels.kernel.unused.empty() &&
         labels.output.unused.empty() &&
         instruction.find("sparsity_config") == nullptr &&
         instruction.find("algorithm") == nullptr &&
         instruction.get_or<Word>("convolution_kind", {"unset"}).value ==
             "unset" &&
         has_known_precision(instruction);
}

std::string window_text(const Window& window) {
  Ints strides;
  Ints base;
  Ints dilations;
  IntPairs padding;
  std::string reversals;
  for (const WindowDimension& d : window.dims) {
    strides.push_back(d.stride);
    base.push_back(d.base_dilation);
    dilations.push_back(d.window_dilation);
    padding.emplace_back(d.low, d.high);
    reversals += reversals.empty() ? ": " : ", ";
    reversals += d.reversal ? "true" : "false";
  }
  return fmt::format(
      "lhs_dilation = {}, padding = {}, rhs_dilation = {}, window_reversal = "
      "array<i1{}>, window_strides = {}",
      array_text(base), pairs_text(padding), array_text(dilations), reversals,
      array_text(strides));
}

bool convolution(Writer& writer, const Instruction& instruction,
                 Leaves& result) {
  if (!is_plain_convolution(instruction)) return false;
  const auto& labels = instruction.get<DimLabels>("dim_labels");
  auto window = instruction.get_or<Window>("window", {});
  window.dims.resize(labels.input.spatial.size());
  result =
      plain(writer, instruction, "convolution",
            fmt::format(
                "batch_group_count = {}, dimension_numbers = {}, "
                "feature_group_count = {}, {}{}",
                int_text(instruction.get_or<int64_t>("batch_group_count", 1)),
                dimension_numbers(labels),
                int_text(instruction.get_or<int64_t>("feature_group_count", 1)),
                window_text(window), precision_text(instruction)));
  return true;
}

bool fft(Writer& writer, const Instruction& instruction, Leaves& result) {
  result =
      plain(writer, instruction, "fft",
            fmt::format("fft_length = {}, fft_type = #stablehlo<fft_type {}>",
                        array_text(instruction.get<Ints>("fft_length")),
                        instruction.get<Word>("fft_type").value));
  return true;
}

bool cholesky(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = plain(
      writer, instruction, "cholesky",
      fmt::format("lower = {}", instruction.get_or<bool>("lower", false)));
  return true;
}

bool triangular_solve(Writer& writer, const Instruction& instruction,
                      Leaves& result) {
  const Word transpose =
      instruction.get_or<Word>("transpose_a", {"NO_TRANSPOSE"});
  result = plain(
      writer, instruction, "triangular_solve",
      fmt::format("left_side = {}, lower = {}, transpose_a = "
                  "#stablehlo<transpose {}>, unit_diagonal = {}",
                  instruction.get_or<bool>("left_side", false),
                  instruction.get_or<bool>("lower", false), transpose.value,
                  instruction.get_or<bool>("unit_diagonal", false)));
  return true;
}

/// StableHLO's epsilon is f32.
bool batch_norm(Writer& writer, const Instruction& instruction,
                Leaves& result) {
  const auto& epsilon = instruction.get<Decimal>("epsilon");
  const auto rounded =
      numeric::from_decimal(epsilon.text, numeric::format(ElementType::kF32));
  if (!rounded) return false;
  const ElementType type = instruction.operand_shape(0).element_type;
  for (const Instruction* operand : instruction.operands) {
    if (operand->shape.element_type != type) return false;
  }
  std::string name(instruction.op->name);
  for (char& c : name) c = c == '-' ? '_' : c;
  result = plain(
      writer, instruction, name,
      fmt::format("epsilon = 0x{:08X} : f32, feature_index = {}", *rounded,
                  int_text(instruction.get<int64_t>("feature_index"))));
  return true;
}

constexpr ExportRow kRows[] = {
    {"batch-norm-grad", batch_norm},
    {"batch-norm-inference", batch_norm},
    {"batch-norm-training", batch_norm},
    {"cholesky", cholesky},
    {"convolution", convolution},
    {"dot", dot},
    {"fft", fft},
    {"triangular-solve", triangular_solve},
};

}  // namespace

ExportRows linear_exporters() { return kRows; }

}  // namespace hlo::stablehlo
