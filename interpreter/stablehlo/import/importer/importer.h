#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/rules/devices/collective.h"
#include "interpreter/stablehlo/import/importer/conversion.h"
#include "interpreter/stablehlo/import/importer/parameter_sizes.h"
#include "interpreter/stablehlo/import/importer/scope.h"
#include "interpreter/stablehlo/import/importer/stated_devices.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// The table of the operations that are known: the row of a name, or null.
using FindConverter = const ConverterRow* (*)(std::string_view name);

/// The whole program while it becomes a module.
class Importer {
 public:
  Importer(const Program& program, FindConverter find_converter)
      : program_(program),
        find_converter_(find_converter),
        devices_(stated_devices(program)) {}

  /// `sizes` are those of the entry's arguments that have `?`, or null.
  Module import(const ParameterSizes& sizes);

  /// The computation of a function. Error "stablehlo.callee".
  Computation* function(std::string_view name, Location location);
  /// The computation of a function that is called with these operands: one with
  /// `?` is imported anew for each list of shapes that it is called with. Error
  /// "stablehlo.callee".
  Computation* function(std::string_view name, Location location,
                        const Values& operands);
  /// A new computation for a region (or what stands for one). `make` creates
  /// its parameters and instructions and returns the root.
  Computation* computation(std::string_view name, Location location,
                           Scope* outer,
                           const std::function<Instruction*(Scope&)>& make);
  /// The instructions of the block, whose arguments are bound; gives what it
  /// returns.
  Values block(const Block& block, Scope& scope);

  /// The devices that programs run on next to each other.
  void add_grid(const Grid& grid) { grids_.push_back(grid); }

  const Program& program() const { return program_; }

  const StatedDevices& devices() const { return devices_; }

  /// How an operation of that name becomes instructions; null where it is not
  /// known.
  const ConverterRow* converter(std::string_view name) const {
    return find_converter_(name);
  }

 private:
  Computation* import_function(const Function& function,
                               const Values& operands);
  static void bind_argument(const Function& function, size_t i,
                            const Values& operands, Scope& scope);
  void convert(const Operation& operation, Scope& scope);

  const Program& program_;
  FindConverter find_converter_;
  StatedDevices devices_;
  Module module_;
  std::map<std::string, Computation*, std::less<>> functions_;
  // Functions with `?`, and what they are called with.
  std::map<std::pair<const Function*, std::string>, Computation*>
      specializations_;
  int64_t open_calls_ = 0;  // functions with `?` that are being imported
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, int64_t> last_;
  std::vector<Grid> grids_;
};

}  // namespace hlo::stablehlo
