#include "interpreter/rules/attributes/backend_config.h"

namespace hlo {

std::string backend_config_text(const Instruction& custom_call) {
  const AttributeValue* value = custom_call.find("backend_config");
  if (value == nullptr) return {};
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  return std::get<Verbatim>(*value).text;
}

}  // namespace hlo
