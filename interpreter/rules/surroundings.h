#pragma once

#include <vector>

#include "interpreter/model/module.h"

namespace hlo {

/// An instruction and what stands around it (Op::check).
struct Surroundings {
  const Instruction& instruction;
  /// What uses its value, each of them once; null while that is not known.
  const std::vector<const Instruction*>* users;
  const Module& module;
  bool is_entry;     // whether it stands in the entry computation
  bool has_buffers;  // whether a value of its computation holds one
};

}  // namespace hlo
