#include "interpreter/stablehlo/export/export_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/rules/op.h"
#include "interpreter/stablehlo/export/export_literal.h"
#include "interpreter/stablehlo/export/export_marks.h"
#include "interpreter/stablehlo/export/export_text.h"
#include "interpreter/stablehlo/mlir_words.h"

namespace hlo::stablehlo {
namespace {

/// Computations of several callers are written at each of them while they are
/// as small as a reducer, so that the text stays linear in the module's size.
constexpr size_t kSmall = 8;
/// What one operation carries may be most of its module: two such factors must
/// not exhaust the memory.
constexpr std::ptrdiff_t kLongestText = std::ptrdiff_t{1} << 31;
/// Regions within regions; deeper ones are called.
constexpr int kDeepest = 32;

std::string operand_names(const Leaves& operands) {
  std::string text;
  for (const Leaf& operand : operands) {
    if (!text.empty()) text += ", ";
    text += operand.name;
  }
  return "(" + text + ")";
}

std::string types_of(const Leaves& leaves) {
  std::string text;
  for (const Leaf& leaf : leaves) {
    if (!text.empty()) text += ", ";
    text += type_text(leaf.shape);
  }
  return "(" + text + ")";
}

std::string argument_list(const Leaves& leaves) {
  std::string text;
  for (const Leaf& leaf : leaves) {
    if (!text.empty()) text += ", ";
    text += leaf.name + ": " + type_text(leaf.shape);
  }
  return text;
}

bool applies_others(const Instruction& instruction) {
  return std::ranges::any_of(instruction.attributes, [](const auto& attribute) {
    return std::holds_alternative<Computation*>(attribute.second) ||
           std::holds_alternative<Computations>(attribute.second);
  });
}

/// Small, and nothing in it grows: regions in regions would multiply.
bool is_small(const Computation& computation) {
  const auto& all = computation.instructions;
  return all.size() <= kSmall &&
         std::ranges::none_of(all, [](const auto& instruction) {
           return applies_others(*instruction);
         });
}

/// The types of a function's arguments and results have names in StableHLO.
void require_types(const Instruction* instruction) {
  try {
    for (const Shape& leaf : leaf_shapes(instruction->shape)) type_text(leaf);
  } catch (const Error& error) {
    cannot_export(*instruction, error.message());
  }
}

}  // namespace

std::string Writer::fresh() { return fmt::format("%{}", next_value_++); }

void Writer::line(std::string_view indented) {
  text_.append(2 * static_cast<size_t>(depth_), ' ').append(indented) += '\n';
}

const Leaves& Writer::of(const Instruction& instruction) const {
  return values_.at(&instruction);
}

const Instruction* Writer::only_user(const Instruction& instruction) const {
  const auto found = state_.users.find(&instruction);
  return found == state_.users.end() ? nullptr : found->second;
}

Leaves Writer::operands(const Instruction& instruction) const {
  Leaves all;
  for (const Instruction* operand : instruction.operands) {
    const Leaves& one = of(*operand);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

Leaves Writer::add(const OperationText& operation, const Instruction* source) {
  if (std::ssize(text_) > kLongestText) {
    throw Error(
        Phase::kVerify, "stablehlo.export",
        joined({"the text is too long, ", Count{std::ssize(text_), "byte"},
                ", but it can have at most ", kLongestText}));
  }
  Leaves results;
  const std::string value = fresh();
  const size_t count = operation.results.size();
  for (size_t i = 0; i < count; ++i) {
    results.push_back({count == 1 ? value : fmt::format("{}#{}", value, i),
                       operation.results[i]});
  }
  text_.append(2 * static_cast<size_t>(depth_), ' ');
  if (count == 1) text_ += value + " = ";
  if (count > 1) text_ += fmt::format("{}:{} = ", value, count);
  text_ += fmt::format("\"{}.{}\"{}", operation.dialect, operation.name,
                       operand_names(operation.operands));
  if (!operation.properties.empty()) {
    text_.append(" <{").append(operation.properties).append("}>");
  }
  for (size_t r = 0; r < operation.regions.size(); ++r) {
    text_ += r == 0 ? " ({\n" : ", {\n";
    region(operation.regions[r]);
    text_.append(2 * static_cast<size_t>(depth_), ' ') += '}';
  }
  if (!operation.regions.empty()) text_ += ')';
  if (source != nullptr) text_ += marks_text(*source);
  text_ += " : " + types_of(operation.operands) + " -> " + types_of(results);
  if (source != nullptr) text_ += location_text(*source);
  text_ += '\n';
  return results;
}

Leaves Writer::call(const Computation& callee, Leaves arguments,
                    const Instruction* source) {
  const auto [entry, is_new] = state_.names.try_emplace(&callee);
  if (is_new) {
    std::string name = callee.name;
    for (int i = 1; !state_.taken.insert(name).second; ++i) {
      name = fmt::format("{}.{}", callee.name, i);
    }
    entry->second = name;
    state_.waiting.push_back(&callee);
  }
  return add({.dialect = "func",
              .name = "call",
              .operands = std::move(arguments),
              .properties = "callee = @" + string_text(entry->second),
              .results = leaf_shapes(callee.root->shape)},
             source);
}

Leaf Writer::zero(const Shape& shape) {
  return add({.name = "constant",
              .properties = "value = " + dense_text(Literal(shape)),
              .results = {shape}},
             nullptr)[0];
}

Leaf Writer::converted(const Leaf& value, ElementType type) {
  if (value.shape.element_type == type) return value;
  Shape shape = value.shape;
  shape.element_type = type;
  return add({.name = "convert", .operands = {value}, .results = {shape}},
             nullptr)[0];
}

bool Writer::is_inlined(const Computation& computation) const {
  const auto uses = state_.uses.find(&computation);
  const bool once = uses == state_.uses.end() || uses->second <= 1;
  return depth_ < kDeepest && (once || is_small(computation));
}

void Writer::bind_parameters(const Computation& computation,
                             const Leaves& leaves) {
  size_t next = 0;
  for (const Instruction* parameter : computation.parameters) {
    Leaves& bound = values_[parameter];
    bound.clear();
    const size_t count = hlo::leaves(parameter->shape).size();
    for (size_t i = 0; i < count; ++i) bound.push_back(leaves.at(next++));
  }
}

void Writer::instruction(const Instruction& instruction) {
  try {
    values_[&instruction] = state_.write(*this, instruction);
  } catch (const Error& error) {
    if (error.location().line != 0 || error.rule() != "stablehlo.export") throw;
    cannot_export(instruction, error.message());
  }
}

void Writer::body(const Computation& computation, std::string_view dialect) {
  for (const auto& instruction : computation.instructions) {
    if (instruction->op->form == Form::kParameter) continue;
    this->instruction(*instruction);
  }
  const Leaves& results = of(*computation.root);
  line(fmt::format("\"{}.return\"{} : {} -> ()", dialect,
                   operand_names(results), types_of(results)));
}

void Writer::region(const RegionText& region) {
  const Computation& computation = *region.body;
  Leaves arguments;
  if (region.captured != nullptr) {
    arguments = *region.captured;
  } else {
    for (const Instruction* parameter : computation.parameters) {
      for (const Shape& leaf : leaf_shapes(parameter->shape)) {
        arguments.push_back({fmt::format("%arg{}", next_argument_++), leaf});
      }
    }
    if (!arguments.empty()) line("^bb0(" + argument_list(arguments) + "):");
  }
  ++depth_;
  if (is_inlined(computation)) {
    bind_parameters(computation, arguments);
    body(computation, "stablehlo");
  } else {
    const Leaves results = call(computation, arguments, nullptr);
    line(fmt::format("\"stablehlo.return\"{} : {} -> ()",
                     operand_names(results), types_of(results)));
  }
  --depth_;
}

void Writer::function(const Computation& computation, bool is_main) {
  std::ranges::for_each(computation.parameters, require_types);
  require_types(computation.root);
  Leaves arguments;
  std::string list;
  for (const Instruction* parameter : computation.parameters) {
    for (const Shape& leaf : leaf_shapes(parameter->shape)) {
      arguments.push_back({fmt::format("%arg{}", next_argument_++), leaf});
      if (!list.empty()) list += ", ";
      list += arguments.back().name + ": " + type_text(leaf);
      if (is_main) list += argument_marks(*parameter);
    }
  }
  Leaves results;
  for (const Shape& leaf : leaf_shapes(computation.root->shape)) {
    results.push_back({"", leaf});
  }
  depth_ = 1;
  line(fmt::format(
      "func.func {} @{}({}) -> {} {{", is_main ? "public" : "private",
      is_main ? "main" : string_text(state_.names.at(&computation)), list,
      types_of(results)));
  depth_ = 2;
  bind_parameters(computation, arguments);
  body(computation, "func");
  depth_ = 1;
  line("}");
}

Leaves plain(Writer& writer, const Instruction& instruction,
             std::string_view name, std::string properties,
             std::vector<RegionText> regions, std::string_view dialect) {
  return writer.add({.dialect = dialect,
                     .name = std::string(name),
                     .operands = writer.operands(instruction),
                     .properties = std::move(properties),
                     .regions = std::move(regions),
                     .results = leaf_shapes(instruction.shape)},
                    &instruction);
}

std::vector<Shape> of_types(const Shape& results,
                            std::span<const ElementType> types) {
  std::vector<Shape> shapes = leaf_shapes(results);
  for (size_t i = 0; i < shapes.size(); ++i) {
    shapes[i].element_type = types[i];
  }
  return shapes;
}

Leaves plain_of_types(Writer& writer, const Instruction& instruction,
                      std::string_view name, std::string properties,
                      std::span<const ElementType> types,
                      std::vector<RegionText> regions) {
  return writer.add({.name = std::string(name),
                     .operands = writer.operands(instruction),
                     .properties = std::move(properties),
                     .regions = std::move(regions),
                     .results = of_types(instruction.shape, types)},
                    &instruction);
}

Leaves moved(Writer& writer, const Instruction& instruction,
             std::string_view name, std::string properties) {
  const ElementType type = instruction.operand_shape(0).element_type;
  return plain_of_types(writer, instruction, name, std::move(properties),
                        {&type, 1});
}

}  // namespace hlo::stablehlo
