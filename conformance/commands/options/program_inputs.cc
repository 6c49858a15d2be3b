#include "conformance/commands/options/program_inputs.h"

namespace hlo::conformance {

void add_inputs(Command& command, std::vector<std::string>& inputs) {
  command
      .add_option("-i,--input", inputs,
                  "the value of a parameter, one for each in order: an HLO "
                  "literal, 2x2xf32=1 2 3 4, @file.npy; or random:SEED for "
                  "all of them")
      .type_name("VALUE")
      .repeatable();
}

void add_infeed(Command& command, std::vector<std::string>& infeed) {
  command
      .add_option("--infeed", infeed,
                  "a value for infeed, in the order in which they are "
                  "read; "
                  "or random:SEED for all of them")
      .type_name("VALUE")
      .repeatable();
}

void add_surroundings(Command& command, std::vector<std::string>& infeed,
                      std::vector<std::string>& custom_calls) {
  add_infeed(command, infeed);
  command
      .add_option("--custom-calls", custom_calls,
                  "a shared library with the functions that custom-calls name")
      .type_name("LIB")
      .repeatable();
}

}  // namespace hlo::conformance
