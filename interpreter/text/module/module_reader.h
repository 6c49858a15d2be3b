#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// What is known of the computation that is being read.
struct Scope {
  Computation* computation = nullptr;
  std::unordered_map<std::string_view, Instruction*> names;
  /// Instructions that the text does not name, with the name they would like.
  std::vector<std::pair<Instruction*, std::string>> unnamed;
  /// get-tuple-element instructions that `name#1` stands for.
  std::map<std::pair<Instruction*, int64_t>, Instruction*> elements;
  /// The computation that an async-start began, for each instruction of its
  /// chain.
  std::unordered_map<const Instruction*, Computation*> async;
  /// Roots of computations wrapped for async sugar and where they came from:
  /// their operands may still come with an update.
  std::vector<std::pair<Instruction*, size_t>> wrapped_roots;
  /// Those computations; they stand in the module right before this one.
  std::vector<std::unique_ptr<Computation>> wrapped;
};

/// The recursive descent over a module: everything that defines names or
/// refers to them.
class ModuleReader {
 public:
  explicit ModuleReader(Scanner& in) : in_(in) {}

  Module read();

 private:
  // module_reader.cc
  void read_module_name();
  void read_computations();
  void read_single_instruction();
  bool at_computation() const;
  void read_computation();
  void read_signature(Computation& computation);
  void add(std::unique_ptr<Computation> computation);
  Computation* read_body(std::unique_ptr<Computation> computation,
                         size_t start);
  void define(Computation* computation, std::string_view name, size_t start);
  void name_computations();
  void choose_entry();

  // computation_order.cc
  Computation* declare(std::string_view name, size_t start);
  std::unique_ptr<Computation> declared(std::string_view name);
  void order_computations();

  // instruction_reader.cc
  void read_instruction();
  Instruction* read_rest(std::string_view name, size_t start, bool is_nested);
  void read_parameter(Instruction& parameter);
  void read_constant(Instruction& constant);
  const Op* read_opcode(Instruction& instruction);
  void check_operands(const Instruction& instruction, size_t start) const;
  Instruction* append(std::unique_ptr<Instruction> instruction) const;
  void set_name(Instruction* instruction, std::string_view name, size_t start);
  void finish(Computation& computation, size_t start);
  void name_instructions();
  void collect_parameters(Computation& computation, size_t start);
  void check_result(const Computation& computation, size_t start) const;

  // operand_reader.cc
  void read_operands(Instruction& instruction);
  Instruction* read_operand();
  Instruction* find_operand(std::string_view name, const Shape* shape,
                            size_t start);
  Instruction* missing_parameter(std::string_view name, const Shape& shape);
  Instruction* element_of(Instruction* tuple, int64_t index, size_t start);

  // attribute_reader.cc
  void read_attributes(Instruction& instruction, const Op* wrapped);
  AttributeValue read_attribute(const AttributeSpec& spec);
  Computation* read_computation_reference(std::string_view attribute);
  Instruction* read_instruction_reference();
  void check_required(const Instruction& instruction, size_t start) const;

  // async_reader.cc
  void check_async(const Instruction& instruction, size_t start) const;
  void check_chain(const Instruction& instruction, size_t start) const;
  void wrap(Instruction& instruction, const Op& wrapped, size_t start);
  void follow_async(const Instruction& instruction, size_t start);
  void extend_wrapped(Computation& computation,
                      const Instruction& instruction) const;

  Scanner& in_;
  Module module_;
  Scope scope_;
  std::unordered_map<std::string_view, Computation*> computations_;
  /// Computations that were referred to and are still to come.
  std::unordered_map<std::string_view, std::unique_ptr<Computation>> declared_;
  /// Where the text refers to computations that come later.
  std::vector<std::pair<std::string_view, size_t>> forward_;
  /// Computations that the text does not name.
  std::vector<std::pair<Computation*, std::string>> unnamed_;

  bool is_single() const { return single_ == scope_.computation; }

  /// The computation of a bare list of instructions: operands that it does
  /// not define are its parameters.
  const Computation* single_ = nullptr;
};

}  // namespace hlo::text
