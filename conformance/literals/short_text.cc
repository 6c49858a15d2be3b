#include "conformance/literals/short_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "interpreter/model/shape.h"
#include "interpreter/text/print_literal.h"

namespace hlo::conformance {
namespace {

/// What is shown of a dimension.
struct Ends {
  int64_t first = 0;
  int64_t last = 0;
};

/// So many at both ends of each dimension, or all of it.
std::vector<Ends> ends_of(const std::vector<int64_t>& sizes, int64_t each) {
  std::vector<Ends> ends;
  ends.reserve(sizes.size());
  for (const int64_t size : sizes) {
    ends.push_back(size > 2 * each ? Ends{each, each} : Ends{size, 0});
  }
  return ends;
}

/// Whether they are more than so many elements.
bool is_more(const std::vector<Ends>& ends, int64_t most) {
  int64_t count = 1;
  for (const Ends& one : ends) {
    count *= one.first + one.last;
    if (count > most) return true;
  }
  return false;
}

/// What is shown of an array of these sizes: at most so many elements.
std::vector<Ends> shown(const std::vector<int64_t>& sizes, int64_t most) {
  int64_t each = most;
  while (each > 1 && is_more(ends_of(sizes, each), most)) --each;
  std::vector<Ends> ends = ends_of(sizes, each);
  // Where there are many dimensions, the outer ones show their beginning alone.
  for (Ends& one : ends) {
    if (!is_more(ends, most)) break;
    one = {1, 0};
  }
  return ends;
}

class ShortPrinter {
 public:
  ShortPrinter(const Literal& array, std::vector<Ends> ends)
      : array_(array),
        sizes_(array.dynamic_sizes().empty() ? array.shape().dims
                                             : array.dynamic_sizes()),
        strides_(row_major_strides(array.shape().dims)),
        ends_(std::move(ends)) {}

  std::string print() {
    print(0, 0);
    return text_;
  }

 private:
  void print(size_t d, int64_t offset) {
    if (d == sizes_.size()) return print_element(offset);
    const bool is_tight = sizes_.size() == 1;
    text_ += is_tight ? "{" : "{ ";
    const auto [first, last] = ends_[d];
    print_run(d, offset, 0, first);
    if (first + last < sizes_[d]) text_ += ", ...";
    if (last > 0) text_ += ", ";
    print_run(d, offset, sizes_[d] - last, sizes_[d]);
    text_ += is_tight ? "}" : " }";
  }

  void print_run(size_t d, int64_t offset, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      if (i > begin) text_ += ", ";
      print(d + 1, offset + i * strides_[d]);
    }
  }

  void print_element(int64_t offset) {
    const Scalar element = array_.at(offset);
    const bool is_truth = element.type == ElementType::kPred;
    text_ += is_truth ? std::to_string(element.bits[0]) : text::print(element);
  }

  const Literal& array_;
  const std::vector<int64_t>& sizes_;
  std::vector<int64_t> strides_;
  std::vector<Ends> ends_;
  std::string text_;
};

std::string sizes_text(const Literal& array) {
  std::string text;
  for (const int64_t size : array.dynamic_sizes()) {
    text += (text.empty() ? "" : ",") + std::to_string(size);
  }
  return text.empty() ? text : "(" + text + ") ";
}

}  // namespace

std::string short_text(const Literal& array, int64_t most) {
  constexpr int64_t kPart = 10;
  const std::vector<int64_t>& sizes = array.dynamic_sizes().empty()
                                          ? array.shape().dims
                                          : array.dynamic_sizes();
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;  // at most element_count()
  if (count <= most) return text::print(array);
  return sizes_text(array) +
         ShortPrinter(array, shown(sizes, most / kPart)).print();
}

}  // namespace hlo::conformance
