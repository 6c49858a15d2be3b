#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Reads operations.txt, which says what a row is. The benchmark that times the
// rows and the test that each operation has one share it.
namespace hlo::rows {

struct OperationRow {
  std::vector<std::string> ops;
  std::string variant;
  std::string baseline;
  int64_t devices = 1;
  double low = 0.1;
  double high = 1;
  std::string cells;  // a product, "9*$N"; empty: timed by elements
  std::string body;

  std::string name() const {
    return variant.empty() ? ops[0] : ops[0] + "/" + variant;
  }
};

struct OperationRows {
  std::vector<OperationRow> rows;
  std::map<std::string, std::string> regions;
};

/// "OP.. [VARIANT] on DEVICES against BASELINE of LOW..HIGH cells N"
inline OperationRow parse_head(std::istringstream words) {
  OperationRow row;
  for (std::string word; words >> word;) {
    std::string range;
    if (word == "on") {
      words >> row.devices;
    } else if (word == "against") {
      words >> row.baseline;
    } else if (word == "cells") {
      words >> row.cells;
    } else if (word == "of" && words >> range) {
      row.low = std::stod(range);
      row.high = std::stod(range.substr(range.find("..") + 2));
    } else if (word.starts_with("[")) {
      row.variant = word.substr(1, word.size() - 2);
    } else {
      row.ops.push_back(word);
    }
  }
  return row;
}

inline OperationRows read_rows(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  OperationRows result;
  std::string* body = nullptr;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("row ")) {
      result.rows.push_back(parse_head(std::istringstream(line.substr(4))));
      body = &result.rows.back().body;
    } else if (line.starts_with("region ")) {
      body = &result.regions[line.substr(7)];
    } else if (line.starts_with("  ")) {
      *body += line + "\n";
    }
  }
  return result;
}

/// $K and its kin as numbers.
inline std::string with_sizes(std::string_view text, int64_t k) {
  const int64_t n = k * k;
  const std::map<char, int64_t> sizes = {{'K', k},      {'H', k / 2},
                                         {'N', n},      {'Q', n / 4},
                                         {'R', n / 16}, {'P', n - 1}};
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      result += text[i];
    } else {
      result += std::to_string(sizes.at(text[++i]));
    }
  }
  return result;
}

/// How many cells the row says that it has.
inline int64_t cell_count(const OperationRow& row, int64_t k) {
  std::istringstream factors(with_sizes(row.cells, k));
  int64_t product = 1;
  for (std::string factor; std::getline(factors, factor, '*');) {
    product *= std::stoll(factor);
  }
  return product;
}

/// The body with a parameter in place of each ?shape.
inline std::string with_parameters(std::string_view body) {
  std::string unnamed;
  std::string text;
  int64_t count = 0;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '?') {
      text += body[i];
      continue;
    }
    const size_t end = body.find(']', i) + 1;
    const std::string number = std::to_string(count++);
    const std::string given = std::string(body.substr(i + 1, end - i - 1)) +
                              " parameter(" + number + ")";
    if (text.ends_with("= ")) {
      text += given;
    } else {
      unnamed += "  given" + number + " = " + given + "\n";
      text += "given" + number;
    }
    i = end - 1;
  }
  return unnamed + text;
}

/// The HLO text of the row's module.
inline std::string module_text(const OperationRows& rows,
                               const OperationRow& row, int64_t k) {
  std::string text =
      "HloModule m, replica_count=" + std::to_string(row.devices) + "\n";
  for (const auto& [name, body] : rows.regions) {
    if (row.body.find(name) == std::string::npos) continue;
    text += name + " {\n" + body + "}\n";
  }
  return with_sizes(text + "ENTRY main {\n" + with_parameters(row.body) + "}\n",
                    k);
}

}  // namespace hlo::rows
