#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace hlo::conformance {

/// Files by their paths, as they are when they are added. What cannot be known
/// for certain is an Error "file.read".
class KnownFiles {
 public:
  /// Adds the file; nothing where there is none, or no regular one.
  void add(const std::filesystem::path& path);

  /// The paths and the SHA-256 of the bytes of each, a line each. A very large
  /// file is named by its place and times instead.
  std::string contents() const;
  /// Whether the system still says of each file what it said when it was added.
  bool are_unchanged() const;

 private:
  /// What changes with every change of a file, and with its replacement.
  struct Mark {
    uint64_t device = 0;
    uint64_t number = 0;
    int64_t size = 0;
    int64_t changed_seconds = 0;
    int64_t changed_nanoseconds = 0;

    bool operator==(const Mark&) const = default;
  };

  static bool mark(const std::string& path, Mark& mark);

  std::map<std::string, Mark> files_;
};

}  // namespace hlo::conformance
