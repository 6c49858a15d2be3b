#include "conformance/report_pages/badge.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/files/printable.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/junit.h"
#include "conformance/report_pages/run_totals.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

struct Row {
  std::string name;
  std::string state;
  const char* colour;
};

const char* colour_of(const EventFile& file, const Summary& summary) {
  if (file.is_partial()) return "#57606a";
  switch (summary.exit_code()) {
    case kConforms:
      return "#116329";
    case kNothing:
      return "#57606a";
    default:
      return "#a40e26";
  }
}

/// "12 of 14 conform, 1 fails, 1 broken".
std::string state_of(const Family& all) {
  std::string text =
      fmt::format("{} of {} conform", all.conforming(), all.cases());
  if (all.failures() > 0) {
    text += fmt::format(", {} fail{}", all.failures(),
                        all.failures() == 1 ? "s" : "");
  }
  if (all.broken() > 0) text += fmt::format(", {} broken", all.broken());
  return text;
}

Row row_of(const EventFile& file) {
  constexpr size_t kMostName = 40;
  const Summary summary = summary_of(file);
  const Family all = summary.total();
  return {.name = "assay " + shortened(file.backend(), kMostName),
          .state = state_of(all) + (file.is_partial() ? ", partial" : ""),
          .colour = colour_of(file, summary)};
}

/// Characters, more or less: bytes that begin one.
int64_t length(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  });
}

// In pixels.
constexpr int64_t kHeight = 20;
constexpr int64_t kCharacter = 6;
constexpr int64_t kSpace = 12;

std::string label(const std::string& text, int64_t x, int64_t width,
                  const char* colour, int64_t y) {
  return fmt::format(
      "  <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n"
      "  <text x=\"{}\" y=\"{}\" textLength=\"{}\">{}</text>\n",
      x, y, width, kHeight, colour, x + kSpace / 2, y + 14, width - kSpace,
      xml_escape(text));
}

}  // namespace

std::string badge(std::span<const EventFile> runs) {
  std::vector<Row> rows;
  int64_t left = 0;
  int64_t right = 0;
  for (const EventFile& file : runs) {
    rows.push_back(row_of(file));
    left = std::max(left, length(rows.back().name) * kCharacter + kSpace);
    right = std::max(right, length(rows.back().state) * kCharacter + kSpace);
  }
  std::string body;
  std::string title;
  int64_t y = 0;
  for (const Row& row : rows) {
    title += fmt::format("{}{} {}", title.empty() ? "" : "; ",
                         with_colon(row.name), row.state);
    body += label(row.name, 0, left, "#24292f", y) +
            label(row.state, left, right, row.colour, y);
    y += kHeight;
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" "
             "height=\"{}\" role=\"img\" fill=\"#fff\" "
             "font-family=\"Verdana,DejaVu Sans,sans-serif\" "
             "font-size=\"11\">\n  <title>{}</title>\n",
             left + right, y, xml_escape(title)) +
         body + "</svg>\n";
}

}  // namespace hlo::conformance
