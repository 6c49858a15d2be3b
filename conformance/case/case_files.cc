#include "conformance/case/case_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "conformance/case/file_error.h"
#include "conformance/case/glob.h"
#include "conformance/files/file_use.h"
#include "conformance/files/read_file.h"
#include "interpreter/error.h"
#include "interpreter/model/element_type.h"

namespace hlo::conformance {
namespace {

namespace fs = std::filesystem;

bool is_root(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "spec" / "ops", ignored);
}

/// The folder or the nearest one above it that is a root.
fs::path root_above(fs::path folder) {
  while (!is_root(folder)) {
    if (folder == folder.parent_path()) return {};
    folder = folder.parent_path();
  }
  return folder;
}

fs::path program_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path();
}

[[noreturn]] void fail(std::string_view rule, const std::string& message) {
  throw Error(Phase::kParse, rule, message);
}

bool is_page(const std::string& file) { return file.ends_with(".md"); }

bool holds_cases(const fs::path& file) {
  return file.extension() == ".jsonl" || file.extension() == ".md";
}

void append_files(const std::string& path, std::vector<std::string>& files) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (path == "-") return files.push_back(path);
  if (!error && !fs::is_directory(status)) {
    files.push_back(path);
    return;
  }
  fs::recursive_directory_iterator entry(path, error);
  for (; !error && entry != fs::recursive_directory_iterator();
       entry.increment(error)) {
    std::error_code ignored;  // a link that leads nowhere
    if (entry->is_regular_file(ignored) && holds_cases(entry->path())) {
      files.push_back(entry->path().string());
    }
  }
  if (error) {
    fail("file.read", "cannot read " + path + ": " + error.message());
  }
}

/// The path as reports show it: relative to the data's root.
std::string shown(const std::string& file) {
  const std::string root = data_root();
  if (root.empty()) return file;
  std::error_code error;
  const fs::path inside = fs::relative(file, root, error);
  if (error || inside.empty() || inside.string().starts_with("..")) return file;
  return inside.string();
}

/// Runs body(text of the file); its errors become those of the file.
template <typename Body>
auto in_file(const std::string& file, const Body& body) {
  std::string text;
  try {
    text = read_input(file);
    return body(text);
  } catch (const Error& error) {
    if (error.location().line > 0) throw FileError(error, shown(file), text);
    throw Error(error.phase(), error.rule(),
                shown(file) + ": " + error.message());
  }
}

/// meant_filter() of one glob.
std::string meant_glob(std::string glob) {
  if (glob.empty()) return glob;
  const size_t operation = std::min(glob.find('/'), glob.size());
  std::replace(glob.begin(),
               std::next(glob.begin(), static_cast<std::ptrdiff_t>(operation)),
               '_', '-');
  const auto slashes = std::ranges::count(glob, '/');
  if (slashes > 1 || glob.find_first_of("*?") != std::string::npos) return glob;
  const bool is_type = find_type(glob).has_value();
  return is_type ? "*/" + glob + "/*" : glob + "/*";
}

}  // namespace

std::string data_root() {
  const char* given = std::getenv("ASSAY_ROOT");
  if (given != nullptr) return given;
  std::error_code error;
  fs::path root = root_above(fs::current_path(error));
  if (root.empty()) root = root_above(program_folder());
  if (root.empty()) root = program_folder().parent_path() / "share" / "assay";
  return is_root(root) ? root.string() : std::string();
}

std::vector<std::string> case_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) append_files(path, files);
  if (paths.empty()) {
    const std::string root = data_root();
    if (root.empty()) {
      fail("file.read", "there are no cases here: give files, or ASSAY_ROOT");
    }
    append_files(root + "/spec", files);
    std::error_code error;
    const std::string vectors = root + "/conformance/vectors";
    if (fs::is_directory(vectors, error)) append_files(vectors, files);
  }
  std::ranges::sort(files);
  return distinct_files(files);
}

std::vector<Case> load_cases(const std::string& file) {
  return in_file(file, [&](const std::string& text) {
    return is_page(file) ? parse_spec_page(text, shown(file)).cases
                         : parse_vectors(text, shown(file)).cases;
  });
}

std::vector<SyntaxExample> load_syntax(const std::string& file) {
  return in_file(file, [&](const std::string& text) {
    return is_page(file) ? parse_spec_page(text, shown(file)).syntax
                         : std::vector<SyntaxExample>();
  });
}

std::vector<Case> load_all(const std::vector<std::string>& files,
                           const std::string& filter) {
  std::vector<Case> cases;
  for (const std::string& file : files) {
    for (Case& c : load_cases(file)) {
      if (selects(filter, c.id)) cases.push_back(std::move(c));
    }
  }
  return cases;
}

bool selects(const std::string& filter, const std::string& id) {
  bool positive = false;
  bool selected = false;
  std::istringstream globs(filter);
  for (std::string glob; std::getline(globs, glob, ':');) {
    if (glob.starts_with('-')) {
      if (glob_matches(std::string_view(glob).substr(1), id)) return false;
      continue;
    }
    positive = true;
    selected = selected || glob_matches(glob, id);
  }
  return selected || !positive;
}

std::string meant_filter(const std::string& filter) {
  std::string meant;
  std::istringstream globs(filter);
  for (std::string glob; std::getline(globs, glob, ':');) {
    if (!meant.empty()) meant += ':';
    const bool negative = glob.starts_with('-');
    meant += negative ? "-" + meant_glob(glob.substr(1)) : meant_glob(glob);
  }
  return meant;
}

}  // namespace hlo::conformance
