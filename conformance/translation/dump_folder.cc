#include "conformance/translation/dump_folder.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kModule = "module_";
constexpr std::string_view kBefore = ".before_optimizations.txt";
constexpr std::string_view kAfter = "after_optimizations.txt";
constexpr std::string_view kText = ".txt";

/// What stands in front of ".before_optimizations.txt"; empty where the name
/// is another one.
std::string module_name(std::string_view name) {
  if (!name.starts_with(kModule) || !name.ends_with(kBefore)) return {};
  return std::string(name.substr(0, name.size() - kBefore.size()));
}

/// Whether it is what all passes left: ".sm_9.0_gpu_after_optimizations.txt".
bool is_after(std::string_view name, const std::string& module) {
  return name.starts_with(module + ".") && name.ends_with(kAfter);
}

/// Whether it is what a pass left of the module: ".0012.pipeline.after_x.txt".
bool is_pass(std::string_view name, const std::string& module) {
  if (!name.starts_with(module + ".") || !name.ends_with(kText)) return false;
  const std::string_view rest = name.substr(module.size() + 1);
  const size_t digits = rest.find_first_not_of("0123456789");
  return digits >= 4 && digits != std::string_view::npos &&
         rest[digits] == '.' && rest.find(".after_") != std::string_view::npos;
}

}  // namespace

std::vector<DumpedModule> modules_of_dump(std::vector<std::string> names) {
  std::ranges::sort(names);
  std::vector<DumpedModule> modules;
  for (const std::string& before : names) {
    DumpedModule module{module_name(before), before, {}};
    if (module.name.empty()) continue;
    for (const std::string& name : names) {
      if (is_after(name, module.name)) module.after = name;
      if (is_pass(name, module.name)) module.passes.push_back(name);
    }
    if (!module.after.empty()) modules.push_back(std::move(module));
  }
  return modules;
}

std::vector<std::string> names_in_folder(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  std::filesystem::directory_iterator entries(folder, failed);
  while (!failed && entries != std::filesystem::directory_iterator()) {
    names.push_back(entries->path().filename().string());
    entries.increment(failed);
  }
  if (failed) {
    throw Error(Phase::kParse, "file.read",
                shortened(folder) + " cannot be listed: " + failed.message() +
                    ", but it must be a folder");
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace hlo::conformance
