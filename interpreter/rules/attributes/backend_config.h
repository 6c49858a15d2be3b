#pragma once

#include <string>

#include "interpreter/model/module.h"

namespace hlo {

/// The text of the instruction's backend_config, quoted or in bare braces;
/// empty where there is none.
std::string backend_config_text(const Instruction& custom_call);

}  // namespace hlo
