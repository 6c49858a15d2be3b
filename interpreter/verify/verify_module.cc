#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "interpreter/rules/attributes/aliasing.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/devices/device_rules.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

bool is_bounded(const Shape& shape) {
  return std::ranges::all_of(shape.dims, [](int64_t d) { return d >= 0; }) &&
         std::ranges::all_of(shape.tuple_shapes, is_bounded);
}

bool has_structure(const Nesting& nesting, const Shape& shape) {
  if (nesting.is_leaf) return !shape.is_tuple();
  return shape.is_tuple() &&
         std::ranges::equal(nesting.elements, shape.tuple_shapes,
                            has_structure);
}

const std::string* header_text(const Module& module, std::string_view name) {
  for (const HeaderAttribute& attribute : module.header) {
    if (attribute.name != name) continue;
    if (const auto* text = std::get_if<Verbatim>(&attribute.value)) {
      return &text->text;
    }
  }
  return nullptr;
}

Shape parameter_shape(const Module& module, size_t number) {
  return module.entry_layout ? module.entry_layout->parameters[number]
                             : module.entry->parameters[number]->shape;
}

Shape result_shape(const Module& module) {
  return module.entry_layout ? module.entry_layout->result
                             : module.entry->root->shape;
}

/// Whether type, dimensions, order in memory and memory space are equal.
bool same_memory(const Shape& a, const Shape& b) {
  const Layout x = a.layout.value_or(default_layout(a.rank()));
  const Layout y = b.layout.value_or(default_layout(b.rank()));
  return compatible(a, b, true) && x.minor_to_major == y.minor_to_major &&
         x.memory_space == y.memory_space;
}

/// The parameter, and the place in it, that an alias or a donor names.
Shape aliased_parameter(const Module& module, const Alias& alias) {
  const auto count = static_cast<int64_t>(module.entry->parameters.size());
  require(alias.operand >= 0 && alias.operand < count, "module.alias-parameter",
          {"parameter ", alias.operand, " is aliased or donated and there are ",
           Count{count, "parameter"}},
          "it must exist");
  const Shape whole =
      parameter_shape(module, static_cast<size_t>(alias.operand));
  const Shape* part = find_subshape(whole, alias.operand_index);
  require(part != nullptr && !part->is_tuple(), "module.alias-index",
          {"part ", alias.operand_index, " of parameter ", alias.operand,
           ", which is ", whole, ", is aliased or donated"},
          "it must be a part of its shape that is no tuple");
  return *part;
}

using Place = std::pair<int64_t, Index>;

std::set<Place> check_aliases(const Module& module) {
  std::set<Place> parameters;
  std::set<Index> outputs;
  const std::string* text = header_text(module, "input_output_alias");
  if (text == nullptr) return parameters;
  const auto aliases = read_aliases(*text);
  if (!aliases) return parameters;
  const Shape result = result_shape(module);
  for (const Alias& alias : *aliases) {
    const Shape parameter = aliased_parameter(module, alias);
    const Shape* output = find_subshape(result, alias.output);
    require(output != nullptr && !output->is_tuple(), "module.alias-index",
            {"part ", alias.output, " of the result ", result, " is aliased"},
            "it must be a part of its shape that is no tuple");
    require(parameters.emplace(alias.operand, alias.operand_index).second &&
                outputs.insert(alias.output).second,
            "module.alias-repeated",
            {"part ", alias.operand_index, " of parameter ", alias.operand,
             " or part ", alias.output, " of the result is aliased again"},
            "each may be aliased once");
    require(!alias.must_alias || same_memory(parameter, *output),
            "module.alias-shape",
            {"parameter ", alias.operand, " has the part ", parameter,
             " and the result the part ", *output},
            "where one must be aliased with the other, both must have one "
            "shape, order and memory space");
  }
  return parameters;
}

void check_donors(const Module& module, const std::set<Place>& aliased) {
  const std::string* text = header_text(module, "buffer_donor");
  if (text == nullptr) return;
  const auto donors = read_donors(*text);
  if (!donors) return;
  for (const Alias& donor : *donors) {
    aliased_parameter(module, donor);
    require(!aliased.contains({donor.operand, donor.operand_index}),
            "module.alias-repeated",
            {"part ", donor.operand_index, " of parameter ", donor.operand,
             " is aliased and donated"},
            "it can be one of the two");
  }
}

/// An all-reduce, and its start: those that take these attributes.
bool combines(const Op& op) {
  return op.attributes.data() == std::data(kAllReduceAttributes);
}

// A region within a region is evaluated by recursion.
constexpr int64_t kMostLevels = 64;

}  // namespace

void NestingRules::check(const Instruction& instruction) {
  for (const Computation* called : called_by(instruction)) {
    const int64_t own = instruction.op->control == nullptr ? 1 : 0;
    const int64_t levels = levels_[called] + own;
    require(levels <= kMostLevels, "evaluate.depth",
            {"regions are nested ", levels, " deep"},
            "they can be nested at most 64 deep");
    int64_t& most = levels_[instruction.parent];
    most = std::max(most, levels);
  }
}

void check_bounded(const Instruction& instruction) {
  require(is_bounded(instruction.shape), "module.unbounded",
          {"the shape is ", instruction.shape},
          "every dimension must have a bound");
}

void check_origin(const Instruction& instruction) {
  const AttributeValue* value = instruction.find("origin");
  if (value == nullptr) value = instruction.find("original_value");
  if (value == nullptr) return;
  const auto origin = read_origin(std::get<Verbatim>(*value).text);
  require(!origin || has_structure(*origin, instruction.shape), "module.origin",
          {"origin is ", std::get<Verbatim>(*value).text, " for the shape ",
           instruction.shape},
          "its tuples must be those of the shape");
}

void check_fused(const Surroundings& around) {
  const Instruction& fused = around.instruction;
  const bool is_root = &fused == fused.parent->root;
  require(is_root || !around.users->empty(), "module.fused",
          {"%", fused.name, " is not used"},
          "everything in a fused computation but its root must be");
}

void check_operand_aliasing(const Instruction& instruction) {
  // Operations that run beside others have other operands than those here.
  if (instruction.op->form == Form::kAsync) return;
  for (const Alias& alias : aliases_of(instruction)) {
    check_alias(alias, operand_shapes(instruction), instruction.shape);
  }
}

void check_module_aliasing(const Module& module) {
  if (module.entry == nullptr) return;
  check_donors(module, check_aliases(module));
}

void check_constrained_layouts(const Module& module) {
  std::optional<bool> first;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (!combines(*instruction->op)) continue;
      const bool is = instruction->get_or<bool>("constrain_layout", false);
      if (!first) first = is;
      if (*first == is) continue;
      throw Error(Phase::kVerify, "collective.constrain-layout",
                  "one all-reduce constrains its layout and another does not, "
                  "but either all must or none",
                  instruction->location);
    }
  }
}

}  // namespace hlo
