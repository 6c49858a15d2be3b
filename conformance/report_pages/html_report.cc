#include "conformance/report_pages/html_report.h"

#include <string_view>

#include "conformance/report_pages/page_part.h"
#include "conformance/report_pages/report_data.h"

namespace hlo::conformance {
namespace {

std::string all_texts(std::span<const PagePart> parts) {
  std::string text;
  for (const PagePart& part : parts) text += part.text;
  return text;
}

/// The frame with `text` in place of the mark.
void put(std::string& frame, std::string_view mark, const std::string& text) {
  frame.replace(frame.find(mark), mark.size(), text);
}

}  // namespace

std::string html_report(const RunTable& table,
                        std::span<const Figure> figures) {
  std::string page = all_texts(page_frames());
  put(page, "/* styles */", all_texts(page_styles()));
  put(page, "/* scripts */", all_texts(page_scripts()));
  put(page, "/* data */", report_data(table, figures));
  return page;
}

}  // namespace hlo::conformance
