#include "backends/abi/abi_backend.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "backends/process/process_backend.h"
#include "backends/process/shell_word.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kScheme = "abi:";
constexpr const char* kWorker = "assay_abi_worker";

[[noreturn]] void fail(const std::string& message) {
  throw Error(Phase::kParse, "usage.backend", message);
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Beside the program that runs, or where it is installed.
std::string find_worker() {
  std::error_code ignored;
  const fs::path folder =
      fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const fs::path installed = ASSAY_LIBEXEC;
  for (const fs::path& place :
       {folder / kWorker, folder / ASSAY_LIBEXEC_FROM_BIN / kWorker,
        installed / kWorker}) {
    if (is_file(place)) return place.string();
  }
  fail(std::string("abi: needs the program ") + kWorker +
       ", but it is not in " + folder.string() + " nor in " +
       installed.string());
}

/// Where the settings of "process:" end.
size_t settings_end(std::string_view text) {
  size_t end = 0;
  while (text.substr(end).starts_with("timeout=") ||
         text.substr(end).starts_with("startup=")) {
    end = std::min(text.find(' ', end), text.size());
    end = std::min(text.find_first_not_of(' ', end), text.size());
  }
  return end;
}

}  // namespace

std::unique_ptr<Backend> make_abi_backend(std::string_view uri,
                                          const std::string& worker) {
  if (!uri.starts_with(kScheme)) return nullptr;
  const std::string_view text = uri.substr(kScheme.size());
  const size_t end = settings_end(text);
  const std::string library(text.substr(end));
  if (library.empty() || library.find('\0') != std::string::npos) {
    return nullptr;
  }
  if (!is_file(library)) {
    fail("abi: needs the file of a shared library, but \"" +
         shortened(library) + "\" is none");
  }
  const std::string command = std::string(text.substr(0, end)) +
                              process::shell_word(worker) + " " +
                              process::shell_word(library);
  return make_process_backend("process:" + command, uri);
}

std::unique_ptr<Backend> make_abi_backend(std::string_view uri) {
  return uri.starts_with(kScheme) ? make_abi_backend(uri, find_worker())
                                  : nullptr;
}

}  // namespace hlo
