#include "conformance/commands/run_layout.h"

#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case_files.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/output_into.h"
#include "conformance/files/standard_output.h"
#include "conformance/layout/layout_svg.h"
#include "conformance/layout/layout_text.h"
#include "conformance/report/exit_code.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/literal.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

int64_t parse_number(std::string_view text, std::string_view rule) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, value);
  require_evaluable(error == std::errc() && next == end && !text.empty(), rule,
                    {"\"", text, "\" is given"},
                    "it must be a number of 64 bits");
  return value;
}

/// "2,3", "[2,3]"; the index of a scalar is empty.
Index parse_index(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) {
    text = text.substr(1, text.size() - 2);
  }
  Index index;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    index.push_back(parse_number(text.substr(0, comma), "layout.at"));
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return index;
}

/// The shape that the text spells; what is wrong with its layout has the place
/// of that.
Shape parse_valid_shape(const std::string& text) {
  const Shape shape = text::parse_shape(text);
  try {
    validate_layout(shape);
    return shape;
  } catch (const Error& error) {
    const auto place = static_cast<int>(text.find('{'));
    throw Error(error.phase(), error.rule(), error.message(), {1, place + 1});
  }
}

void draw(const LayoutOptions& options) {
  const Shape shape = parse_valid_shape(options.shape);
  const Memory memory(shape);
  std::string answers;
  for (const std::string& at : options.at) {
    answers += describe_element(memory, parse_index(at)) + "\n";
  }
  for (const std::string& offset : options.offsets) {
    const int64_t slot = parse_number(offset, "layout.offset");
    answers += describe_slot(memory, slot) + "\n";
  }
  if (answers.empty() && options.svg.empty()) answers = draw_text(memory);
  FileUse use;
  OutputInto output(options.output, use);
  if (!options.svg.empty()) {
    OutputFile picture(options.svg, use);
    picture.append(draw_svg(memory));
    picture.commit();
  }
  say(answers);
  output.commit();
}

}  // namespace

int run_layout(const LayoutOptions& options) {
  try {
    draw(options);
    return kConforms;
  } catch (const Error& error) {
    const int code = report_error(error, "SHAPE", options.shape);
    return code == kBroken ? code : int{kUsage};
  }
}

}  // namespace hlo::conformance
