#pragma once

#include <string>

#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

// Texts that are kept, in their canonical spelling.

/// The metadata of an instruction.
std::string read_metadata(Scanner& in);
/// A dictionary of words and values, such as frontend_attributes.
std::string read_dictionary(Scanner& in);
/// A result_accuracy.
std::string read_result_accuracy(Scanner& in);
/// Which results share memory with which parameters or operands.
std::string read_aliasing(Scanner& in);
/// The sparsity of the operands of a dot.
std::string read_sparsity(Scanner& in);
/// Parameters whose memory the program may take.
std::string read_buffer_donor(Scanner& in);

}  // namespace hlo::text
