#include "backends/gpu/device/kernel_source.h"

#include <algorithm>
#include <stdexcept>

namespace hlo::gpu {
namespace {

/// In the order of device/host_kernels.cc.
constexpr std::string_view kParts[] = {
    "codes",     "numbers", "scalar",         "pairs",
    "functions", "wide",    "wide_functions", "function_values",
    "exact_sum", "complex", "complex_values", "tape",
    "map",       "fold",    "order",          "scatter",
    "random"};

std::string_view text_of(std::string_view name) {
  const auto files = kernel_files();
  const auto found = std::ranges::find(files, name, &KernelFile::name);
  if (found == files.end()) throw std::logic_error("a kernel file is missing");
  return found->text;
}

}  // namespace

std::string kernel_source(std::string_view port) {
  std::string source(text_of(port));
  for (const std::string_view part : kParts) source += text_of(part);
  return source;
}

}  // namespace hlo::gpu
