#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/export/export.h"
#include "interpreter/stablehlo/import/import.h"
#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using hlo::stablehlo::Program;

/// The error is one for the user: it has a rule and a place in the text.
void check_error(const hlo::Error& error, std::string_view source) {
  if (error.rule().empty() || error.location().line < 1 ||
      error.location().column < 1) {
    std::fprintf(stderr, "without rule or place: %s\n", error.what());
    std::abort();
  }
  hlo::text::render(error, "fuzz", source);
}

std::vector<Program> parsed(std::string_view source) {
  try {
    hlo::stablehlo::is_stablehlo(source);
    return hlo::stablehlo::parse(source);
  } catch (const hlo::Error& error) {
    check_error(error, source);
    if (error.phase() != hlo::Phase::kParse) std::abort();
    return {};
  }
}

std::optional<hlo::Module> imported(const Program& program,
                                    std::string_view source) {
  try {
    hlo::Module module = hlo::stablehlo::import_program(program);
    hlo::verify(module);
    return module;
  } catch (const hlo::Error& error) {
    check_error(error, source);
    return std::nullopt;
  }
}

/// Printing and reading many megabytes of constants only takes time.
bool is_small(const hlo::Module& module) {
  constexpr int64_t kMostElements = 10'000;
  constexpr size_t kMostInstructions = 2'000;
  int64_t elements = 0;
  size_t instructions = 0;
  for (const auto& computation : module.computations) {
    instructions += computation->instructions.size();
    for (const auto& instruction : computation->instructions) {
      if (instruction->literal == nullptr) continue;
      for (const hlo::Literal* leaf : leaves(*instruction->literal)) {
        elements += leaf->element_count();
      }
    }
  }
  return elements <= kMostElements && instructions <= kMostInstructions;
}

std::optional<std::string> exported(const hlo::Module& module) {
  try {
    return hlo::stablehlo::print(module);
  } catch (const hlo::Error& error) {
    if (error.rule() == "stablehlo.export") return std::nullopt;
    std::fprintf(stderr, "not exported: %s\n", error.what());
    std::abort();
  }
}

/// What was exported is read.
void check_export(const hlo::Module& module) {
  const std::optional<std::string> text = exported(module);
  if (!text) return;
  try {
    const hlo::Module again = hlo::stablehlo::import_text(*text);
    exported(again);
  } catch (const hlo::Error& error) {
    std::fprintf(stderr, "not read again: %s\n%s", error.what(), text->c_str());
    std::abort();
  }
}

}  // namespace

/// Whatever does not parse, or is no valid module, is an Error with a place;
/// what is valid can be exported and imported again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  for (const Program& program : parsed(source)) {
    const std::optional<hlo::Module> module = imported(program, source);
    if (module && is_small(*module)) check_export(*module);
  }
  return 0;
}
