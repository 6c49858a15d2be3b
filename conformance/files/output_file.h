#pragma once

#include <string>
#include <string_view>

#include "conformance/files/descriptor.h"
#include "conformance/files/file_use.h"
#include "conformance/files/stop.h"

namespace hlo::conformance {

/// A file that is being written: it is PATH.part, locked against other runs,
/// until commit() gives it its name; what was there before stays until then,
/// and a PATH.part of a run that died until the first append(). What is no
/// file, as a pipe, is written at once. Errors "file.write", "file.twice".
class OutputFile {
 public:
  /// What becomes of PATH.part where the run ends without commit().
  enum class Unfinished { kRemoved, kKept };

  OutputFile(const std::string& path, FileUse& use,
             Unfinished unfinished = Unfinished::kRemoved);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// What a run that died left in PATH.part, without a line that is cut off;
  /// append() goes on behind it.
  std::string go_on();
  /// Hands the text to the system, so that it outlives this process.
  void append(std::string_view text);
  void commit();
  /// commit() with another text in place of what was appended.
  void commit_as(std::string_view text);

 private:
  void open_part(const FileStatus* old, FileUse& use);
  void begin();
  std::string whole() const;  // for commit_as()
  void take_name(const Descriptor& file, const std::string& from);
  void discard();

  std::string name_;  // in messages
  std::string path_;  // without links
  std::string part_;  // "" for what is no file
  Unfinished unfinished_;
  Descriptor file_;
  bool begun_ = false;
  bool done_ = false;
  OnStop on_stop_;
};

/// Writes the whole file, which may be one that was read.
void write_file(const std::string& path, std::string_view text);

}  // namespace hlo::conformance
