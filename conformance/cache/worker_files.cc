#include "conformance/cache/worker_files.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>
#include <vector>

#include "conformance/cache/python_files.h"
#include "conformance/files/read_file.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

namespace fs = std::filesystem;

/// What stands between these characters, where that is not empty.
std::vector<std::string> split(std::string_view text, std::string_view ends) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(ends), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

fs::path link(const fs::path& path) {
  std::error_code error;
  fs::path target = fs::read_symlink(path, error);
  if (error) {
    throw Error(Phase::kEvaluate, "file.read",
                "cannot read " + path.string() + ": " + error.message());
  }
  return target;
}

/// Whether the mapping is of code, by its permissions "r-xp".
bool is_code(const std::string& line) {
  const size_t permissions = line.find(' ');
  return line.size() > permissions + 3 && line[permissions + 3] == 'x';
}

/// Adds the code that is mapped into the process that the folder is of. Data
/// may be caches and notes of its own, with other names each time.
void add_mapped_files(KnownFiles& files, const fs::path& process) {
  constexpr std::string_view kDeleted = " (deleted)";
  std::istringstream lines(read_file((process / "maps").string()));
  for (std::string line; std::getline(lines, line);) {
    const size_t slash = line.find('/');
    if (slash == std::string::npos || !is_code(line)) continue;
    const std::string path = line.substr(slash);
    // What a process compiles itself follows from its other files.
    if (path.starts_with("/memfd:") || path.starts_with("/dev/")) continue;
    if (path.ends_with(kDeleted)) {
      throw Error(Phase::kEvaluate, "file.read",
                  "cannot read " + path + ", which runs, but must be there");
    }
    files.add(path);
  }
}

/// The numbers of the processes of the group.
std::vector<fs::path> processes_of(int group) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string status;
    try {
      status = read_file((entry.path() / "stat").string());
    } catch (const Error&) {
      continue;  // it has ended
    }
    // NUMBER (NAME) STATE PARENT GROUP, where NAME may have any character.
    const auto words = split(status.substr(status.rfind(')') + 1), " ");
    constexpr size_t kGroup = 2;
    if (words.size() > kGroup && words[kGroup] == std::to_string(group)) {
      found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

/// The file that a word of a command line names, relative to the folder, also
/// behind a "=".
void add_word(KnownFiles& files, const fs::path& folder,
              const std::string& word) {
  files.add(folder / word);
  const size_t equals = word.find('=');
  if (equals != std::string::npos) files.add(folder / word.substr(equals + 1));
}

std::string environment_variable(const std::string& environment,
                                 const std::string& name) {
  for (const std::string& entry : split(environment, {"\0", 1})) {
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  }
  return {};
}

void add_process_files(KnownFiles& files, const fs::path& process,
                       const std::string& environment) {
  add_mapped_files(files, process);
  const fs::path folder = link(process / "cwd");
  const fs::path program = link(process / "exe");
  const auto words =
      split(read_file((process / "cmdline").string()), {"\0", 1});
  for (const std::string& word : words) add_word(files, folder, word);
  if (!program.filename().string().starts_with("python")) return;
  add_python_files(
      files, {.program = program,
              .words = words,
              .folder = folder,
              .module_path = environment_variable(environment, "PYTHONPATH"),
              .search_path = environment_variable(environment, "PATH"),
              .home = environment_variable(environment, "HOME")});
}

/// Where and when something runs, how it is shown, and which part it is.
constexpr std::string_view kSilent[] = {"_=",
                                        "ASSAY_SHARDS=",
                                        "BUILDKITE_",
                                        "CI_COMMIT_",
                                        "CI_JOB_",
                                        "CI_NODE_",
                                        "CI_PIPELINE_",
                                        "COLUMNS=",
                                        "DISPLAY=",
                                        "GITHUB_",
                                        "GTEST_SHARD_",
                                        "GTEST_TOTAL_SHARDS=",
                                        "HOSTNAME=",
                                        "INVOCATION_ID=",
                                        "JOB_COMPLETION_INDEX=",
                                        "LINES=",
                                        "LOGNAME=",
                                        "KUBERNETES_",
                                        "MAIL=",
                                        "OLDPWD=",
                                        "OMPI_COMM_WORLD_",
                                        "PMI_RANK=",
                                        "PMI_SIZE=",
                                        "PWD=",
                                        "RUNNER_",
                                        "SHLVL=",
                                        "SLURM_",
                                        "SSH_",
                                        "TERM=",
                                        "TEST_SHARD_",
                                        "TEST_TMPDIR=",
                                        "TEST_TOTAL_SHARDS=",
                                        "TMPDIR=",
                                        "USER=",
                                        "XDG_SESSION_"};

}  // namespace

void add_own_files(KnownFiles& files) {
  files.add(link("/proc/self/exe"));
  add_mapped_files(files, "/proc/self");
}

std::string add_group_files(KnownFiles& files, int group) {
  std::set<std::string> environments;
  for (const fs::path& process : processes_of(group)) {
    const std::string environment = read_file((process / "environ").string());
    add_process_files(files, process, environment);
    environments.insert(telling_variables(environment));
  }
  std::string all;
  for (const std::string& one : environments) all += one + '\n';
  return all;
}

void add_named_files(KnownFiles& files, std::string_view command) {
  const char* const path = std::getenv("PATH");
  const auto folders = split(path == nullptr ? "" : path, ":");
  for (const std::string& word : split(command, " \t\n'\"`;|&()<>$={},")) {
    files.add(word);
    if (word.find('/') != std::string::npos) continue;
    for (const std::string& folder : folders)
      files.add(fs::path(folder) / word);
  }
}

std::string telling_variables(std::string_view environment) {
  auto entries = split(environment, {"\0", 1});
  std::erase_if(entries, [](const std::string& entry) {
    return std::ranges::any_of(kSilent, [&](std::string_view silent) {
      return entry.starts_with(silent);
    });
  });
  std::ranges::sort(entries);
  std::string text;
  for (const std::string& entry : entries) text += entry + '\0';
  return text;
}

}  // namespace hlo::conformance
