#include "conformance/files/output_into.h"

#include "conformance/files/standard_output.h"

namespace hlo::conformance {

OutputInto::OutputInto(const std::string& path, FileUse& use) {
  if (path.empty()) return;
  file_.emplace(path, use);
  redirect_output([this](std::string_view text) { put(text); });
}

OutputInto::~OutputInto() {
  if (file_) redirect_output({});
}

void OutputInto::put(std::string_view text) {
  constexpr size_t kBlock = size_t{1} << 16U;
  text_ += text;
  if (text_.size() < kBlock) return;
  file_->append(text_);
  text_.clear();
}

void OutputInto::commit() {
  if (!file_) return;
  file_->append(text_);
  text_.clear();
  file_->commit();
}

}  // namespace hlo::conformance
