#include "conformance/commands/results/leaf_output.h"

#include "conformance/expect/collective_call.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/terminal.h"
#include "conformance/literals/digest.h"
#include "conformance/literals/npy.h"
#include "conformance/literals/short_text.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {

bool is_folder(const std::string& output) {
  return output != "print" && output != "none" && output != "digest";
}

LeafOutput::LeafOutput(const std::string& output, bool all, const FileUse& use)
    : kind_(output) {
  constexpr int64_t kReadable = 1000;
  if (!all && output_width()) most_ = kReadable;
  if (is_folder(output)) folder_.emplace(output, use);
}

std::string LeafOutput::text_of(const Literal& leaf) {
  std::string shape = to_string(leaf.shape());
  if (!leaf.shape().is_array()) return shape;
  const bool sized = !leaf.dynamic_sizes().empty();
  if (!sized) shape += " ";
  if (!most_ || leaf.element_count() <= *most_) {
    return shape + text::print(leaf);
  }
  is_short_ = true;
  return shape + short_text(leaf, *most_);
}

void LeafOutput::write(const Literal& leaf) {
  const size_t number = leaves_++;
  if (kind_ == "print") {
    say(text_of(leaf) + "\n");
  } else if (kind_ == "digest") {
    say("{}  {}\n", digest(leaf), to_string(leaf.shape()));
  } else if (folder_ && leaf.shape().is_array()) {
    folder_->write(std::to_string(number) + ".npy", write_npy(leaf));
  }
}

void LeafOutput::commit() {
  if (folder_) folder_->commit();
  if (is_short_) say("// --all prints every element\n");
}

void write_outfeed(std::span<const Outfed> values, LeafOutput& output) {
  if (!output.speaks()) return;
  for (const Outfed& value : values) {
    say(heading("outfeed of ", value.device));
    for (const Literal* leaf : leaves(value.value)) output.write(*leaf);
  }
}

std::string heading(std::string_view what, const Device& device) {
  return "// " + std::string(what) + to_string(device) + "\n";
}

}  // namespace hlo::conformance
