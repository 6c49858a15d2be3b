#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/verify/verify_rules.h"

/// Builds HLO programs by calling functions with the names of XLA's builder
/// (spec/builder.md). What they emit is explicit HLO. Their errors are verify
/// Errors of the rules of the pages, thrown by the call that violates them.
namespace hlo::builder {

class XlaBuilder;

/// The value of an instruction of a builder; copies stand for the same one. It
/// must not outlive its builder.
class XlaOp {
 public:
  XlaOp() = default;

  /// Error "builder.C1" where it is of no builder.
  XlaBuilder& builder() const;
  const Shape& shape() const;

 private:
  friend class XlaBuilder;

  XlaOp(Instruction* instruction, XlaBuilder* builder)
      : instruction_(instruction), builder_(builder) {}

  Instruction* instruction_ = nullptr;
  XlaBuilder* builder_ = nullptr;
};

using XlaOps = std::vector<XlaOp>;

/// A verified program; copies share it. Others may call its entry computation.
class XlaComputation {
 public:
  XlaComputation() = default;

  explicit XlaComputation(Module module);

  /// Error "builder.C2" where nothing has been built.
  const Module& module() const;

 private:
  std::shared_ptr<const Module> module_;
};

/// The computation that is being built, and those that it calls.
class XlaBuilder {
 public:
  /// The name is that of the program and its entry computation; characters that
  /// HLO names do not have become `_`.
  explicit XlaBuilder(std::string_view name);
  XlaBuilder(const XlaBuilder&) = delete;
  XlaBuilder& operator=(const XlaBuilder&) = delete;

  const std::string& name() const { return main_.name; }

  /// How many devices the program is for; 1 and 1 where it is not said. Say it
  /// before anything is added, because the rules of collectives ask for it.
  void set_devices(int64_t replicas, int64_t partitions = 1);
  /// An attribute that every instruction takes (sharding, metadata,
  /// frontend_attributes, ...) in the spelling of HLO text, for all that is
  /// added from here on; empty: no longer. Parse errors of its syntax; error
  /// "text.attribute-unknown" for others.
  void SetAttribute(std::string_view name, std::string_view text);
  /// A builder for a computation that this one's program is to call, for as
  /// many devices.
  std::unique_ptr<XlaBuilder> CreateSubBuilder(std::string_view name) const;

  /// The program whose result is `root`, or what was added last. The builder
  /// can go on. Errors of the rules about whole programs (spec/verify.md).
  XlaComputation Build() const;
  XlaComputation Build(XlaOp root) const;

  /// What all functions come to: adds one instruction. The operands' implicit
  /// broadcasting is done already; attributes may stand in any order; `shape`
  /// is needed where it does not follow. Where an error is thrown, nothing has
  /// been added.
  XlaOp add(std::string_view opcode, const XlaOps& operands,
            Attributes attributes = {}, std::optional<Shape> shape = {});
  /// The shape that add() would infer.
  Shape infer(std::string_view opcode, const XlaOps& operands,
              Attributes attributes);
  XlaOp add_parameter(int64_t number, const Shape& shape,
                      std::string_view name);
  XlaOp add_constant(Literal value);
  /// A computation to use in attributes: a copy in this program, one for all
  /// uses.
  Computation* embed(const XlaComputation& computation);

 private:
  XlaComputation build(const Instruction& root) const;
  void check(Instruction& instruction);
  std::unique_ptr<Instruction> make(std::string_view opcode,
                                    const XlaOps& operands,
                                    Attributes attributes,
                                    std::optional<Shape> shape);
  XlaOp append(std::unique_ptr<Instruction> instruction);
  std::string free_name(const std::string& name);

  Module module_;  // what is called; the entry stands apart
  Computation main_;
  Attributes common_;  // of everything that is added
  std::map<int64_t, Instruction*> parameters_;
  std::set<std::string, std::less<>> names_;
  std::map<std::string, int64_t, std::less<>> next_number_;
  ShapeBudget budget_;

  struct Embedded {
    XlaComputation source;  // kept, so that its address stays its own
    Computation* copy;
  };

  std::map<const Module*, Embedded> embedded_;
};

}  // namespace hlo::builder
