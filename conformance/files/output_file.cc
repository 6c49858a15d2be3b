#include "conformance/files/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "conformance/files/read_file.h"

namespace hlo::conformance {
namespace {

constexpr mode_t kPermissions = 07777;

/// The path of the file that a link leads to, so that the link remains.
std::string without_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real =
      std::filesystem::weakly_canonical(path, error);
  return error ? path : real.string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

OutputFile::OutputFile(const std::string& path, FileUse& use,
                       Unfinished unfinished)
    : name_(path), unfinished_(unfinished), on_stop_([this] { discard(); }) {
  check_name(path);
  FileStatus old{};
  const bool exists = stat(path.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail_writing(name_, errno);
  if (exists && S_ISDIR(old.st_mode)) fail_writing(name_, EISDIR);
  if (exists) use.write(old, name_);
  // A pipe has a path, but no other file can take its place there.
  if (exists && !S_ISREG(old.st_mode)) {
    file_ = Descriptor(uninterrupted_call(
        [&] { return open(path.c_str(), O_WRONLY | O_CLOEXEC); }));
    if (!file_) fail_writing(name_, errno);
    return;
  }
  if (exists && access(path.c_str(), W_OK) != 0) fail_writing(name_, errno);
  path_ = without_links(path);
  open_part(exists ? &old : nullptr, use);
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::open_part(const FileStatus* old, FileUse& use) {
  const auto lock = uninterrupted();
  const std::string part = path_ + ".part";

  // Locked by this run, it would seem to be another run's.
  FileStatus there{};
  if (lstat(part.c_str(), &there) == 0) use.check(there, name_);
  file_ = open_locked(part);
  use.write_open(status_of(file_, part), name_);
  part_ = part;
  if (old == nullptr) return;
  if (fchmod(file_.get(), old->st_mode & kPermissions) != 0) {
    const int error = errno;
    discard();
    fail_writing(name_, error);
  }
}

void OutputFile::begin() {
  if (begun_) return;
  begun_ = true;
  if (part_.empty()) return;
  unlink(whole().c_str());  // of a run that died
  if (ftruncate(file_.get(), 0) != 0) fail_writing(name_, errno);
}

std::string OutputFile::whole() const { return part_ + ".whole"; }

std::string OutputFile::go_on() {
  const auto lock = uninterrupted();
  if (begun_ || part_.empty()) return {};
  std::string text = read_file(part_);
  text.resize(text.rfind('\n') + 1);  // none: empty
  begun_ = true;
  unlink(whole().c_str());
  if (ftruncate(file_.get(), static_cast<off_t>(text.size())) != 0 ||
      lseek(file_.get(), 0, SEEK_END) < 0) {
    fail_writing(name_, errno);
  }
  return text;
}

void OutputFile::append(std::string_view text) {
  const auto lock = uninterrupted();
  begin();
  write_all(file_, text, name_);
}

void OutputFile::take_name(const Descriptor& file, const std::string& from) {
  sync(file, name_);
  rename_file(from, path_);
  sync_folder(folder_of(path_));
}

void OutputFile::commit() {
  const auto lock = uninterrupted();
  begin();
  if (!part_.empty()) take_name(file_, part_);
  done_ = true;
}

void OutputFile::commit_as(std::string_view text) {
  const auto lock = uninterrupted();
  if (part_.empty()) return commit();
  begin();
  try {
    const Descriptor file = open_locked(whole());
    const mode_t mode = status_of(file_, part_).st_mode & kPermissions;
    if (ftruncate(file.get(), 0) != 0 || fchmod(file.get(), mode) != 0) {
      fail_writing(name_, errno);
    }
    write_all(file, text, name_);
    take_name(file, whole());
  } catch (...) {
    unlink(whole().c_str());
    throw;
  }
  unlink(part_.c_str());
  done_ = true;
}

void OutputFile::discard() {
  const auto lock = uninterrupted();
  if (done_ || part_.empty()) return;
  done_ = true;
  FileStatus status{};
  const bool is_empty = fstat(file_.get(), &status) == 0 && status.st_size == 0;
  const bool is_kept = !begun_ || unfinished_ == Unfinished::kKept;
  if (is_empty || !is_kept) unlink(part_.c_str());
}

void write_file(const std::string& path, std::string_view text) {
  FileUse use;
  OutputFile file(path, use);
  file.append(text);
  file.commit();
}

}  // namespace hlo::conformance
