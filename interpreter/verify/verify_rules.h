#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/rules/surroundings.h"

// The rules of spec/verify.md, each of which verify() applies. They throw
// verify Errors; those about one instruction leave its place to the caller.

namespace hlo {

/// The instruction in one short line, for messages: "%x = f32[2] add(%a, %b)".
std::string summary(const Instruction& instruction);

using UserList = std::vector<const Instruction*>;
/// For each instruction of the computation, by position, those that use it;
/// each user once.
std::vector<UserList> find_users(const Computation& computation);

/// The number of operands fits the operation, and they stand before it in the
/// same computation.
void check_operands(const Instruction& instruction);
/// The attributes are known to the operation, required ones are there, and
/// each has the type of its kind.
void check_attributes(const Instruction& instruction);
/// The shape that the operation infers is the given one; it is filled in where
/// none was given.
void check_shape(Instruction& instruction);
/// Dimensions without bound are in no shape.
void check_bounded(const Instruction& instruction);
/// origin has the structure of the shape.
void check_origin(const Instruction& instruction);
/// An instruction of a fused computation is used unless it is the root.
void check_fused(const Surroundings& around);
/// output_to_operand_aliasing names parts that exist and fit.
void check_operand_aliasing(const Instruction& instruction);
/// sharding fits the shape.
void check_sharding(const Instruction& instruction);
/// A loop or a conditional and its computations agree on the sharding.
void check_common_sharding(const Instruction& instruction);

/// Buffers `b(...)` of a computation are passed on and written once.
class BufferRules {
 public:
  void check(const Surroundings& around);

 private:
  using Origin = std::pair<const Instruction*, Index>;
  void write(const Instruction& instruction);

  std::set<Origin> written_;
};

/// The rules about instructions that share a channel.
class ChannelRules {
 public:
  void check(const Instruction& instruction);

 private:
  std::map<int64_t, const Instruction*> first_;
  std::map<std::pair<int64_t, const Op*>, const Instruction*> host_;
};

/// How deep regions that are applied to elements lie in each other.
class NestingRules {
 public:
  /// What the instruction calls has been checked.
  void check(const Instruction& instruction);

 private:
  std::map<const Computation*, int64_t> levels_;  // within the computation
};

/// How much shapes may grow while they are inferred. Tuples of tuples grow
/// exponentially with the text.
class ShapeBudget {
 public:
  /// The budget of a program that has no instructions yet.
  ShapeBudget();
  explicit ShapeBudget(const Module& module);
  void begin(const Computation& computation);
  /// For one more instruction, at the end of the computation; and back, where
  /// it turns out not to be one.
  void add_instruction();
  void drop_instruction();
  /// Before the shape is inferred: it may copy those of the operands.
  void take_operands(const Instruction& instruction);
  /// Afterwards.
  void take_result(const Instruction& instruction);

 private:
  void take(int64_t nodes);

  int64_t left_;
  int64_t left_before_ = 0;     // the instruction that was added
  std::vector<int64_t> nodes_;  // of the shape at each position
};

/// What the instruction is by itself, so that others may build on it; its
/// shape is filled in where none is given.
void check_alone(Instruction& instruction, ShapeBudget& budget);
/// The error with the instruction that it is about.
Error at(const Error& error, const Instruction& instruction);

/// There are replicas and partitions.
void check_devices(const Module& module);
/// The parameters are numbered from 0 without gaps or repetition.
void check_parameters(const Computation& computation);
/// A result that the signature declares is the root's shape.
void check_signature(const Computation& computation);
/// entry_computation_layout agrees with the entry computation.
void check_entry_layout(const Module& module);
/// input_output_alias and buffer_donor name parts that exist and fit.
void check_module_aliasing(const Module& module);
/// All all-reduces constrain their layouts, or none.
void check_constrained_layouts(const Module& module);

}  // namespace hlo
