#include "backends/gpu/device/kernel_source.h"

#include <algorithm>
#include <stdexcept>

namespace hlo::gpu {
namespace {

std::string_view text_of(std::string_view name) {
  const auto files = kernel_files();
  const auto found = std::ranges::find(files, name, &KernelFile::name);
  if (found == files.end()) throw std::logic_error("a kernel file is missing");
  return found->text;
}

}  // namespace

std::string kernel_source(std::string_view port) {
  constexpr std::string_view kBegin = "#include \"backends/gpu/kernels/";
  constexpr std::string_view kEnd = ".inc\"";
  std::string source(text_of(port));
  const std::string_view list = text_of("all_kernels");
  for (size_t at = list.find(kBegin); at != std::string_view::npos;
       at = list.find(kBegin, at)) {
    at += kBegin.size();
    source += text_of(list.substr(at, list.find(kEnd, at) - at));
  }
  return source;
}

}  // namespace hlo::gpu
