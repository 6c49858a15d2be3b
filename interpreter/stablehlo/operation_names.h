#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "interpreter/model/element_type.h"

namespace hlo::stablehlo {

/// An operation that differs from HLO's in name alone.
struct OperationName {
  std::string_view name;    // "stablehlo.count_leading_zeros"
  std::string_view opcode;  // "count-leading-zeros"
  int classes;              // of element types that StableHLO allows

  std::string_view dialect() const { return name.substr(0, name.find('.')); }

  std::string_view short_name() const {
    return name.substr(name.find('.') + 1);
  }

  /// Whether StableHLO's operation takes operands of that type.
  bool takes(ElementType type) const;
};

/// All of them, the names of StableHLO before those of CHLO.
std::span<const OperationName> operation_names();
/// The row of a name with its dialect, or null.
const OperationName* find_name(std::string_view name);
/// The row that an opcode of HLO is written by, or null.
const OperationName* find_opcode(std::string_view opcode);

/// Functions of CHLO that are targets of custom-calls, of the same names.
std::span<const std::string_view> target_names();

/// Operations of CHLO that broadcast their operands, and the operation that
/// they are then.
std::span<const std::pair<std::string_view, std::string_view>>
broadcasting_names();

}  // namespace hlo::stablehlo
