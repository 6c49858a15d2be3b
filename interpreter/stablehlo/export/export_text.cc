#include "interpreter/stablehlo/export/export_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/stablehlo/mlir_words.h"

namespace hlo::stablehlo {
namespace {

std::string bounds_text(const Shape& shape) {
  std::string text;
  bool any = false;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const int64_t size = shape.dims[static_cast<size_t>(d)];
    const bool bounded = shape.is_dynamic(d) && size != kUnbounded;
    any = any || bounded;
    if (d > 0) text += ", ";
    text += bounded ? std::to_string(size) : "?";
  }
  return any ? ", #stablehlo.bounds<" + text + ">" : "";
}

template <typename T>
std::string joined(std::span<const T> values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

}  // namespace

std::string type_text(const Shape& shape) {
  if (shape.is_token()) return "!stablehlo.token";
  const std::string element = element_word(shape.element_type);
  if (element.empty()) {
    throw Error(Phase::kVerify, "stablehlo.export",
                fmt::format("StableHLO has no type for {}", to_string(shape)));
  }
  std::string text = "tensor<";
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const int64_t size = shape.dims[static_cast<size_t>(d)];
    const bool open = shape.is_dynamic(d) || size == kUnbounded;
    text += open ? "?x" : std::to_string(size) + "x";
  }
  return text + element + bounds_text(shape) + ">";
}

std::string array_text(std::span<const int64_t> values) {
  return values.empty() ? "array<i64>" : "array<i64: " + joined(values) + ">";
}

std::string bools_text(std::span<const bool> values) {
  return values.empty() ? "array<i1>" : "array<i1: " + joined(values) + ">";
}

std::string list_text(std::span<const int64_t> values) {
  return "[" + joined(values) + "]";
}

std::string pairs_text(std::span<const std::pair<int64_t, int64_t>> pairs) {
  if (pairs.empty()) return "dense<> : tensor<0x2xi64>";
  std::vector<std::string> rows;
  rows.reserve(pairs.size());
  for (const auto& [first, second] : pairs) {
    rows.push_back(fmt::format("[{}, {}]", first, second));
  }
  return fmt::format("dense<[{}]> : tensor<{}x2xi64>", fmt::join(rows, ", "),
                     pairs.size());
}

std::string int_text(int64_t value) { return fmt::format("{} : i64", value); }

std::string precision_text(const Instruction& instruction) {
  const auto words = instruction.get_or<Words>("operand_precision", {});
  if (words.values.empty()) return "";
  std::vector<std::string> rows;
  rows.reserve(words.values.size());
  for (std::string word : words.values) {
    std::ranges::transform(word, word.begin(), [](char c) {
      return static_cast<char>(c - 'a' + 'A');
    });
    rows.push_back("#stablehlo<precision " + word + ">");
  }
  return fmt::format(", precision_config = [{}]", fmt::join(rows, ", "));
}

std::vector<Shape> leaf_shapes(const Shape& shape) {
  std::vector<Shape> shapes;
  for (const Shape* leaf : leaves(shape)) shapes.push_back(*leaf);
  return shapes;
}

void cannot_export(const Instruction& instruction, std::string_view what) {
  throw Error(Phase::kVerify, "stablehlo.export",
              fmt::format("%{}: {}", instruction.name, what),
              instruction.location);
}

}  // namespace hlo::stablehlo
