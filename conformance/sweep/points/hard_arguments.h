#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hlo::conformance {

/// A file of interpreter/numeric/f64, embedded at build time.
struct NumberFile {
  std::string_view name;
  std::string_view text;
};

std::span<const NumberFile> number_files();

/// The magnitudes of those f64 that hard_doubles.txt has for the operation,
/// where it has one operand: the function's value lies next to a number of f64,
/// or halfway between two of them. In no order.
std::vector<uint64_t> hard_arguments(std::string_view operation);

}  // namespace hlo::conformance
