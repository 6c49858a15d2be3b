#include "interpreter/stablehlo/import/operations/import_chlo.h"

#include <algorithm>

#include "interpreter/stablehlo/import/importer/applied_region.h"
#include "interpreter/stablehlo/import/importer/importer.h"
#include "interpreter/stablehlo/import/operations/import_contraction.h"
#include "interpreter/stablehlo/operation_names.h"

namespace hlo::stablehlo {
namespace {

Values target(const Conversion& c) {
  Shape shape = c.operand_shape(0);
  shape.element_type = c.shape().element_type;
  return {c.build().add("custom-call", shape, c.operands,
                        {{"custom_call_target", c.op.name}})};
}

Values conj(const Conversion& c) {
  InstructionBuilder& builder = c.build();
  Instruction* z = c.operand(0);
  if (!is_complex(z->shape.element_type)) return {z};
  return {builder.add("complex",
                      {builder.add("real", {z}),
                       builder.add("negate", {builder.add("imag", {z})})})};
}

Values square(const Conversion& c) {
  return {c.build().add("multiply", {c.operand(0), c.operand(0)})};
}

/// The value of an attribute as an array that repeats it.
/// The type of a number, which may leave out i64, f64 or i1; that of no number
/// is none.
ElementType type_of_number(const Attribute& attribute) {
  if (attribute.type.kind != Type::Kind::kNone) {
    return attribute.type.shape.element_type;
  }
  const auto& value = attribute.value;
  if (std::holds_alternative<bool>(value)) return ElementType::kPred;
  if (std::holds_alternative<int64_t>(value)) return ElementType::kS64;
  return std::holds_alternative<FloatNumber>(value) ? ElementType::kF64
                                                    : ElementType::kOpaque;
}

Values constant_like(const Conversion& c) {
  const Attribute* attribute = c.find("value");
  c.require(attribute != nullptr, "stablehlo.needs", {"value is missing"},
            "it must be a number");
  const Shape shape =
      Shape::array(c.array_shape().element_type, c.operand_shape(0).dims);
  const ElementType type = type_of_number(*attribute);
  c.require(type == shape.element_type, "stablehlo.needs",
            {"value is no number of the type ", shape.element_type},
            "it must have the type of the result");
  const auto& value = attribute->value;
  if (const auto* real = std::get_if<FloatNumber>(&value)) {
    return {c.build().constant(number(shape, real->value))};
  }
  if (const auto* literal = std::get_if<Literal>(&value);
      literal != nullptr && literal->element_count() == 1) {
    return {c.build().constant(Literal::splat(shape, literal->at(int64_t{0})))};
  }
  return {c.build().constant(integer(shape, c.integer("value")))};
}

Values constant(const Conversion& c) {
  return c.importer.converter("stablehlo.constant")->convert(c);
}

Values dynamic_reshape(const Conversion& c) {
  return convert(*c.importer.converter("stablehlo.dynamic_reshape"), c);
}

Values top_k(const Conversion& c) {
  return c.make("topk", {{"k", c.integer("k")}, {"largest", true}});
}

Values ragged_dot(const Conversion& c) {
  const Dictionary& dims =
      c.fields("ragged_dot_dimension_numbers", "ragged_dot");
  Attributes attributes = {
      {"lhs_contracting_dims", c.field(dims, "lhs_contracting_dimensions")},
      {"rhs_contracting_dims", c.field(dims, "rhs_contracting_dimensions")},
      {"lhs_ragged_dims", c.field(dims, "lhs_ragged_dimensions")}};
  const std::pair<const char*, const char*> optional[] = {
      {"lhs_batch_dims", "lhs_batching_dimensions"},
      {"rhs_batch_dims", "rhs_batching_dimensions"},
      {"rhs_group_dims", "rhs_group_dimensions"}};
  for (const auto& [name, field] : optional) {
    Ints list = c.field(dims, field);
    if (!list.empty()) attributes.emplace_back(name, std::move(list));
  }
  add_precision(c, attributes);
  return c.make("ragged-dot", std::move(attributes));
}

/// How many operands are arrays that are scanned: the region has a slice of
/// each of them.
size_t scanned(const Conversion& c) {
  const Block& block = c.region(0);
  c.require(block.arguments.size() == c.operands.size(), "stablehlo.regions",
            {"the region has ", Count{std::ssize(block.arguments), "argument"},
             " and there are ", Count{std::ssize(c.operands), "operand"}},
            "it must have one for each");
  size_t count = 0;
  while (count < c.operands.size() &&
         block.arguments[count]->type.shape.rank() + 1 ==
             c.operand_shape(count).rank()) {
    ++count;
  }
  return count;
}

/// What the region uses of outside is carried along.
Values scan(const Conversion& c) {
  const size_t inputs = scanned(c);
  const Passing passing = {.values = captures({&c.region(0)}, c.scope),
                           .returns = true,
                           .as_tuple = true};
  Values operands = c.operands;
  std::vector<Shape> shapes = c.shapes;
  for (const Value* value : passing.values) {
    operands.push_back(c.scope.find(*value));
    shapes.push_back(operands.back()->shape);
  }
  Attributes attributes = {{"dimensions", Ints{c.integer("dimension")}},
                           {"to_apply", applied_region(c, 0, passing)}};
  const auto carries = static_cast<int64_t>(operands.size() - inputs);
  attributes.emplace_back("num_carries", carries);
  for (const char* name : {"is_reverse", "is_associative"}) {
    if (c.flag(name)) attributes.emplace_back(name, true);
  }
  Instruction* scan = c.build().add("scan", Shape::tuple(shapes),
                                    std::move(operands), std::move(attributes));
  Values results;
  for (size_t i = 0; i < c.shapes.size(); ++i) {
    results.push_back(c.build().element(scan, static_cast<int64_t>(i)));
  }
  return results;
}

/// The region's operations on the operands.
Values rank_specialization_cluster(const Conversion& c) {
  const Block& block = c.region(0);
  c.require(block.arguments.size() == c.operands.size(), "stablehlo.regions",
            {"the region has ", Count{std::ssize(block.arguments), "argument"},
             " and there are ", Count{std::ssize(c.operands), "operand"}},
            "it must have one for each");
  for (size_t i = 0; i < c.operands.size(); ++i) {
    c.scope.bind(*block.arguments[i], c.operands[i]);
  }
  return c.importer.block(block, c.scope);
}

std::vector<ConverterRow> rows() {
  std::vector<ConverterRow> rows = {
      {"chlo.conj", conj, false, exactly(1)},
      {"chlo.constant", constant, true, exactly(0)},
      {"chlo.constant_like", constant_like, false, exactly(1)},
      {"chlo.dynamic_reshape", dynamic_reshape, true, exactly(2)},
      {"chlo.ragged_dot", ragged_dot},
      {"chlo.rank_specialization_cluster", rank_specialization_cluster, true,
       at_least(0), exactly(1)},
      {"chlo.scan", scan, true, at_least(0), exactly(1)},
      {"chlo.square", square, false, exactly(1)},
      {"chlo.top_k", top_k, true},
  };
  for (const std::string_view name : target_names()) {
    rows.push_back({name, target});
  }
  return rows;
}

}  // namespace

ConverterRows chlo_rows() {
  static const std::vector<ConverterRow> all = rows();
  return all;
}

const ConverterRow* function_of_composite(const Conversion& c,
                                          std::string_view name) {
  const auto targets = target_names();
  const bool is_scalar_function =
      std::ranges::find(targets, name) != targets.end() ||
      (name.starts_with("chlo.") && find_name(name) != nullptr) ||
      name == "chlo.top_k" || name == "chlo.square" || name == "chlo.conj";
  return is_scalar_function ? c.importer.converter(name) : nullptr;
}

}  // namespace hlo::stablehlo
