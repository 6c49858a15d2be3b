#include "conformance/cache/python_files.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <system_error>

#include "conformance/files/read_file.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// What is in the folder, in the order of names; nothing where it is none.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end;
       i.increment(error)) {
    found.push_back(i->path());
  }
  std::ranges::sort(found);
  return found;
}

/// Whether `import` can say the name of the folder: others are no packages
/// where nothing in them says so.
bool is_identifier(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  });
}

/// Adds modules and packages, each folder once. A folder needs no __init__.py
/// to be a package.
class Modules {
 public:
  explicit Modules(KnownFiles& files) : files_(files) {}

  /// Those of a folder from which modules are imported.
  void add(const fs::path& folder) {
    std::vector<fs::path> open = {folder};
    while (!open.empty()) {
      const fs::path next = open.back();
      open.pop_back();
      std::error_code error;
      const fs::path real = fs::canonical(next, error);
      if (error || !seen_.insert(real).second) continue;
      for (const fs::path& entry : entries(real)) {
        count_entry(real);
        if (is_module(entry)) add_file(entry);
        const bool is_package = is_identifier(entry.filename().string())
                                    ? is_folder(entry)
                                    : is_file(entry / "__init__.py");
        if (is_package) open.push_back(entry);
      }
    }
  }

 private:
  static bool is_module(const fs::path& path) {
    return path.extension() == ".py" || path.extension() == ".so" ||
           path.extension() == ".pth";
  }

  void count_entry(const fs::path& folder) {
    constexpr size_t kMost = 200'000;
    if (++entries_ <= kMost) return;
    throw Error(Phase::kEvaluate, "file.read",
                folder.string() +
                    " and other folders from which Python imports have more "
                    "entries than " +
                    std::to_string(kMost) + ", which is the limit");
  }

  void add_file(const fs::path& path) {
    constexpr size_t kMost = 20'000;
    files_.add(path);
    if (++count_ > kMost) {
      throw Error(Phase::kEvaluate, "file.read",
                  path.parent_path().string() +
                      " and other folders have more modules of Python than " +
                      std::to_string(kMost) + ", which is the limit");
    }
  }

  KnownFiles& files_;
  std::set<fs::path> seen_;
  size_t count_ = 0;
  size_t entries_ = 0;
};

/// Adds a file *.pth, which names folders from which modules are imported.
void add_paths(KnownFiles& files, Modules& modules, const fs::path& path) {
  files.add(path);
  std::istringstream lines(read_file(path.string()));
  for (std::string line; std::getline(lines, line);) {
    const fs::path folder = path.parent_path() / line;
    if (!line.empty() && is_folder(folder)) modules.add(folder);
  }
}

/// What a folder of installed packages says of them: lists with the hashes of
/// their files, or else versions; and modules that are no packages.
void add_installed(KnownFiles& files, Modules& modules,
                   const fs::path& folder) {
  for (const fs::path& entry : entries(folder)) {
    const fs::path kind = entry.extension();
    if (kind == ".py" || kind == ".so" || kind == ".egg-info") files.add(entry);
    if (kind == ".pth" && is_file(entry)) add_paths(files, modules, entry);
    if (kind != ".dist-info" && kind != ".egg-info") continue;
    for (const char* const list :
         {"RECORD", "METADATA", "PKG-INFO", "direct_url.json"}) {
      files.add(entry / list);
    }
  }
}

/// The program as it was called: one of a virtual environment is a link there.
fs::path called(const Python& python) {
  if (python.words.empty()) return python.program;
  const fs::path word = python.words.front();
  if (word.has_parent_path()) return python.folder / word;
  std::istringstream folders(python.search_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (is_file(fs::path(folder) / word)) return fs::path(folder) / word;
  }
  return python.program;
}

/// Folders of installed packages.
std::set<fs::path> installed_folders(const Python& python) {
  std::set<fs::path> found;
  for (const fs::path& prefix :
       {called(python).parent_path().parent_path(),
        python.program.parent_path().parent_path(), fs::path("/usr/local"),
        fs::path(python.home) / ".local"}) {
    for (const fs::path& library : entries(prefix / "lib")) {
      if (!library.filename().string().starts_with("python")) continue;
      for (const char* const packages : {"site-packages", "dist-packages"}) {
        if (is_folder(library / packages)) found.insert(library / packages);
      }
    }
  }
  return found;
}

}  // namespace

void add_python_files(KnownFiles& files, const Python& python) {
  Modules modules(files);
  // Python looks beside the script, or here for a module or a text.
  bool has_script = false;
  for (const std::string& word : python.words) {
    const fs::path path = python.folder / word;
    if (path.extension() != ".py" || !is_file(path)) continue;
    has_script = true;
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    modules.add((error ? path : real).parent_path());
  }
  if (!has_script) modules.add(python.folder);
  std::istringstream folders(python.module_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    modules.add(python.folder / folder);
  }
  for (const fs::path& folder : installed_folders(python)) {
    add_installed(files, modules, folder);
  }
}

}  // namespace hlo::conformance
