#include "interpreter/model/module.h"

namespace hlo {

const AttributeValue* Instruction::find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes) {
    if (key == attribute) return &value;
  }
  return nullptr;
}

}  // namespace hlo
