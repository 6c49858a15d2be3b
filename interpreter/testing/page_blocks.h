#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// What the tests of pages share; no program includes it.

namespace hlo {

/// The lines of one fenced block of a chapter of spec/, without those that are
/// empty; for tests.
struct PageBlock {
  std::string info;  // what stands behind the fence
  std::string page;
  int line = 0;
  std::vector<std::string> lines;
  std::string text;  // all lines as they are
};

/// The blocks of spec/`page` whose fence begins with `info`.
inline std::vector<PageBlock> page_blocks(const std::string& page,
                                          std::string_view info) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/spec/" + page);
  std::vector<PageBlock> blocks;
  bool open = false;
  size_t indent = 0;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const size_t begin = line.find_first_not_of(' ');
    const bool is_fence =
        begin != std::string::npos && line.compare(begin, 3, "```") == 0;
    if (is_fence && !open) {
      blocks.push_back({line.substr(begin + 3), page, number, {}, {}});
      indent = begin;
    }
    if (is_fence) {
      open = !open;
    } else if (open) {
      const std::string content =
          line.size() < indent ? "" : line.substr(indent);
      if (begin != std::string::npos) blocks.back().lines.push_back(content);
      blocks.back().text += content + "\n";
    }
  }
  std::erase_if(blocks, [&](const PageBlock& block) {
    return !block.info.starts_with(info);
  });
  return blocks;
}

/// Where the block stands, for messages.
inline std::string place(const PageBlock& block) {
  return "spec/" + block.page + ":" + std::to_string(block.line);
}

/// The numbers in a text, whatever separates them.
inline std::vector<int64_t> numbers(std::string text) {
  for (char& c : text) {
    if (c == ',') c = ' ';
  }
  std::istringstream stream(text);
  std::vector<int64_t> found;
  for (int64_t value = 0; stream >> value;) found.push_back(value);
  return found;
}

}  // namespace hlo
