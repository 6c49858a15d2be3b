#include "backends/gpu/device/kernel_source.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace hlo::gpu {
namespace {

std::string_view text_of(std::string_view name) {
  const auto files = kernel_files();
  const auto found = std::ranges::find(files, name, &KernelFile::name);
  if (found == files.end()) throw std::logic_error("a kernel file is missing");
  return found->text;
}

/// The files of kernels/ in their order.
std::vector<std::string_view> listed_files() {
  constexpr std::string_view kBegin = "#include \"backends/gpu/kernels/";
  constexpr std::string_view kEnd = ".inc\"";
  const std::string_view list = text_of("all_kernels");
  std::vector<std::string_view> files;
  for (size_t at = list.find(kBegin); at != std::string_view::npos;
       at = list.find(kBegin, at)) {
    at += kBegin.size();
    files.push_back(list.substr(at, list.find(kEnd, at) - at));
  }
  return files;
}

/// The last file of each base, from the first on.
constexpr std::array<std::string_view, 3> kLastFiles = {
    "sums/near_sum", "fast/fast_values", "tape"};

/// What is of elements, up to this file, stands where it is used, for the types
/// there; functions are too large, and all operations use it too often.
constexpr std::string_view kLastInlined = "sums/exact_sum";

/// The files up to the last of a base.
std::string base_text(Base base) {
  std::string text;
  if (base != Base::kAll) text += "#undef CALLED\n#define CALLED INLINED\n";
  for (const std::string_view file : listed_files()) {
    text += text_of(file);
    if (file == kLastInlined) {
      text += "#undef CALLED\n#define CALLED ALONE\n";
    }
    if (file == kLastFiles.at(static_cast<size_t>(base))) break;
  }
  return text;
}

}  // namespace

std::string kernel_source(std::string_view port) {
  std::string source(text_of(port));
  for (const std::string_view file : listed_files()) source += text_of(file);
  return source;
}

std::string generated_name(size_t k) {
  return "generated_" + std::to_string(k);
}

std::string kernel_source(std::string_view port,
                          std::span<const KernelText> kernels) {
  Base base = Base::kElements;
  for (const KernelText& own : kernels) base = std::max(base, own.base);
  std::string source(text_of(port));
  source += base_text(base);
  for (size_t k = 0; k < kernels.size(); ++k) {
    source += "KERNEL(" + generated_name(k) + ") " + kernels[k].body;
  }
  return source;
}

std::vector<KernelText> new_kernels(
    std::span<const KernelText> kernels,
    const std::function<bool(const std::string&)>& has) {
  std::vector<KernelText> fresh;
  for (const KernelText& own : kernels) {
    const bool is_there =
        has(own.body) ||
        std::ranges::find(fresh, own.body, &KernelText::body) != fresh.end();
    if (!is_there) fresh.push_back(own);
  }
  return fresh;
}

std::vector<KernelText> new_kernels(std::span<const KernelText> kernels,
                                    GeneratedKernels& generated) {
  std::vector<KernelText> fresh = new_kernels(
      kernels,
      [&](const std::string& body) { return generated.use(body) != nullptr; });
  fresh.resize(std::min(fresh.size(), generated.most()));
  return fresh;
}

}  // namespace hlo::gpu
