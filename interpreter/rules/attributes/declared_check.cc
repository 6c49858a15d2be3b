#include "interpreter/rules/attributes/declared_check.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "interpreter/error.h"
#include "interpreter/rules/attributes/backend_config.h"
#include "interpreter/rules/op.h"

namespace hlo {
namespace {

using Json = nlohmann::json;

// What StableHLO's tool takes where the call says nothing
// (openxla/stablehlo v1.20.0, its interpreter's fallback for custom calls).
constexpr double kAlmost = 1e-3;
constexpr uint64_t kClose = 3;

constexpr std::string_view kSerialized = "check.expect_serialized_eq";
constexpr std::array<std::string_view, 4> kTargets = {
    "check.expect_eq", "check.expect_close", "check.expect_almost_eq",
    kSerialized};

const std::string& target_of(const Instruction& check) {
  return check.get<std::string>("custom_call_target");
}

Json config_of(const Instruction& check) {
  const std::string text = backend_config_text(check);
  if (text.empty()) return Json::object();
  Json config = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  require(config.is_object(), "check.config",
          {"the configuration of a check is ", text},
          "it must be a JSON object");
  return config;
}

double absolute(const Json& config) {
  const Json value = config.value("tolerance", Json(kAlmost));
  require(value.is_number() && value >= 0, "check.config",
          {"a tolerance is ", [&] { return value.dump(); }},
          "it must be a number that is not negative");
  return value.get<double>();
}

uint64_t steps(const Json& config, const char* name, uint64_t otherwise) {
  const Json value = config.value(name, Json(otherwise));
  require(value.is_number_unsigned(), "check.config",
          {name, " is ", [&] { return value.dump(); }},
          "it must be an integer that is not negative");
  return value.get<uint64_t>();
}

std::string name_of(const Json& config) {
  const Json name = config.value("probe_id", Json());
  require(name.is_string(), "check.config",
          {"probe_id is ", [&] { return name.dump(); }},
          "it must be a string, the name of a probe");
  return name.get<std::string>();
}

bool is_serialized(const Instruction& check) {
  return target_of(check) == kSerialized;
}

}  // namespace

bool is_declared_check(const Instruction& instruction) {
  return instruction.op->form == Form::kForeign &&
         std::ranges::find(kTargets, target_of(instruction)) != kTargets.end();
}

void verify_declared_check(const Instruction& check) {
  if (is_serialized(check)) {
    require(check.operands.size() == 1 && check.operand_shape(0).is_array(),
            "check.operands", {"the operands are ", OperandShapes{check}},
            "what a probe has met can be compared with one array only");
    probed_value(check);
    return;
  }
  require(check.operands.size() == 2 && check.operand_shape(0).is_array() &&
              compatible(check.operand_shape(0), check.operand_shape(1),
                         /*ignore_dynamic=*/true),
          "check.operands", {"the operands are ", OperandShapes{check}},
          "a check needs two arrays of the same shape");
  tolerance_of(check);
}

CheckTolerance tolerance_of(const Instruction& check) {
  const Json config = config_of(check);
  const std::string& target = target_of(check);
  if (target == kTargets[1]) {
    return {.steps = steps(config, "max_ulp_difference", kClose),
            .least_steps = steps(config, "min_ulp_difference", 0)};
  }
  if (target == kTargets[2]) return {.absolute = absolute(config)};
  return {};
}

std::optional<ProbedValue> probed_value(const Instruction& check) {
  if (!is_serialized(check)) return std::nullopt;
  const Json config = config_of(check);
  return ProbedValue{.name = name_of(config),
                     .iteration = steps(config, "iteration", 0)};
}

std::optional<std::string> probe_name(const Instruction& instruction) {
  if (instruction.op->form != Form::kForeign ||
      target_of(instruction) != "interpreter.probe") {
    return std::nullopt;
  }
  return name_of(config_of(instruction));
}

}  // namespace hlo
