#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/stablehlo/read/attributes/attribute_reader.h"
#include "interpreter/stablehlo/read/attributes/mlir_lexicon.h"
#include "interpreter/stablehlo/read/operation_reader.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// Reads a module and its functions, up to the end that the scanner has
/// entered.
class ProgramReader {
 public:
  explicit ProgramReader(Scanner& in)
      : in_(in), attributes_(in), operations_(in, attributes_) {}

  Program read();

 private:
  void top(Program& program);
  void module(Program& program);
  void member(Program& program);
  void function(Program& program);
  void results(Function& function);
  void mesh(Program& program);
  void generic(Program& program);
  void take_mesh(Program& program, Operation& operation);
  void take_module(Program& program, Operation& operation, size_t position);
  void take_function(Program& program, Operation& operation, size_t position);
  static void take_arguments(Function& function,
                             const std::vector<Type>& types);
  /// A function returns values of the types that it declares.
  static void check_returned(const Function& function);
  void add(Program& program, std::unique_ptr<Function> function,
           size_t position);

  Scanner& in_;
  AttributeReader attributes_;
  OperationReader operations_;
  std::map<std::string, size_t, std::less<>> functions_;  // and their places
};

}  // namespace hlo::stablehlo
