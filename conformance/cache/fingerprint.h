#pragma once

#include <string>
#include <vector>

#include "conformance/cache/known_files.h"

namespace hlo::conformance {

/// What the result of a case depends on beside the case.
struct Fingerprint {
  std::string name;  // SHA-256, in hex, of all of it
  KnownFiles files;  // that are in it

  /// Whether it is still that of a worker which starts now.
  bool holds() const { return files.are_unchanged(); }
};

/// That of a backend, whose worker is started to be asked, under these
/// settings: this program, the processor and the environment, too. Throws
/// std::exception where something is not known for certain.
Fingerprint fingerprint(const std::string& backend,
                        const std::vector<std::string>& settings);

/// What a text such as /proc/cpuinfo tells of the kinds of the processors, and
/// not of their numbers, speeds or loads: empty where it tells nothing.
std::string processor_kinds(const std::string& text);

}  // namespace hlo::conformance
