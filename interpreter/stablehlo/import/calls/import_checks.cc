#include "interpreter/stablehlo/import/calls/import_checks.h"

#include <fmt/format.h>

#include "interpreter/stablehlo/import/importer/import_attributes.h"
#include "interpreter/text/scan/quote.h"

namespace hlo::stablehlo {
namespace {

/// The tolerances and names that a check declares, as JSON.
std::string declared(const Conversion& c) {
  std::string text;
  for (const char* name :
       {"tolerance", "max_ulp_difference", "min_ulp_difference", "iteration"}) {
    const Attribute* value = c.find(name);
    if (value == nullptr) continue;
    const auto* real = std::get_if<FloatNumber>(&value->value);
    text += fmt::format(
        R"({}"{}":{})", text.empty() ? "" : ",", name,
        real == nullptr ? printed(*value) : fmt::format("{}", real->value));
  }
  if (c.find("probe_id") != nullptr) {
    text += fmt::format(R"({}"probe_id":{})", text.empty() ? "" : ",",
                        text::quote(c.text("probe_id", "")));
  }
  return text;
}

/// The dialect's name without `_const`, as custom-calls have it.
std::string target(const Conversion& c) {
  constexpr std::string_view kConst = "_const";
  std::string name = c.op.name;
  if (name.ends_with(kConst)) name.resize(name.size() - kConst.size());
  return name;
}

/// The dialect's tolerances are not those of custom-calls.
std::string configuration(const Conversion& c) {
  std::string config = declared(c);
  const std::string name = target(c);
  if (name == "check.expect_almost_eq" && config.empty()) {
    return R"("tolerance":0.0001)";
  }
  if (name == "check.expect_close" && c.find("max_ulp_difference") == nullptr) {
    config = R"("max_ulp_difference":1)" + (config.empty() ? "" : "," + config);
  }
  return config;
}

/// A call of the target of the same name: what came, and what is expected.
Values check(const Conversion& c) {
  c.require(c.shapes.size() <= 1, "stablehlo.result-count",
            {"it has ", Count{std::ssize(c.shapes), "result"}},
            "it must have at most 1");
  Values operands = c.operands;
  if (const Attribute* value = c.find("value")) {
    const auto* literal = std::get_if<Literal>(&value->value);
    c.require(literal != nullptr, "stablehlo.needs",
              {"value is of another kind"}, "it must be a literal");
    operands.push_back(c.build().constant(*literal));
  }
  Attributes attributes = {{"custom_call_target", target(c)},
                           {"custom_call_has_side_effect", true}};
  const std::string config = configuration(c);
  if (!config.empty()) {
    attributes.emplace_back("backend_config", Verbatim{"{" + config + "}"});
  }
  const Shape shape =
      c.shapes.size() == 1 ? c.shapes[0] : Shape::tuple(c.shapes);
  return c.build().split(
      c.build().add("custom-call", shape, std::move(operands),
                    std::move(attributes)),
      c.shapes.size());
}

/// A mark for checks.
Values probe(const Conversion& c) {
  return {
      c.build().add("custom-call", c.operand_shape(0), {c.operand(0)},
                    {{"custom_call_target", c.op.name},
                     {"custom_call_has_side_effect", true},
                     {"backend_config", Verbatim{"{" + declared(c) + "}"}}})};
}

Values print(const Conversion& c) {
  c.operand(0);
  return {};
}

/// A mark for a partitioner.
Values sharding_constraint(const Conversion& c) {
  const Attribute* sharding = c.find("sharding");
  const std::string text =
      sharding == nullptr ? std::string() : printed(*sharding);
  return {c.build().add(
      "custom-call", c.operand_shape(0), {c.operand(0)},
      {{"custom_call_target", std::string("xla.sdy.sharding_constraint")},
       {"frontend_attributes",
        Verbatim{"{xla.sdy.sharding=" + text::quote(text) + "}"}}})};
}

constexpr ConverterRow kRows[] = {
    {"check.eq", check, true, exactly(2)},
    {"check.expect_almost_eq", check, true, exactly(2)},
    {"check.expect_almost_eq_const", check, true, exactly(1)},
    {"check.expect_close", check, true, exactly(2)},
    {"check.expect_close_const", check, true, exactly(1)},
    {"check.expect_eq", check, true, exactly(2)},
    {"check.expect_eq_const", check, true, exactly(1)},
    {"check.expect_serialized_eq", check, true, exactly(1)},
    {"interpreter.print", print, true, exactly(1)},
    {"interpreter.probe", probe, true, exactly(1)},
    {"sdy.sharding_constraint", sharding_constraint, true, exactly(1)},
};

}  // namespace

ConverterRows check_rows() { return kRows; }

}  // namespace hlo::stablehlo
