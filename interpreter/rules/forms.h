#pragma once

#include "interpreter/rules/op.h"

namespace hlo {

/// The operation of that form, the first one where there are several.
const Op& op_of(Form form);

}  // namespace hlo
