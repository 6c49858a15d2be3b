#include "interpreter/text/grammar/read_verbatim.h"

#include <algorithm>
#include <array>

#include "interpreter/shortened.h"
#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/grammar/read_window.h"
#include "interpreter/text/scan/quote.h"

namespace hlo::text {
namespace {

constexpr std::array<std::string_view, 16> kMetadataStrings = {
    "op_type", "op_name", "source_file", "deduplicated_name",
    "scheduling_name"};
constexpr std::array<std::string_view, 16> kMetadataNumbers = {
    "source_line",
    "source_end_line",
    "source_column",
    "source_end_column",
    "stack_frame_id",
    "size_of_generated_code_in_bytes",
    "size_of_memory_working_set_in_bytes"};

template <size_t n>
bool contains(const std::array<std::string_view, n>& words,
              std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

std::string read_metadata_value(Scanner& in, size_t start,
                                std::string_view field) {
  if (contains(kMetadataStrings, field)) return std::string(in.raw_string());
  if (contains(kMetadataNumbers, field)) {
    return std::to_string(in.integer("a number"));
  }
  if (field == "preserve_layout") return in.boolean() ? "true" : "false";
  if (field == "profile_type") {
    std::string text = "{";
    for (const int64_t value : read_ints(in)) {
      text += (text.size() > 1 ? "," : "") + std::to_string(value);
    }
    return text + "}";
  }
  in.fail_at(start, "text.metadata",
             "metadata has no field '" + shortened(field) + "'");
}

std::string read_index(Scanner& in) {
  std::string text = "{";
  for (const int64_t value : read_ints(in)) {
    text += (text.size() > 1 ? "," : "") + std::to_string(value);
  }
  return text + "}";
}

std::string lower(std::string_view word) {
  std::string text{word};
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string read_tolerance(Scanner& in) {
  constexpr std::array<std::string_view, 3> kFields = {"atol", "rtol", "ulps"};
  std::array<std::string, 3> values;
  read_list(in, '{', '}', [&] {
    const size_t start = in.position();
    const std::string_view field = in.word("atol, rtol or ulps");
    in.expect('=', "behind a tolerance's name");
    const auto* const found = std::ranges::find(kFields, field);
    if (found == kFields.end() || in.peek() == '-') {
      in.fail_at(start, "text.accuracy",
                 "one of atol, rtol and ulps is missing or negative: a "
                 "tolerance must have the three, none of them negative");
    }
    std::string& value =
        values.at(static_cast<size_t>(found - kFields.begin()));
    if (!value.empty())
      in.fail_at(start, "text.accuracy", "the field is given twice");
    value = field == "ulps" ? std::to_string(in.natural("an integer"))
                            : read_decimal(in).text;
  });
  std::string text = "{";
  for (size_t i = 0; i < kFields.size(); ++i) {
    if (values.at(i).empty()) continue;
    if (text.size() > 1) text += ',';
    text.append(kFields.at(i)).append("=").append(values.at(i));
  }
  return text + "}";
}

std::string read_sparse_side(Scanner& in) {
  std::string text = "{";
  in.expect('{', "before a sparsity");
  while (!in.eat('}')) {
    const size_t start = in.position();
    const std::string_view field = in.word("a field of a sparsity");
    in.expect('=', "behind the field's name");
    if (text.size() > 1) text += ' ';
    text.append(field).append("=").append(
        std::to_string(in.natural("a number")));
    if (field == "sparsity") {
      in.expect('x', "between the numbers of a sparsity");
      text += "x" + std::to_string(in.natural("a number"));
    } else if (field != "dimension" && field != "stride" && field != "idx") {
      in.fail_at(start, "text.sparsity", "the field is unknown");
    }
  }
  return text + "}";
}

}  // namespace

std::string read_metadata(Scanner& in) {
  std::string text = "{";
  std::string seen = " ";
  in.expect('{', "before metadata");
  while (!in.eat('}')) {
    if (text.size() > 1) in.eat(',');
    const size_t start = in.position();
    const std::string_view field = in.word("a field of metadata");
    in.expect('=', "behind the field's name");
    const std::string mark = std::string(field) + " ";
    if (seen.find(" " + mark) != std::string::npos) {
      in.fail_at(start, "text.metadata", "the field stands there twice");
    }
    seen += mark;
    if (text.size() > 1) text += ' ';
    text.append(field).append("=").append(
        read_metadata_value(in, start, field));
  }
  return text + "}";
}

std::string read_dictionary(Scanner& in) {
  std::string text = "{";
  read_list(in, '{', '}', [&] {
    if (text.size() > 1) text += ',';
    text.append(in.peek() == '"' ? in.raw_string() : in.word("a key"));
    in.expect('=', "behind a key");
    text += '=';
    if (in.peek() == '{') {
      text += squeeze(in.braces(/*with_comments=*/false),
                      /*with_comments=*/false);
    } else {
      text += in.raw_string();
    }
  });
  return text + "}";
}

std::string read_result_accuracy(Scanner& in) {
  in.expect('{', "before an accuracy");
  const size_t start = in.position();
  const std::string_view field = in.word("mode or tolerance");
  in.expect('=', "behind 'mode' or 'tolerance'");
  std::string text = "{" + std::string(field) + "=";
  if (field == "mode") {
    const size_t place = in.position();
    const std::string mode = lower(in.word("default or highest"));
    if (mode != "default" && mode != "highest") {
      in.fail_at(place, "text.accuracy",
                 "the mode is unknown: it must be default or highest");
    }
    text += mode;
  } else if (field == "tolerance") {
    text += read_tolerance(in);
  } else {
    in.fail_at(
        start, "text.accuracy",
        "the accuracy has no mode and no tolerance, but must have one of them");
  }
  in.expect('}', "behind an accuracy");
  return text + "}";
}

std::string read_aliasing(Scanner& in) {
  std::string text = "{";
  read_list(in, '{', '}', [&] {
    text += (text.size() > 1 ? ", " : "") + read_index(in);
    in.expect(':', "behind the index of an output");
    in.expect('(', "before an input");
    text += ": (" + std::to_string(in.integer("the number of an input"));
    in.expect(',', "behind the number of an input");
    text += ", " + read_index(in);
    if (in.eat(',')) {
      const size_t start = in.position();
      const std::string_view kind = in.word("may-alias or must-alias");
      if (kind != "may-alias" && kind != "must-alias") {
        in.fail_at(start, "text.aliasing",
                   "the kind is unknown: it must be may-alias or must-alias");
      }
      text.append(", ").append(kind);
    }
    in.expect(')', "behind an input");
    text += ')';
  });
  return text + "}";
}

std::string read_buffer_donor(Scanner& in) {
  std::string text = "{";
  read_list(in, '{', '}', [&] {
    if (text.size() > 1) text += ", ";
    in.expect('(', "before an input");
    text += "(" + std::to_string(in.natural("the number of an input"));
    in.expect(',', "behind the number of an input");
    text += ", " + read_index(in) + ")";
    in.expect(')', "behind an input");
  });
  return text + "}";
}

std::string read_sparsity(Scanner& in) {
  std::string text = "{";
  read_list(in, '{', '}', [&] {
    const size_t start = in.position();
    const std::string_view side = in.word("lhs or rhs");
    if (side != "lhs" && side != "rhs") {
      in.fail_at(start, "text.sparsity",
                 "the side is unknown: it must be lhs or rhs");
    }
    in.expect('=', "behind the side");
    if (text.size() > 1) text += ", ";
    text.append(side).append("=").append(read_sparse_side(in));
  });
  return text + "}";
}

}  // namespace hlo::text
