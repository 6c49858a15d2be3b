#include "conformance/random/program_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {

namespace {

constexpr int64_t kMostElements = 20'000;
constexpr int64_t kMostConstantElements = 64;

int64_t elements(const Shape& shape) {
  int64_t result = 0;
  for (const Shape* leaf : leaves(shape)) {
    if (leaf->is_array()) result += std::min(leaf->element_count(), 1L << 40);
  }
  return result;
}

bool has_token(const Shape& shape) {
  return std::ranges::any_of(
      leaves(shape), [](const Shape* leaf) { return !leaf->is_array(); });
}

// Such an instruction is used by its other half alone.
bool has_second_half(std::string_view op) {
  return op.ends_with("-start") || op == "async-update" || op == "send" ||
         op == "recv";
}

}  // namespace

std::string list(const std::vector<int64_t>& values) {
  return fmt::format("{{{}}}", fmt::join(values, ","));
}

std::string spell(ElementType type, const std::vector<int64_t>& dims) {
  return to_string(Shape::array(type, dims), false);
}

std::string spell_tuple(const std::vector<std::string>& shapes) {
  return fmt::format("({})", fmt::join(shapes, ", "));
}

ProgramWriter::ProgramWriter(uint64_t seed)
    : draw(seed), sizes_(~seed), has_sizes_(sizes_.one_in(4)) {
  if (draw.one_in(3)) replicas_ = draw.between(1, 4);
  if (draw.one_in(6)) partitions_ = draw.between(1, 3);
}

std::string ProgramWriter::fresh(const Shape& shape) {
  const bool is_constant = shape.is_array() &&
                           !shape.has_dynamic_dimensions() &&
                           shape.element_count() <= kMostConstantElements;
  Shape laid_out = shape;
  if (shape.is_array() && draw.one_in(4)) {
    laid_out.layout = default_layout(shape.rank());
    laid_out.layout->minor_to_major = draw.permutation(shape.rank());
  }
  if (is_constant && !draw.one_in(3)) {
    return add(to_string(laid_out), "constant",
               {text::print(draw.literal(
                   Shape::array(shape.element_type, shape.dims)))});
  }
  return parameter(laid_out);
}

std::string ProgramWriter::parameter(const Shape& shape) {
  return add(to_string(shape), "parameter",
             {std::to_string(state_.parameters++)});
}

Names ProgramWriter::some_values() {
  Names names;
  for (const Value& value : state_.values) {
    if (draw.one_in(3)) continue;
    names.push_back(value.name);
    used_.insert(value.name);
  }
  return names;
}

const Value* ProgramWriter::reused(
    const std::function<bool(const Shape&)>& accept) {
  std::vector<const Value*> found;
  for (const Value& value : state_.values) {
    if (accept(value.shape)) found.push_back(&value);
  }
  if (found.empty() || draw.one_in(3)) return nullptr;
  const Value* chosen = draw.of(found);
  used_.insert(chosen->name);
  return chosen;
}

std::string ProgramWriter::operand(const Shape& shape) {
  const Value* value =
      reused([&](const Shape& other) { return compatible(shape, other); });
  return sized(value != nullptr ? *value : Value{fresh(shape), shape}).name;
}

Value ProgramWriter::sized(Value value) {
  const int64_t rank = value.shape.rank();
  if (!has_sizes_ || rank == 0 || !sizes_.one_in(3)) return value;
  const int64_t d = sizes_.between(0, rank - 1);
  const int64_t bound = value.shape.dims[static_cast<size_t>(d)];
  const std::string size =
      number(ElementType::kS32, sizes_.between(bound > 0 ? 1 : 0, bound));
  value.name = add("", "set-dimension-size", {value.name, size},
                   fmt::format("dimensions={{{}}}", d));
  value.shape.set_dynamic(d, true);
  return value;
}

std::string ProgramWriter::operand(ElementType type,
                                   std::vector<int64_t> dims) {
  return operand(Shape::array(type, std::move(dims)));
}

std::string ProgramWriter::number(ElementType type, int64_t value) {
  return add(spell(type, {}), "constant", {std::to_string(value)});
}

std::string ProgramWriter::numbers(ElementType type,
                                   const std::vector<int64_t>& values) {
  return add(spell(type, {static_cast<int64_t>(values.size())}), "constant",
             {list(values)});
}

Value ProgramWriter::array(const std::function<bool(ElementType)>& accept) {
  return array_of_rank(0, accept);
}

Value ProgramWriter::array_of_rank(
    int64_t least, const std::function<bool(ElementType)>& accept) {
  const Value* value = reused([&](const Shape& shape) {
    return shape.is_array() && shape.rank() >= least &&
           (!accept || accept(shape.element_type));
  });
  if (value != nullptr) return sized(*value);
  ElementType type = draw.type();
  while (accept && !accept(type)) type = draw.type();
  std::vector<int64_t> dims = draw.dims();
  while (static_cast<int64_t>(dims.size()) < least) {
    dims.push_back(draw.between(1, 4));
  }
  const Shape shape = Shape::array(type, std::move(dims));
  return sized({fresh(shape), shape});
}

Value ProgramWriter::any_value() {
  const Value* value =
      reused([](const Shape& shape) { return !has_token(shape); });
  return value != nullptr ? *value : array();
}

std::string ProgramWriter::add(std::string_view shape, std::string_view op,
                               const Names& operands,
                               std::string_view attributes) {
  std::string name = fresh_name();
  state_.lines.push_back(fmt::format(
      "{} = {}{}{}({}){}{}", name, shape, shape.empty() ? "" : " ", op,
      fmt::join(operands, ", "), attributes.empty() ? "" : ", ", attributes));
  return name;
}

std::string ProgramWriter::computation(const std::vector<Shape>& parameters,
                                       const std::vector<std::string>& body) {
  std::string name = fmt::format("c{}", state_.names++);
  std::string text = name + " {\n";
  for (size_t i = 0; i < parameters.size(); ++i) {
    text += fmt::format("  {}p{} = {} parameter({})\n",
                        body.empty() && i == 0 ? "ROOT " : "", i,
                        to_string(parameters[i], false), i);
  }
  for (const std::string& line : body) {
    text += fmt::format("  {}{}\n", &line == &body.back() ? "ROOT " : "", line);
  }
  state_.computations.push_back(text + "}\n");
  return name;
}

int64_t ProgramWriter::channel() { return ++state_.channels; }

std::string ProgramWriter::header() const {
  std::string text = "HloModule random";
  if (replicas_ > 1) text += fmt::format(", replica_count={}", replicas_);
  if (partitions_ > 1) text += fmt::format(", num_partitions={}", partitions_);
  return text + "\n";
}

bool ProgramWriter::step(int64_t most, const std::function<void()>& recipe) {
  const State before = state_;
  used_.clear();
  recipe();
  if (size() <= most && accept_step(before)) return true;
  state_ = before;
  return false;
}

// A step needs only the shapes of earlier lines: they become parameters.
bool ProgramWriter::accept_step(const State& before) {
  if (state_.lines.size() == before.lines.size()) return false;
  std::string text = header();
  for (size_t i = before.computations.size(); i < state_.computations.size();
       ++i) {
    text += state_.computations[i];
  }
  text += "ENTRY e {\n";
  int64_t parameters = before.parameters;
  int64_t placeholders = state_.parameters;
  for (const Value& value : before.values) {
    if (!used_.contains(value.name)) continue;
    text += fmt::format("  {} = {} parameter({})\n", value.name,
                        to_string(value.shape), placeholders++);
  }
  for (int64_t i = 0; i < parameters; ++i) {
    text += fmt::format("  before{} = s32[] parameter({})\n", i, i);
  }
  const size_t first = before.lines.size();
  for (size_t i = first; i < state_.lines.size(); ++i) {
    text += fmt::format("  {}{}\n", i + 1 == state_.lines.size() ? "ROOT " : "",
                        state_.lines[i]);
  }
  try {
    const Module module = verified_module(text + "}\n");
    const auto& made = module.entry->instructions;
    for (size_t i = made.size() - (state_.lines.size() - first);
         i < made.size(); ++i) {
      if (elements(made[i]->shape) > kMostElements) return false;
      if (has_second_half(made[i]->op->name)) continue;
      state_.values.push_back({made[i]->name, made[i]->shape});
    }
  } catch (const Error& error) {
    return false;
  }
  return true;
}

std::string ProgramWriter::text() {
  std::string text = header();
  for (const std::string& computation : state_.computations) {
    text += computation;
  }
  text += "ENTRY e {\n";
  for (size_t i = 0; i < state_.lines.size(); ++i) {
    text += fmt::format("  {}{}\n", i + 1 == state_.lines.size() ? "ROOT " : "",
                        state_.lines[i]);
  }
  return text + "}\n";
}

}  // namespace hlo::conformance
