#include "conformance/case/file_error.h"

#include "interpreter/text/parser.h"

namespace hlo::conformance {

FileError::FileError(const Error& error, const std::string& file,
                     std::string_view source)
    : Error(error.phase(), error.rule(),
            file + ":" + std::to_string(error.location().line) + ":" +
                std::to_string(error.location().column) + ": " +
                error.message()),
      rendered_(text::render(error, file, source)) {}

}  // namespace hlo::conformance
