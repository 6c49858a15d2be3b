#pragma once

#include "interpreter/model/attribute.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// The value of an attribute whose kind refers to no names of the module.
AttributeValue read_value(Scanner& in, const AttributeSpec& spec);

}  // namespace hlo::text
