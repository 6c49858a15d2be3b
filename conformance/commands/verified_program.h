#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/file_use.h"
#include "conformance/files/printable.h"
#include "conformance/literals/inputs.h"
#include "interpreter/error.h"
#include "interpreter/foreign/custom_calls.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// The text of a program: of the file, or of standard input for "-". Error
/// "file.read".
std::string read_program(const std::string& file);

/// The programs of an HLO or StableHLO text, told apart by its first token,
/// verified. Those of StableHLO are separated by `// -----`; where the sizes of
/// their parameters are `?`, they are those of the inputs.
std::vector<Module> verified_programs(std::string_view source,
                                      std::span<const std::string> inputs = {});
/// The only program of a text. Error "input.programs" where there are several.
Module verified_program(std::string_view source,
                        std::span<const std::string> inputs = {});

/// The functions of these shared libraries. Error "file.library".
CustomCalls load_custom_calls(std::span<const std::string> paths);

/// The files that programs and what they get are read from. `options` has
/// inputs, infeed and custom_calls.
template <typename Options>
FileUse files_of(const std::vector<std::string>& programs,
                 const Options& options) {
  FileUse use;
  use.read(programs);
  use.read(input_files(options.inputs));
  use.read(input_files(options.infeed));
  use.read(options.custom_calls);
  return use;
}

/// Prints to standard error what is wrong with a program or with the command
/// that runs it, with the line and a caret where it has a place in `source` or
/// in a file of cases.
/// The exit code: kBroken for files, kUsage for options, inputs and outputs
/// that are inputs, else kDiffers.
int report_error(const Error& error, const std::string& file,
                 std::string_view source);

/// Says that the filter selects nothing, and what was meant; kUsage. Where
/// there was nothing to select from, kNothing.
int report_no_case(const std::string& filter);

}  // namespace hlo::conformance
