#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "conformance/files/file_use.h"
#include "conformance/files/output_folder.h"
#include "interpreter/devices/devices.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// Whether `output` of --output names a folder: it is not print, none, digest.
bool is_folder(const std::string& output);

/// Where the leaves of results go: standard output, or a folder for N.npy.
class LeafOutput {
 public:
  /// `output` is print, none, digest or a folder; a folder is no file of
  /// `use`. On a terminal long arrays are printed in part, unless `all`.
  LeafOutput(const std::string& output, bool all, const FileUse& use);

  /// Whether anything is printed.
  bool speaks() const { return kind_ == "print" || kind_ == "digest"; }

  /// The next leaf: "f32[2] {1, 2}", "f32[<=3](2) {1, 2}", "token[]".
  void write(const Literal& leaf);

  /// The leaves that follow are numbered from 0 again.
  void restart() { leaves_ = 0; }

  /// Everything has been written.
  void commit();

 private:
  std::string text_of(const Literal& leaf);

  std::string kind_;
  std::optional<int64_t> most_;  // elements of an array, to be read
  bool is_short_ = false;        // some were left out
  size_t leaves_ = 0;            // so many until now
  std::optional<OutputFolder> folder_;
};

/// Prints what devices wrote for the host, where anything is printed.
void write_outfeed(std::span<const Outfed> values, LeafOutput& output);

/// "// replica 0, partition 1".
std::string heading(std::string_view what, const Device& device);

}  // namespace hlo::conformance
