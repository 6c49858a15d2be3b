#include "conformance/files/output_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "interpreter/error.h"

namespace hlo::conformance {

OutputFolder::OutputFolder(const std::string& folder, FileUse use)
    : folder_(folder), use_(std::move(use)), on_stop_([this] { discard(); }) {
  check_name(folder);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail_writing(folder, error.value());
  lock_ = Descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock_) fail_writing(folder, errno);
  if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    throw Error(Phase::kEvaluate, "file.write",
                "cannot write " + folder + ": another run is writing it");
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail_writing(folder, errno);
}

OutputFolder::~OutputFolder() { discard(); }

void OutputFolder::write(const std::string& name, std::string_view text) {
  const auto lock = uninterrupted();
  const std::string path = folder_ + "/" + name;
  FileStatus old{};
  if (stat(path.c_str(), &old) == 0) use_.write(old, path);
  const std::string part = path + ".part";
  const Descriptor file = open_locked(part);
  use_.write_open(status_of(file, part), part);
  parts_.emplace_back(part, path);
  if (ftruncate(file.get(), 0) != 0) fail_writing(part, errno);
  write_all(file, text, part);
  sync(file, part);
}

void OutputFolder::commit() {
  const auto lock = uninterrupted();
  for (auto& [part, path] : parts_) {
    rename_file(part, path);
    part.clear();
  }
  parts_.clear();
  sync_folder(folder_);
}

void OutputFolder::discard() {
  const auto lock = uninterrupted();
  for (const auto& [part, path] : parts_) {
    if (!part.empty()) unlink(part.c_str());
  }
  parts_.clear();
}

}  // namespace hlo::conformance
