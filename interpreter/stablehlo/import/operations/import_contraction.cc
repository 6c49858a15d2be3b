#include "interpreter/stablehlo/import/operations/import_contraction.h"

#include <algorithm>
#include <array>

#include "interpreter/shortened.h"
#include "interpreter/stablehlo/import/operations/import_windows.h"

namespace hlo::stablehlo {
namespace {

std::string lower(std::string word) {
  for (char& letter : word) {
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return word;
}

/// A row of the table of named algorithms.
struct Algorithm {
  std::string_view lhs, rhs, accumulation;
  int64_t operations;
  bool imprecise;
  std::string_view name;
};

constexpr auto kAlgorithms = std::to_array<Algorithm>({
    {"f16", "f16", "f16", 1, false, "dot_f16_f16_f16"},
    {"f16", "f16", "f32", 1, false, "dot_f16_f16_f32"},
    {"bf16", "bf16", "bf16", 1, false, "dot_bf16_bf16_bf16"},
    {"bf16", "bf16", "f32", 1, false, "dot_bf16_bf16_f32"},
    {"bf16", "bf16", "f32", 3, false, "dot_bf16_bf16_f32_x3"},
    {"bf16", "bf16", "f32", 6, false, "dot_bf16_bf16_f32_x6"},
    {"bf16", "bf16", "f32", 9, false, "dot_bf16_bf16_f32_x9"},
    {"tf32", "tf32", "f32", 1, false, "dot_tf32_tf32_f32"},
    {"tf32", "tf32", "f32", 3, false, "dot_tf32_tf32_f32_x3"},
    {"f32", "f32", "f32", 1, false, "dot_f32_f32_f32"},
    {"f64", "f64", "f64", 1, false, "dot_f64_f64_f64"},
    {"f8", "f8", "f32", 1, false, "dot_any_f8_any_f8_f32"},
    {"f8", "f8", "f32", 1, true, "dot_any_f8_any_f8_f32_fast_accum"},
    {"f8", "f8", "any", 1, false, "dot_any_f8_any_f8_any"},
    {"f8", "f8", "any", 1, true, "dot_any_f8_any_f8_any_fast_accum"},
});

/// The type's word; all types of 8 bits are one.
std::string type_word(const Conversion& c, const Dictionary& fields,
                      std::string_view name) {
  const Attribute* field = find(fields, name);
  const auto* type =
      field == nullptr ? nullptr : std::get_if<Type>(&field->value);
  if (type == nullptr) {
    c.fail("stablehlo.needs", shortened(name) + " is no type, but must be one");
  }
  if (type->kind == Type::Kind::kOther) return lower(type->text);
  const std::string word(hlo::name(type->shape.element_type));
  return word.starts_with("f8") ? "f8" : word;
}

void add_algorithm(const Conversion& c, Attributes& attributes) {
  if (c.find("algorithm") == nullptr) return;
  const Dictionary& fields = c.fields("algorithm", "dot_algorithm");
  const std::string lhs = type_word(c, fields, "lhs_precision_type");
  const std::string rhs = type_word(c, fields, "rhs_precision_type");
  const std::string sum = type_word(c, fields, "accumulation_type");
  const int64_t operations = c.field(fields, "num_primitive_operations", 1);
  for (const char* count : {"lhs_component_count", "rhs_component_count"}) {
    c.require(c.field(fields, count, 1) == 1, "stablehlo.algorithm",
              {count, " is ", c.field(fields, count, 1)},
              "operands must have one component");
  }
  const bool imprecise =
      c.field(fields, "allow_imprecise_accumulation", 0) != 0;
  const auto* const found =
      std::ranges::find_if(kAlgorithms, [&](const Algorithm& row) {
        return row.lhs == lhs && row.rhs == rhs &&
               (row.accumulation == sum || row.accumulation == "any") &&
               row.operations == operations && row.imprecise == imprecise;
      });
  c.require(found != kAlgorithms.end(), "stablehlo.algorithm",
            {"the algorithm takes ", lhs, " and ", rhs, ", sums in ", sum,
             " and has ", Count{operations, "operation"}},
            "it must be one of HLO's");
  attributes.emplace_back("algorithm", Word{std::string(found->name)});
}

Values dot_general(const Conversion& c) {
  const Dictionary& dims = c.fields("dot_dimension_numbers", "dot");
  Attributes attributes = {
      {"lhs_contracting_dims", c.field(dims, "lhs_contracting_dimensions")},
      {"rhs_contracting_dims", c.field(dims, "rhs_contracting_dimensions")}};
  const Ints lhs_batch = c.field(dims, "lhs_batching_dimensions");
  const Ints rhs_batch = c.field(dims, "rhs_batching_dimensions");
  if (!lhs_batch.empty() || !rhs_batch.empty()) {
    attributes.emplace_back("lhs_batch_dims", lhs_batch);
    attributes.emplace_back("rhs_batch_dims", rhs_batch);
  }
  add_precision(c, attributes);
  add_algorithm(c, attributes);
  return c.make("dot", std::move(attributes));
}

/// The deprecated operation: the last dimension of lhs with the first of rhs.
Values dot(const Conversion& c) {
  const int64_t rank = c.operand_shape(0).rank();
  c.require(rank >= 1, "stablehlo.operand-count",
            {"the first operand is ", c.operand_shape(0)},
            "it must have a dimension");
  Attributes attributes = {{"lhs_contracting_dims", Ints{rank - 1}},
                           {"rhs_contracting_dims", Ints{0}}};
  add_precision(c, attributes);
  return c.make("dot", std::move(attributes));
}

ConvolutionSide side(const Conversion& c, const Dictionary& fields,
                     const std::string& name, const std::string& first,
                     const std::string& second) {
  return {c.field(fields, name + first + "_dimension", 0),
          c.field(fields, name + second + "_dimension", 0),
          c.field(fields, name + "_spatial_dimensions"),
          {}};
}

Values convolution(const Conversion& c, const IntPairs& padding) {
  const Dictionary& fields = c.fields("dimension_numbers", "conv");
  DimLabels labels = {
      side(c, fields, "input", "_batch", "_feature"),
      side(c, fields, "kernel", "_input_feature", "_output_feature"),
      side(c, fields, "output", "_batch", "_feature")};
  const Shape& kernel = c.operand_shape(1);
  WindowLists lists = {.sizes = {},
                       .strides = c.ints("window_strides", {}),
                       .base_dilations = c.ints("lhs_dilation", {}),
                       .window_dilations = c.ints("rhs_dilation", {}),
                       .padding = padding,
                       .reversal = c.ints("window_reversal", {})};
  for (const int64_t d : labels.kernel.spatial) {
    c.require(d >= 0 && d < kernel.rank(), "stablehlo.needs",
              {"a dimension number is ", d, " for the kernel ", kernel},
              "it must be a dimension of the operand");
    lists.sizes.push_back(kernel.dims[static_cast<size_t>(d)]);
  }
  Window window = make_window(c, std::ssize(lists.sizes), lists);
  Attributes attributes;
  if (!window.dims.empty())
    attributes.emplace_back("window", std::move(window));
  attributes.emplace_back("dim_labels", std::move(labels));
  c.need({"feature_group_count", "batch_group_count"});
  for (const char* name : {"feature_group_count", "batch_group_count"}) {
    const int64_t count = c.integer(name, 1);
    if (count != 1) attributes.emplace_back(name, count);
  }
  add_precision(c, attributes);
  return c.make("convolution", {c.operand(0), c.operand(1)},
                std::move(attributes));
}

Values convolution(const Conversion& c) {
  return convolution(c, c.pairs("padding"));
}

Values dynamic_conv(const Conversion& c) {
  const Ints flat = c.constant_ints(2);
  IntPairs padding;
  for (size_t i = 0; i + 1 < flat.size(); i += 2) {
    padding.emplace_back(flat[i], flat[i + 1]);
  }
  return convolution(c, padding);
}

constexpr ConverterRow kRows[] = {
    {"stablehlo.convolution", convolution, false, exactly(2)},
    {"stablehlo.dot", dot, false, exactly(2)},
    {"stablehlo.dot_general", dot_general, false, exactly(2)},
    {"stablehlo.dynamic_conv", dynamic_conv, false, exactly(3)},
};

}  // namespace

void add_precision(const Conversion& c, Attributes& attributes) {
  Words words;
  for (const std::string& word : c.words("precision_config")) {
    words.values.push_back(lower(word));
  }
  c.require(words.values.size() <= 2, "stablehlo.needs",
            {"precision_config has ", Count{std::ssize(words.values), "word"}},
            "it must have at most one for each side");
  const bool is_default = std::ranges::all_of(
      words.values, [](const std::string& word) { return word == "default"; });
  if (!is_default) attributes.emplace_back("operand_precision", words);
}

ConverterRows contraction_rows() { return kRows; }

}  // namespace hlo::stablehlo
