#include "interpreter/stablehlo/import/operations/import_einsum.h"

#include <algorithm>
#include <set>

#include "interpreter/stablehlo/import/importer/importer.h"
#include "interpreter/stablehlo/import/operations/import_contraction.h"

namespace hlo::stablehlo {
namespace {

/// "ab,bc->ac" taken apart.
struct Config {
  std::string lhs, rhs, result;
};

/// Letters of one operand, each once and one for each dimension.
void check_letters(const Conversion& c, const std::string& letters,
                   const Shape& shape) {
  const std::set<char> distinct(letters.begin(), letters.end());
  c.require(
      std::ssize(letters) == shape.rank() && distinct.size() == letters.size(),
      "stablehlo.einsum", {"the letters are ", letters, " for ", shape},
      "there must be a letter of its own for each dimension");
}

Config parse(const Conversion& c, bool is_unary) {
  std::string text = c.text("einsum_config", "");
  std::erase(text, ' ');
  const size_t arrow = text.find("->");
  const size_t comma = text.find(',');
  c.require(arrow != std::string::npos &&
                (is_unary ? comma == std::string::npos : comma < arrow),
            "stablehlo.einsum", {"einsum_config is \"", text, "\""},
            "it must be like \"ab,bc->ac\"");
  if (is_unary) return {text.substr(0, arrow), "", text.substr(arrow + 2)};
  return {text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1),
          text.substr(arrow + 2)};
}

bool has(const std::string& letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

/// The sum over the dimensions whose letters neither `a` nor `b` has.
Instruction* sum_out(const Conversion& c, Instruction* value,
                     std::string& letters, const std::string& a,
                     const std::string& b) {
  Ints dimensions;
  std::string kept;
  Shape shape = Shape::array(value->shape.element_type, {});
  for (size_t i = 0; i < letters.size(); ++i) {
    if (has(a, letters[i]) || has(b, letters[i])) {
      kept += letters[i];
      shape.dims.push_back(value->shape.dims[i]);
    } else {
      dimensions.push_back(static_cast<int64_t>(i));
    }
  }
  if (dimensions.empty()) return value;
  const Shape scalar = Shape::scalar(shape.element_type);
  Computation* sum =
      c.importer.computation("sum", c.op.location, nullptr, [&](Scope& scope) {
        Instruction* x = scope.builder.parameter(scalar, "x");
        Instruction* y = scope.builder.parameter(scalar, "y");
        return scope.builder.add("add", scalar, {x, y});
      });
  Instruction* zero = c.build().constant(number(scalar, 0));
  letters = kept;
  return c.build().add("reduce", shape, {value, zero},
                       {{"dimensions", dimensions}, {"to_apply", sum}});
}

/// The dimensions in the order of `to`.
Instruction* in_order(const Conversion& c, Instruction* value,
                      const std::string& from, const std::string& to) {
  Ints permutation;
  for (const char letter : to) {
    c.require(has(from, letter), "stablehlo.einsum",
              {"the letters of the result are ", to,
               " and those of the operand ", from},
              "the first must be among the second");
    permutation.push_back(static_cast<int64_t>(from.find(letter)));
  }
  if (std::ranges::is_sorted(permutation)) return value;
  return c.build().add("transpose", {value}, {{"dimensions", permutation}});
}

Values unary_einsum(const Conversion& c) {
  Config config = parse(c, true);
  check_letters(c, config.lhs, c.operand_shape(0));
  Instruction* sum = sum_out(c, c.operand(0), config.lhs, config.result, "");
  return {in_order(c, sum, config.lhs, config.result)};
}

Values einsum(const Conversion& c) {
  Config config = parse(c, false);
  check_letters(c, config.lhs, c.operand_shape(0));
  check_letters(c, config.rhs, c.operand_shape(1));
  Instruction* lhs =
      sum_out(c, c.operand(0), config.lhs, config.rhs, config.result);
  Instruction* rhs =
      sum_out(c, c.operand(1), config.rhs, config.lhs, config.result);
  Ints batch[2];
  Ints contracted[2];
  std::string letters;
  for (size_t i = 0; i < config.lhs.size(); ++i) {
    const char letter = config.lhs[i];
    if (!has(config.rhs, letter)) continue;
    const bool stays = has(config.result, letter);
    if (stays) letters += letter;
    (stays ? batch : contracted)[0].push_back(static_cast<int64_t>(i));
    (stays ? batch : contracted)[1].push_back(
        static_cast<int64_t>(config.rhs.find(letter)));
  }
  for (const char letter : config.lhs) {
    if (!has(config.rhs, letter)) letters += letter;
  }
  for (const char letter : config.rhs) {
    if (!has(config.lhs, letter)) letters += letter;
  }
  Attributes attributes = {{"lhs_batch_dims", batch[0]},
                           {"rhs_batch_dims", batch[1]},
                           {"lhs_contracting_dims", contracted[0]},
                           {"rhs_contracting_dims", contracted[1]}};
  add_precision(c, attributes);
  Instruction* product =
      c.build().add("dot", {lhs, rhs}, std::move(attributes));
  return {in_order(c, product, letters, config.result)};
}

constexpr ConverterRow kRows[] = {
    {"stablehlo.einsum", einsum, false, exactly(2)},
    {"stablehlo.unary_einsum", unary_einsum, false, exactly(1)},
};

}  // namespace

ConverterRows einsum_rows() { return kRows; }

}  // namespace hlo::stablehlo
