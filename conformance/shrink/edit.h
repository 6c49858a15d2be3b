#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// A program and what it gets.
struct Program {
  std::string hlo;  // canonical, verified
  /// The array leaves of the parameters, of all devices or of one after the
  /// other.
  std::vector<Literal> inputs;
};

/// How large a program is.
struct Extent {
  int64_t instructions = 0;  // of all computations, parameters aside
  int64_t elements = 0;      // of the largest array, regions aside
};

Extent extent_of(const Program& program);

/// A program that is being changed.
class Edit {
 public:
  explicit Edit(const Program& program);

  Module& module() { return module_; }

  Computation& entry() const { return *module_.entry; }

  /// The instruction that stands there in the text.
  Instruction& at(size_t computation, size_t instruction);

  /// The leaves of a parameter of the entry computation: of one device after
  /// the other.
  std::vector<Literal>& leaves(const Instruction& parameter);

  /// Keeps the inputs of `count` devices, from the first one on, where devices
  /// have inputs of their own. The module's number of devices is not changed.
  void keep_devices(int64_t first, int64_t count);

  /// Turns an instruction of the entry computation into a parameter of that
  /// value, without dynamic dimensions.
  void make_parameter(Instruction& instruction, const Literal& value);

  /// Gives a parameter of the entry computation another value, without dynamic
  /// dimensions, on all devices.
  void set_input(Instruction& parameter, const Literal& value);

  /// Turns an array parameter of the entry computation into a constant of that
  /// value.
  void make_constant(Instruction& parameter, const Literal& value);

  /// Takes messages away, too, of which nothing uses what comes.
  void leave_messages_out() { messages_stay_ = false; }

  /// The program: without what nothing uses, but for messages, with the shapes
  /// that follow from the others derived anew, verified. Throws the Error that
  /// refuses it.
  Program finish();

 private:
  void remove_unneeded();
  std::vector<Literal> inputs() const;
  Module derived(const std::vector<const Op*>& given) const;

  Module module_;
  bool messages_stay_ = true;
  int64_t devices_ = 1;  // lists of inputs
  std::map<const Instruction*, std::vector<Literal>> leaves_;
};

/// A part of an array: `size` elements of dimension d, from `start` on.
Literal part_of(const Literal& array, int64_t d, int64_t start, int64_t size);

}  // namespace hlo::conformance
