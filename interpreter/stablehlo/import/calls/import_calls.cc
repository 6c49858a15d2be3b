#include "interpreter/stablehlo/import/calls/import_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpreter/rules/op.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/import/calls/carried_instruction.h"
#include "interpreter/stablehlo/import/calls/import_lapack.h"
#include "interpreter/stablehlo/import/importer/applied_region.h"
#include "interpreter/stablehlo/import/importer/closed_value.h"
#include "interpreter/stablehlo/import/importer/import_attributes.h"
#include "interpreter/stablehlo/import/importer/importer.h"
#include "interpreter/stablehlo/import/importer/instruction_builder.h"
#include "interpreter/stablehlo/import/operations/import_chlo.h"
#include "interpreter/text/grammar/read_verbatim.h"
#include "interpreter/text/scan/hlo_lexicon.h"
#include "interpreter/text/scan/quote.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::stablehlo {
namespace {

const Symbol& symbol(const Conversion& c, std::string_view name) {
  const Attribute* attribute = c.find(name);
  const auto* found =
      attribute == nullptr ? nullptr : std::get_if<Symbol>(&attribute->value);
  if (found == nullptr) {
    c.fail("stablehlo.needs",
           shortened(name) + " is no name of a function, but must be one");
  }
  return *found;
}

/// What a function that returns several values gives, or none.
Values call_function(const Conversion& c, const std::string& name,
                     Attributes attributes) {
  Computation* callee = c.importer.function(name, c.op.location, c.operands);
  attributes.emplace_back("to_apply", callee);
  const Shape& shape = callee->root->shape;
  c.require(
      c.shapes.size() == 1 ||
          (shape.is_tuple() && shape.tuple_shapes.size() == c.shapes.size()),
      "stablehlo.result-count",
      {"there are ", Count{std::ssize(c.shapes), "result"},
       " and the function returns ", shape},
      "it must return as many values");
  return c.build().split(
      c.build().add("call", shape, c.operands, std::move(attributes)),
      c.shapes.size());
}

Values call(const Conversion& c) {
  return call_function(c, symbol(c, "callee").name, {});
}

/// Functions of CHLO keep their meaning; others are what they are made of.
Values composite(const Conversion& c) {
  const std::string name = c.text("name", "");
  if (const ConverterRow* row = function_of_composite(c, name)) {
    Operation operation;
    operation.name = name;
    operation.location = c.op.location;
    const Attribute* attributes = c.find("composite_attributes");
    if (attributes != nullptr &&
        std::holds_alternative<Dictionary>(attributes->value)) {
      operation.attributes = std::get<Dictionary>(attributes->value);
    }
    return convert(*row,
                   {operation, c.importer, c.scope, c.operands, c.shapes});
  }
  std::string kept = "{composite.name=" + text::quote(name);
  if (const Attribute* attributes = c.find("composite_attributes")) {
    kept += ",composite.attributes=" + text::quote(printed(*attributes));
  }
  kept +=
      ",composite.version=\"" + std::to_string(c.integer("version", 0)) + "\"}";
  return call_function(
      c, symbol(c, "decomposition").name,
      {{"is_composite", true}, {"frontend_attributes", Verbatim{kept}}});
}

/// JAX has it under MHLO's name, beside an empty one or none.
void add_backend_config(const Conversion& c, Attributes& attributes) {
  for (const char* name : {"backend_config", "mhlo.backend_config"}) {
    const Attribute* config = c.find(name);
    const std::string text = config == nullptr ? "" : printed(*config);
    if (text.empty()) continue;
    attributes.emplace_back("backend_config", text);
    return;
  }
}

void add_api_version(const Conversion& c, Attributes& attributes) {
  constexpr std::array<const char*, 5> kVersions = {
      "", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
      "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
  const int64_t version = c.integer("api_version", 1);
  c.require(version >= 0 && version < std::ssize(kVersions), "stablehlo.needs",
            {"api_version is ", version}, "it must be a number from 0 to 4");
  if (version < 2) return;
  attributes.emplace_back("api_version",
                          Word{kVersions.at(static_cast<size_t>(version))});
}

void add_callees(const Conversion& c, Attributes& attributes) {
  const auto* list = c.list("called_computations");
  if (list == nullptr || list->empty()) return;
  Computations computations;
  for (const Attribute& item : *list) {
    const auto* name = std::get_if<Symbol>(&item.value);
    c.require(name != nullptr, "stablehlo.needs",
              {"an item of called_computations is not a name"},
              "it must be the name of a function");
    computations.push_back(c.importer.function(name->name, c.op.location));
  }
  attributes.emplace_back("called_computations", computations);
}

/// The shapes with the layouts that the text gives for them, each from the
/// minor dimension to the major; nothing where it gives none.
std::optional<Shapes> laid_out(const Conversion& c, std::string_view name,
                               Shapes shapes) {
  const auto* list = c.list(name);
  if (list == nullptr) return std::nullopt;
  c.require(list->size() == shapes.size(), "stablehlo.needs",
            {name, " has ", Count{std::ssize(*list), "item"}},
            fmt::format("it must have {}", shapes.size()));
  for (size_t i = 0; i < shapes.size(); ++i) {
    const auto order = integers((*list)[i]);
    c.require(order.has_value(), "stablehlo.needs",
              {"an item of ", name, " is of another kind"},
              "it must be a list of integers");
    if (!shapes[i].is_array() || order->empty()) continue;
    Layout layout = default_layout(shapes[i].rank());
    c.require(std::ranges::is_permutation(*order, layout.minor_to_major),
              "layout.C1", {"a layout is ", *order, " for ", shapes[i]},
              "it must name each of the dimensions once");
    layout.minor_to_major = *order;
    shapes[i].layout = std::move(layout);
  }
  return shapes;
}

void add_layouts(const Conversion& c, Attributes& attributes) {
  Shapes shapes;
  for (const Instruction* operand : c.operands) {
    shapes.push_back(operand->shape);
  }
  auto constraints = laid_out(c, "operand_layouts", std::move(shapes));
  if (constraints) {
    attributes.emplace_back("operand_layout_constraints",
                            std::move(*constraints));
  }
}

/// Which operand each result shares memory with.
void add_aliases(const Conversion& c, Attributes& attributes) {
  const auto* list = c.list("output_operand_aliases");
  if (list == nullptr || list->empty()) return;
  std::vector<std::string> items;
  for (const Attribute& item : *list) {
    const auto* alias = std::get_if<Structure>(&item.value);
    c.require(alias != nullptr, "stablehlo.needs",
              {"an item of output_operand_aliases is not a structure"},
              "it must be one");
    items.push_back(fmt::format(
        "{{{}}}: ({}, {{{}}})",
        fmt::join(c.field(alias->fields, "output_tuple_indices"), ","),
        c.field(alias->fields, "operand_index", 0),
        fmt::join(c.field(alias->fields, "operand_tuple_indices"), ",")));
  }
  const std::string text = fmt::format("{{{}}}", fmt::join(items, ", "));
  text::Scanner in(text, text::kHloLexicon);
  attributes.emplace_back("output_to_operand_aliasing",
                          Verbatim{text::read_aliasing(in)});
}

Values topk(const Conversion& c) {
  const Attribute* attribute = c.find("mhlo.attributes");
  const auto* fields = attribute == nullptr
                           ? nullptr
                           : std::get_if<Dictionary>(&attribute->value);
  if (fields == nullptr)
    c.fail("stablehlo.needs", "mhlo.attributes has no k, but must give it");
  return c.make("topk", {{"k", c.field(*fields, "k", 0)},
                         {"largest", c.field(*fields, "largest", 1) != 0}});
}

/// What JAX demands of sizes that its export leaves open.
Values shape_assertion(const Conversion& c) {
  const std::optional<Literal> holds = closed_value(*c.operand(0));
  c.require(holds && holds->type() == ElementType::kPred, "stablehlo.dynamic",
            {"what is asserted does not follow from what is constant"},
            "dynamic shapes cannot be imported here");
  if (holds->integer(0) == 0) {
    c.fail("stablehlo.assertion",
           c.text("error_message", "the assertion does not hold"));
  }
  return {};
}

Values custom_call(const Conversion& c) {
  c.need({"call_target_name"});
  const std::string target = c.text("call_target_name", "");
  if (target == "mhlo.topk") return topk(c);
  if (target == "shape_assertion") return shape_assertion(c);
  if (const Converter convert = find_lapack(target)) return convert(c);
  if (target.starts_with("hlo.")) return carried_instruction(c);
  Attributes attributes = {{"custom_call_target", target}};
  if (c.flag("has_side_effect")) {
    attributes.emplace_back("custom_call_has_side_effect", true);
  }
  add_backend_config(c, attributes);
  add_api_version(c, attributes);
  add_callees(c, attributes);
  add_layouts(c, attributes);
  add_aliases(c, attributes);
  const Shapes shapes =
      laid_out(c, "result_layouts", c.shapes).value_or(c.shapes);
  const Shape shape = shapes.size() == 1 ? shapes[0] : Shape::tuple(shapes);
  c.require(is_static(shape), "stablehlo.dynamic",
            {"a custom call's result is ", shape},
            "dynamic shapes cannot be imported here");
  return c.build().split(
      c.build().add("custom-call", shape, c.operands, std::move(attributes)),
      c.shapes.size());
}

/// The computation that an asynchronous operation wraps, which the text gives
/// as a region or by name.
Computation* wrapped(const Conversion& c) {
  if (c.op.regions.empty()) {
    return c.importer.function(symbol(c, "called_computation").name,
                               c.op.location);
  }
  check_no_captures(c, 0);
  return applied_region(c, 0);
}

Values async_start(const Conversion& c) {
  Computation* computation = wrapped(c);
  std::vector<Shape> operands;
  for (const Instruction* operand : c.operands) {
    operands.push_back(operand->shape);
  }
  return {c.build().add(
      "async-start",
      Shape::tuple({Shape::tuple(operands), computation->root->shape,
                    Shape::scalar(ElementType::kS32)}),
      c.operands, {{"calls", computation}})};
}

Values async_done(const Conversion& c) {
  const Shape& state = c.operand_shape(0);
  c.require(state.is_tuple() && state.tuple_shapes.size() >= 2,
            "stablehlo.operand-count", {"the operand is ", state},
            "it must be what async_start returns");
  return c.build().split(
      c.build().add("async-done", state.tuple_shapes[1], {c.operand(0)}),
      c.op.results.size());
}

constexpr ConverterRow kRows[] = {
    {"func.call", call, true},
    {"stablehlo.async_done", async_done, true, exactly(1)},
    {"stablehlo.async_start", async_start, true, at_least(0), {0, 1}},
    {"stablehlo.composite", composite, true},
    {"stablehlo.custom_call", custom_call, true},
};

}  // namespace

ConverterRows call_rows() { return kRows; }

}  // namespace hlo::stablehlo
