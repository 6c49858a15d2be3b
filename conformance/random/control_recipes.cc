#include "conformance/random/control_recipes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "conformance/random/region_recipes.h"

namespace hlo::conformance {

namespace {

void write_constant(ProgramWriter& writer, const Op& op) {
  const ElementType type = writer.draw.type();
  writer.add(spell(type, {}), op.name,
             {std::to_string(writer.draw.between(0, 1))});
}

void write_parameter(ProgramWriter& writer, const Op&) {
  const ElementType type = writer.draw.type();
  writer.parameter(Shape::array(type, writer.draw.dims()));
}

void write_tuple(ProgramWriter& writer, const Op& op) {
  Names operands;
  for (int64_t n = writer.draw.between(0, 4); n > 0; --n) {
    operands.push_back(writer.any_value().name);
  }
  writer.add("", op.name, operands);
}

void write_get_tuple_element(ProgramWriter& writer, const Op& op) {
  const Value x = writer.any_value();
  if (x.shape.is_tuple() && !x.shape.tuple_shapes.empty()) {
    const auto last = static_cast<int64_t>(x.shape.tuple_shapes.size()) - 1;
    writer.add("", op.name, {x.name},
               fmt::format("index={}", writer.draw.between(0, last)));
    return;
  }
  const std::string pair = writer.add("", "tuple", {x.name, x.name});
  writer.add("", op.name, {pair}, "index=1");
}

void write_call(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const std::string body = write_body(writer, x.shape, 2);
  const std::string y = writer.operand(x.shape);
  const bool is_fusion = op.name == "fusion";
  writer.add(is_fusion ? to_string(x.shape, false) : "", op.name, {x.name, y},
             (is_fusion ? "kind=kLoop, calls=" : "to_apply=") + body);
}

// Counts to a small number, and changes an array each time.
void write_while(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const Shape counter = Shape::scalar(ElementType::kS32);
  const Shape state = Shape::tuple({counter, x.shape});
  const std::string body = write_body(writer, x.shape, 1);
  const std::string condition = writer.computation(
      {state},
      {"i = get-tuple-element(p0), index=0",
       fmt::format("n = s32[] constant({})", writer.draw.between(0, 4)),
       "r = compare(i, n), direction=LT"});
  const std::string loop = writer.computation(
      {state},
      {"i = get-tuple-element(p0), index=0", "one = s32[] constant(1)",
       "j = add(i, one)", "x = get-tuple-element(p0), index=1",
       fmt::format("y = call(x), to_apply={}", body), "t = tuple(j, y)"});
  const std::string zero = writer.number(ElementType::kS32, 0);
  const std::string init = writer.add("", "tuple", {zero, x.name});
  writer.add("", op.name, {init},
             fmt::format("condition={}, body={}", condition, loop));
}

void write_conditional(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const std::string a = write_body(writer, x.shape, 1);
  const std::string b = write_body(writer, x.shape, 1);
  const std::string y = writer.operand(x.shape);
  if (writer.draw.one_in(2)) {
    const std::string p = writer.operand(Shape::scalar(ElementType::kPred));
    writer.add("", op.name, {p, x.name, y},
               fmt::format("true_computation={}, false_computation={}", a, b));
  } else {
    const std::string i = writer.operand(Shape::scalar(ElementType::kS32));
    writer.add("", op.name, {i, x.name, y, x.name},
               fmt::format("branch_computations={{{}, {}, {}}}", a, b, a));
  }
}

void write_function(ProgramWriter& writer, const Value& x,
                    std::string_view target, int64_t operands) {
  Names names = {x.name};
  while (static_cast<int64_t>(names.size()) < operands) {
    names.push_back(writer.operand(x.shape));
  }
  Shape result = x.shape;
  if (target.starts_with("chlo.is_")) result.element_type = ElementType::kPred;
  writer.add(to_string(result, false), "custom-call", names,
             fmt::format("custom_call_target=\"{}\"", target));
}

void write_custom_call(ProgramWriter& writer, const Op&) {
  constexpr std::array kUnary = {"Sharding",
                                 "chlo.lgamma",
                                 "chlo.digamma",
                                 "chlo.erfc",
                                 "chlo.erf_inv",
                                 "chlo.bessel_i1e",
                                 "chlo.is_inf",
                                 "chlo.is_pos_inf",
                                 "chlo.acos",
                                 "chlo.acosh",
                                 "chlo.asin",
                                 "chlo.asinh",
                                 "chlo.atanh",
                                 "chlo.cosh",
                                 "chlo.erf",
                                 "chlo.sinh",
                                 "chlo.tan",
                                 "chlo.is_neg_inf",
                                 "SPMDFullToShardShape"};
  constexpr std::array kBinary = {"chlo.polygamma", "chlo.zeta",
                                  "chlo.next_after"};
  const Value x = writer.array(is_float);
  if (writer.draw.one_in(4)) {
    write_function(writer, x, writer.draw.of(kBinary), 2);
  } else {
    write_function(writer, x, writer.draw.of(kUnary), 1);
  }
}

void write_after_all(ProgramWriter& writer, const Op& op) {
  const std::string first = writer.add("", op.name, {});
  if (writer.draw.one_in(2)) writer.add("", op.name, {first, first});
}

void write_add_dependency(ProgramWriter& writer, const Op& op) {
  const std::string token = writer.add("", "after-all", {});
  writer.add("", op.name, {writer.any_value().name, token});
}

void write_domain(ProgramWriter& writer, const Op& op) {
  writer.add("", op.name, {writer.array().name},
             "domain={kind=\"sharding\", entry={maximal device=0}, "
             "exit={maximal device=0}}");
}

void write_async(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const std::string shape = to_string(x.shape, false);
  const std::string body = write_body(writer, x.shape, 2);
  const bool is_late = op.name == "async-update";
  const std::string both =
      spell_tuple({spell_tuple({shape, shape}), shape, "u32[]"});
  std::string last = writer.add(
      is_late ? spell_tuple({spell_tuple({shape}), "()", "u32[]"}) : both,
      "async-start", is_late ? Names{x.name} : Names{x.name, x.name},
      "calls=" + body);
  if (is_late) last = writer.add(both, "async-update", {last, x.name});
  writer.add(shape, "async-done", {last});
}

void write_copy_start(ProgramWriter& writer, const Op&) {
  const Value x = writer.array();
  const std::string shape = to_string(x.shape, false);
  const std::string start =
      writer.add(spell_tuple({shape, shape, "u32[]"}), "copy-start", {x.name});
  writer.add(shape, "copy-done", {start});
}

}  // namespace

std::span<const NamedRecipe> control_recipes() {
  static constexpr std::array kRecipes = std::to_array<NamedRecipe>({
      {"constant", write_constant},
      {"parameter", write_parameter},
      {"tuple", write_tuple},
      {"get-tuple-element", write_get_tuple_element},
      {"call", write_call},
      {"fusion", write_call},
      {"while", write_while},
      {"conditional", write_conditional},
      {"custom-call", write_custom_call},
      {"after-all", write_after_all},
      {"add-dependency", write_add_dependency},
      {"domain", write_domain},
      {"async-start", write_async},
      {"async-update", write_async},
      {"async-done", write_async},
      {"copy-start", write_copy_start},
      {"copy-done", write_copy_start},
  });
  return kRecipes;
}

}  // namespace hlo::conformance
