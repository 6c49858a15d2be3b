#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/layout/layout_svg.h"
#include "conformance/layout/layout_text.h"
#include "conformance/layout/testing/random_layout.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/literal.h"

// What `assay layout` says of random layouts: ranks 0 to 5, sizes of 0, several
// tiles, packed elements, bounds and prefixes.
namespace hlo::conformance {
namespace {

using hlo::testing::Random;

struct Width {
  ElementType type;
  int64_t bits;  // of a slot; 0: as the type has it
};

Shape random_shape(Random& random) {
  const std::vector<Width> widths = {
      {ElementType::kF32, 0},  {ElementType::kS4, 4},
      {ElementType::kU2, 2},   {ElementType::kPred, 1},
      {ElementType::kS4, 16},  {ElementType::kC64, 0},
      {ElementType::kS4, 0},   {ElementType::kU8, 0},
      {ElementType::kBF16, 32}};
  const Width width =
      widths[static_cast<size_t>(random.between(0, std::ssize(widths) - 1))];
  std::vector<int64_t> dims;
  for (int64_t d = random.between(0, 5); d > 0; --d) {
    dims.push_back(random.one_in(12) ? 0 : random.between(1, 4));
  }
  Shape shape = Shape::array(width.type, dims);
  shape.layout = hlo::testing::random_layout(random, shape.rank(), 3);
  shape.layout->element_size_in_bits = width.bits;
  if (!dims.empty() && random.one_in(3)) {
    shape.dynamic.assign(dims.size(), false);
    shape.dynamic[0] = true;
    shape.layout->dynamic_shape_metadata_prefix_bytes = random.between(0, 8);
  }
  return shape;
}

std::string text_of(const Index& index) {
  return fmt::format("[{}]", fmt::join(index, ","));
}

/// "bytes 4 to 7 of 24", by the definition of a slot's place.
std::string place_of(const Shape& shape, int64_t slot) {
  const Layout& layout = *shape.layout;
  const int64_t width = layout.element_size_in_bits != 0
                            ? layout.element_size_in_bits
                            : storage_bytes(shape.element_type) * 8;
  const int64_t prefix = layout.dynamic_shape_metadata_prefix_bytes;
  const bool packed = width < 8;
  const int64_t unit = packed ? 1 : 8;
  const int64_t first = (prefix * 8 + slot * width) / unit;
  const int64_t last = first + width / unit - 1;
  const std::string noun = packed ? "bit" : "byte";
  return first == last ? fmt::format("{} {}", noun, first)
                       : fmt::format("{}s {} to {}", noun, first, last);
}

/// --at and --offset: which slot each element is in, and back.
void check_questions(const Shape& shape, const Memory& memory) {
  const int64_t prefix = shape.layout->dynamic_shape_metadata_prefix_bytes;
  std::map<int64_t, Index> elements;
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    const Index index = delinearize(i, shape.dims);
    const int64_t slot = linear_index(shape, index);
    EXPECT_TRUE(elements.emplace(slot, index).second) << "two in a slot";
    const std::string size = fmt::format("{}{}", memory.bytes(),
                                         memory.slot_bits() >= 8 ? ""
                                         : memory.bytes() == 1   ? " byte"
                                                                 : " bytes");
    const std::string place = place_of(shape, slot);
    EXPECT_EQ(describe_element(memory, index),
              fmt::format("{} is in slot {}: {} of {}", text_of(index), slot,
                          place, size));
    EXPECT_EQ(describe_slot(memory, slot),
              fmt::format("slot {} holds {}: {} of {}", slot, text_of(index),
                          place, size));
  }
  for (int64_t slot = 0; slot < memory.slots(); ++slot) {
    if (elements.contains(slot)) continue;
    EXPECT_EQ(
        describe_slot(memory, slot),
        fmt::format("slot {} is padding: {}", slot, place_of(shape, slot)));
  }
  EXPECT_GE((memory.bytes() - prefix) * 8, memory.slots() * memory.slot_bits());
  EXPECT_LT((memory.bytes() - prefix) * 8,
            memory.slots() * memory.slot_bits() + 8);
}

bool is_made_of(std::string_view text, std::string_view letters) {
  return !text.empty() && text.find_first_not_of(letters) == text.npos;
}

/// ` key="value"`, any number of times.
bool are_attributes(std::string_view text) {
  while (!text.empty()) {
    const size_t equals = text.find("=\"");
    if (!text.starts_with(' ') || equals == text.npos) return false;
    const size_t end = text.find('"', equals + 2);
    if (end == text.npos || text.substr(1, equals - 1).find(' ') != text.npos) {
      return false;
    }
    text.remove_prefix(end + 1);
  }
  return true;
}

/// What stands between < and > opens an element, closes the last one that is
/// open, or does both.
bool take_tag(std::string_view tag, std::vector<std::string>& open) {
  if (tag.starts_with('/')) {
    if (open.empty() || open.back() != tag.substr(1)) return false;
    open.pop_back();
    return true;
  }
  const bool is_closed = tag.ends_with('/');
  if (is_closed) tag.remove_suffix(1);
  const std::string_view name = tag.substr(0, tag.find(' '));
  if (!is_closed) open.emplace_back(name);
  return is_made_of(name, "abcdefghijklmnopqrstuvwxyz") &&
         are_attributes(tag.substr(name.size()));
}

/// The length of the entity that the text begins with, or 0.
size_t entity(std::string_view text) {
  for (const std::string_view known : {"&lt;", "&amp;", "&gt;"}) {
    if (text.starts_with(known)) return known.size();
  }
  return 0;
}

/// Whether each element of the text is closed, in order, and the text between
/// has no bare & or <.
bool is_well_formed(std::string_view svg) {
  std::vector<std::string> open;
  while (!svg.empty()) {
    size_t length = 1;
    if (svg.front() == '<') {
      const size_t end = svg.find('>');
      if (end == svg.npos || !take_tag(svg.substr(1, end - 1), open)) {
        return false;
      }
      length = end + 1;
    } else if (svg.front() == '&') {
      length = entity(svg);
      if (length == 0) return false;
    }
    svg.remove_prefix(length);
  }
  return open.empty();
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

/// Where the drawings are not cut, each slot of padding is marked, and no
/// other.
void check_drawings(const Shape& shape, const Memory& memory) {
  const auto padding =
      static_cast<size_t>(memory.slots() - shape.element_count());
  const std::string svg = draw_svg(memory);
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  if (svg.find("more slots") == svg.npos) {
    EXPECT_EQ(count_of(svg, "url(#padding)"), padding);
  }
  const std::string text = draw_text(memory);
  if (text.find("more slots") == text.npos) {
    const size_t marks = text.find(", -- for padding") == text.npos ? 0 : 1;
    EXPECT_EQ(count_of(text, " --") - marks, padding) << text;
  }
}

TEST(LayoutAudit, AnswersAndDrawingsAgreeWithTheDefinition) {
  Random random(17);
  int seen = 0;
  for (int n = 0; n < 400; ++n) {
    const Shape shape = random_shape(random);
    if (buffer_elements(shape) > 2000) continue;
    SCOPED_TRACE(to_string(shape));
    const Memory memory(shape);
    check_questions(shape, memory);
    check_drawings(shape, memory);
    ++seen;
  }
  EXPECT_GE(seen, 200);
}

TEST(LayoutAudit, KnowsWhatIsWellFormed) {
  EXPECT_TRUE(is_well_formed("<a x=\"1\" y=\"2\"><b/>1 &lt; 2</a>"));
  for (const char* text :
       {"<a>", "</a>", "<a></b>", "<a x=1></a>", "<a x=\"1></a>", "1 & 2",
        "<a x=\"1\"y=\"2\"/>", "<", "<>"}) {
    EXPECT_FALSE(is_well_formed(text)) << text;
  }
}

}  // namespace
}  // namespace hlo::conformance
