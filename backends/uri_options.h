#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace hlo {

/// An option of a backend's URI: NAME=CHOICE, or NAME=NUMBER.
struct UriOption {
  /// The whole numbers that an option without choices takes.
  struct Numbers {
    std::string_view word;  // for the number
    uint64_t least = 0;
    uint64_t most = UINT64_MAX;
    std::string_view told;  // the range
  };

  std::string_view name;
  std::vector<std::string_view> choices;
  /// Takes the number of the choice, or the whole number.
  std::function<void(uint64_t)> set;
  Numbers numbers = {};
};

/// Reads the options of a URI that is PREFIX, or PREFIX?OPTION&OPTION... Error
/// "usage.backend" where an option or its choice is not known, or an option
/// stands twice.
void read_uri_options(std::string_view uri, std::string_view prefix,
                      std::span<const UriOption> options);

}  // namespace hlo
