#include "conformance/case/spec_page.h"

#include <algorithm>
#include <map>

#include "backends/backend.h"
#include "interpreter/error.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kFence = "```";
constexpr std::string_view kInput = "input:";

struct Line {
  std::string_view text;
  int number = 0;
};

/// One fenced block: the words behind ``` and the lines between.
struct Fence {
  std::string info;
  int line = 0;  // of the opening fence
  std::vector<Line> lines;
};

std::vector<Line> split(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back({text.substr(0, end), static_cast<int>(lines.size()) + 1});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

[[noreturn]] void fail(std::string_view rule, std::string_view message,
                       int line) {
  throw Error(Phase::kParse, rule, message, {line, 1});
}

/// The fences of the text, their lines without the fence's indentation.
std::vector<Fence> find_fences(std::string_view text) {
  std::vector<Fence> fences;
  bool open = false;
  size_t indent = 0;
  for (const Line& line : split(text)) {
    const std::string_view content = line.text.substr(indentation(line.text));
    if (!content.starts_with(kFence)) {
      if (open) {
        const size_t cut = std::min(indent, indentation(line.text));
        fences.back().lines.push_back({line.text.substr(cut), line.number});
      }
      continue;
    }
    if (!open) {
      indent = indentation(line.text);
      const std::string info(content.substr(kFence.size()));
      fences.push_back({.info = info, .line = line.number, .lines = {}});
    }
    open = !open;
  }
  if (open) fail("page.fence", "the fence is not closed", fences.back().line);
  return fences;
}

std::string join(std::span<const Line> lines) {
  std::string text;
  for (const Line& line : lines) text.append(line.text).append("\n");
  return text;
}

/// The array leaves of the literal.
std::vector<Literal> parse_value(std::string_view text, int line) {
  try {
    return array_leaves(text::parse_literal_with_shape(text));
  } catch (const Error& error) {
    fail(error.rule(), error.message(), line);
  }
}

bool is_blank(const Line& line) {
  return indentation(line.text) == line.text.size();
}

/// "spec/ops/pad.md" -> "pad".
std::string stem(std::string_view file) {
  file.remove_prefix(std::min(file.find_last_of('/') + 1, file.size()));
  return std::string(file.substr(0, file.find('.')));
}

class PageReader {
 public:
  explicit PageReader(std::string_view file) : file_(file) {}

  SpecPage read(std::string_view text) {
    for (const Fence& fence : find_fences(text)) read(fence);
    return std::move(page_);
  }

 private:
  void read(const Fence& fence) {
    static constexpr std::string_view kInvalid = "hlo invalid ";
    if (fence.info == "hlo syntax") {
      page_.syntax.push_back({.hlo = join(fence.lines),
                              .file = std::string(file_),
                              .line = fence.line + 1});
    } else if (fence.info == "hlo example") {
      page_.cases.push_back(example(fence));
    } else if (fence.info.starts_with(kInvalid)) {
      page_.cases.push_back(invalid(fence, fence.info.substr(kInvalid.size())));
    } else if (fence.info.starts_with("hlo")) {
      fail("page.fence",
           "the fence is of another kind: it must be hlo syntax, example or "
           "invalid LABEL",
           fence.line);
    }
  }

  Case make_case(const Fence& fence, const std::string& what,
                 const std::string& statement) {
    Case c;
    std::string operation = stem(file_);  // a file has '_' for '-'
    std::ranges::replace(operation, '_', '-');
    const std::string id = operation + "/page/" + what;
    c.id = id + "-" + std::to_string(++counts_[id]);
    c.statement = statement;
    c.why = {"Page"};
    c.file = file_;
    c.line = fence.line;
    return c;
  }

  Case invalid(const Fence& fence, const std::string& rule) {
    Case c = make_case(fence, "invalid-" + rule,
                       "the program is rejected by " + rule);
    c.hlo = join(fence.lines);
    c.expect.emplace_back(RejectedSet{rule});
    return c;
  }

  Case example(const Fence& fence) {
    Case c = make_case(fence, "example", "the value is what the page says");
    const std::span<const Line> lines = fence.lines;
    const auto dashes = std::ranges::find(lines, "---", &Line::text);
    if (dashes == lines.end()) {
      fail("page.example",
           "the example has no line --- before its value, but must have one",
           fence.line);
    }
    const auto inputs = std::find_if(
        lines.begin(), dashes,
        [](const Line& line) { return line.text.starts_with(kInput); });
    c.hlo = join({lines.begin(), inputs});
    for (const Line& line : std::span(inputs, dashes)) add_input(c, line);
    for (const Line& line : std::span(dashes + 1, lines.end())) {
      if (is_blank(line)) continue;
      for (Literal& leaf : parse_value(line.text, line.number)) {
        c.expect.emplace_back(ArraySet::computed(std::move(leaf)));
      }
    }
    c.derive_sets = true;
    return c;
  }

  static void add_input(Case& c, const Line& line) {
    if (is_blank(line)) return;
    if (!line.text.starts_with(kInput)) {
      fail("page.example",
           "between the inputs and --- stands something else: there can be "
           "only inputs",
           line.number);
    }
    for (Literal& leaf :
         parse_value(line.text.substr(kInput.size()), line.number)) {
      c.inputs.push_back(std::move(leaf));
    }
  }

  std::string_view file_;
  std::map<std::string, int> counts_;
  SpecPage page_;
};

}  // namespace

SpecPage parse_spec_page(std::string_view text, std::string_view file) {
  return PageReader(file).read(text);
}

}  // namespace hlo::conformance
