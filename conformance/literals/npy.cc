#include "conformance/literals/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>
#include <vector>

#include "conformance/literals/live.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/model/buffer.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;
constexpr size_t kMaxRank = 64;

[[noreturn]] void fail(std::string_view rule, const std::string& message) {
  throw Error(Phase::kEvaluate, rule, message);
}

[[noreturn]] void fail_header(const std::string& what) {
  fail("npy.header", "not a NumPy array file: " + what);
}

/// "93 4e 55": the bytes, two hexadecimal digits each.
std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += (text.empty() ? "" : " ");
    text += {kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return text.empty() ? "no byte" : text;
}

[[noreturn]] void fail_cut_off(std::string_view file, size_t least) {
  fail_header("it is cut off behind " + counted(std::ssize(file), "byte") +
              ", but its header needs " + std::to_string(least));
}

/// What the dictionary at the head of a file says.
struct Header {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<int64_t> dims;
};

/// Reads the dictionary: {'descr': '<f4', 'fortran_order': False,
/// 'shape': (2, 3), }.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  Header read() {
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      value(key);
      if (!accept(',') && peek() != '}')
        fail_header("a comma is missing" + found());
    }
    skip();
    if (!text_.empty()) fail_header("text after the dictionary" + found());
    if (seen_ != kAll) fail_header("descr, fortran_order or shape is missing");
    return header_;
  }

 private:
  static constexpr unsigned kAll = 7;

  /// " before "(2, 3)}"", the text that is left.
  std::string found() {
    skip();
    return " before \"" + shortened(text_, 20) + "\"";
  }

  void skip() {
    const size_t next = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(std::min(next, text_.size()));
  }

  char peek() {
    skip();
    return text_.empty() ? '\0' : text_.front();
  }

  bool accept(char c) {
    if (peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail_header(std::string("expected ") + c + found());
  }

  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"')
      fail_header("expected a string" + found());
    const size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos)
      fail_header("a string has no end" + found());
    std::string found(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return found;
  }

  bool boolean() {
    skip();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    fail_header("expected True or False" + found());
  }

  int64_t integer() {
    skip();
    int64_t number = 0;
    const char* begin = text_.data();
    const auto [end, error] =
        std::from_chars(begin, begin + text_.size(), number);
    if (error != std::errc() || number < 0) {
      fail_header("expected a size that is not negative" + found());
    }
    text_.remove_prefix(static_cast<size_t>(end - begin));
    return number;
  }

  std::vector<int64_t> tuple() {
    std::vector<int64_t> sizes;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(integer());
      if (sizes.size() > kMaxRank)
        fail_header("more than 64 dimensions" + found());
      if (!accept(',') && peek() != ')')
        fail_header("a comma is missing" + found());
    }
    return sizes;
  }

  void value(const std::string& key) {
    if (key == "descr") {
      header_.descr = string();
      seen_ |= 1U;
    } else if (key == "fortran_order") {
      header_.fortran_order = boolean();
      seen_ |= 2U;
    } else if (key == "shape") {
      header_.dims = tuple();
      seen_ |= 4U;
    } else {
      fail_header("unknown key \"" + shortened(key, 20) + "\"" + found());
    }
  }

  std::string_view text_;
  Header header_;
  unsigned seen_ = 0;
};

/// Takes the header off the file; what is left is the data.
Header take_header(std::string_view& file) {
  if (!file.starts_with(kMagic)) {
    fail_header("it begins with " + hex(file.substr(0, kMagic.size())) +
                ", but must with " + hex(kMagic));
  }
  if (file.size() < 10) fail_cut_off(file, 10);
  const auto byte = [&](size_t i) {
    return static_cast<size_t>(static_cast<unsigned char>(file[i]));
  };
  const size_t version = byte(6);
  if (version < 1 || version > 3) {
    fail_header("its version is " + std::to_string(version) +
                ", but must be 1, 2 or 3");
  }
  const size_t start = version == 1 ? 10 : 12;
  if (file.size() < start) fail_cut_off(file, start);
  size_t length = byte(8) | byte(9) << 8U;
  if (version > 1) length |= byte(10) << 16U | byte(11) << 24U;
  if (file.size() - start < length) fail_cut_off(file, start + length);
  Header header = HeaderReader(file.substr(start, length)).read();
  file.remove_prefix(start + length);
  return header;
}

/// NumPy's letter for the class of the type; V where it has none of that width.
char kind_of(ElementType type) {
  const int width = bits(type);
  switch (type_class(type)) {
    case TypeClass::kPred:
      return 'b';
    case TypeClass::kSigned:
      return width < 8 ? 'V' : 'i';
    case TypeClass::kUnsigned:
      return width < 8 ? 'V' : 'u';
    case TypeClass::kFloat:
      return width < 16 || type == ElementType::kBF16 ? 'V' : 'f';
    case TypeClass::kComplex:
      return 'c';
    case TypeClass::kNone:
      break;
  }
  fail("npy.type", "only arrays have NumPy files");
}

std::string descr_of(ElementType type) {
  const char kind = kind_of(type);
  const bool one_byte = storage_bytes(type) == 1 && kind != 'V';
  return std::string(one_byte ? "|" : "<") + kind +
         std::to_string(storage_bytes(type));
}

/// Whether elements with this description are of the type.
bool describes(std::string_view descr, ElementType type) {
  if (descr.size() < 3) return false;
  const std::string wanted = descr_of(type);
  const std::string_view rest = descr.substr(1);
  if (std::string_view("<>|=").find(descr[0]) == std::string_view::npos) {
    return false;
  }
  // ml_dtypes writes f8e5m2 so.
  if (type == ElementType::kF8E5M2 && rest == "f1") return true;
  return rest == std::string_view(wanted).substr(1);
}

void reverse_components(std::span<std::byte> bytes, size_t width) {
  for (size_t i = 0; i + width <= bytes.size(); i += width) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + width));
  }
}

std::string dims_text(const std::vector<int64_t>& dims) {
  std::string text;
  for (const int64_t dim : dims) text += std::to_string(dim) + ", ";
  if (dims.size() > 1) text.resize(text.size() - 2);
  if (dims.size() == 1) text.resize(text.size() - 1);
  return "(" + text + ")";
}

void check_dims(const std::vector<int64_t>& dims, const Shape& shape) {
  if (has_room(shape, dims)) return;
  fail("npy.dims", "the file has an array of " + dims_text(dims) + ", not " +
                       to_string(shape, /*with_layout=*/false));
}

/// The array in its own dimensions, whatever the order of the file.
Literal read_elements(std::string_view data, const Header& header,
                      ElementType type) {
  Shape shape = Shape::array(type, header.dims);
  if (header.fortran_order) {
    shape.layout = default_layout(shape.rank());
    std::ranges::sort(shape.layout->minor_to_major);
  }
  Buffer buffer{shape, Bytes(std::as_bytes(std::span(data)))};
  if (header.descr[0] == '>') {
    const auto width = static_cast<size_t>(storage_bytes(component_type(type)));
    reverse_components(buffer.bytes, width);
  }
  return load(buffer);
}

}  // namespace

Literal read_npy(std::string_view file, const Shape& shape) {
  const Header header = take_header(file);
  const ElementType type = shape.element_type;
  if (!describes(header.descr, type)) {
    fail("npy.type", "the file has elements of type \"" +
                         shortened(header.descr, 20) + "\", but " +
                         std::string(name(type)) + " is " + descr_of(type));
  }
  check_dims(header.dims, shape);
  const int64_t count = Shape::array(type, header.dims).element_count();
  const auto width = static_cast<uint64_t>(storage_bytes(type));
  if (file.size() / width != static_cast<uint64_t>(count) ||
      file.size() % width != 0) {
    fail("npy.size", "the file has " + counted(std::ssize(file), "byte") +
                         " of data, not those of " + counted(count, "element") +
                         " of " + std::to_string(width));
  }
  return with_room(read_elements(file, header, type), shape);
}

std::vector<int64_t> npy_dims(std::string_view file) {
  return take_header(file).dims;
}

std::string write_npy(const Literal& literal) {
  const Literal elements = live_part(literal);
  std::string header = "{'descr': '" + descr_of(elements.type()) +
                       "', 'fortran_order': False, 'shape': " +
                       dims_text(elements.shape().dims) + ", }";
  const size_t begin = kMagic.size() + 4;
  const size_t used = begin + header.size() + 1;
  header.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string file(kMagic);
  file += std::string("\x01\x00", 2);
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8U);
  file += header;
  const std::span<const std::byte> bytes = elements.bytes();
  file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return file;
}

}  // namespace hlo::conformance
