#include "conformance/literals/text_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

[[noreturn]] void fail(std::string_view rule, const std::string& message) {
  throw Error(Phase::kParse, rule, message);
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || std::filesystem::is_directory(path))
    fail("file.read", "cannot read " + path);
  text << in.rdbuf();
  if (in.bad()) fail("file.read", "cannot read " + path);
  return std::move(text).str();
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.flush();
  if (!out) fail("file.write", "cannot write " + path);
}

void check_writable(const std::string& path) {
  const std::ofstream out(path, std::ios::binary | std::ios::app);
  if (!out) fail("file.write", "cannot write " + path);
}

}  // namespace hlo::conformance
