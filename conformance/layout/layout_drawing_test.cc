#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/layout/layout_svg.h"
#include "conformance/layout/layout_text.h"
#include "conformance/layout/testing/random_layout.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/literal.h"
#include "interpreter/testing/page_blocks.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

Memory memory_of(const std::string& shape) {
  return Memory(text::parse_shape(shape));
}

/// Both directions agree with linear_index(), and all other slots are padding.
void check_both_ways(const Shape& shape) {
  SCOPED_TRACE(to_string(shape));
  const Memory memory(shape);
  std::map<int64_t, Index> elements;
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    const Index index = delinearize(i, shape.dims);
    elements.emplace(linear_index(shape, index), index);
    EXPECT_EQ(memory.slot(index), linear_index(shape, index));
  }
  EXPECT_EQ(memory.slots(), buffer_elements(shape));
  for (int64_t slot = 0; slot < memory.slots(); ++slot) {
    const auto found = elements.find(slot);
    const auto element = memory.element(slot);
    EXPECT_EQ(element.has_value(), found != elements.end()) << slot;
    if (element && found != elements.end()) {
      EXPECT_EQ(*element, found->second) << slot;
    }
  }
}

TEST(Memory, FindsTheElementsOfThePagesMaps) {
  for (const PageBlock& block : page_blocks("layout.md", "layout map")) {
    check_both_ways(text::parse_shape(block.lines.at(0)));
  }
  check_both_ways(text::parse_shape("u8[3]{0:T(2)(3)}"));
  check_both_ways(text::parse_shape("u8[5]{0:T(4)L(3)}"));
  check_both_ways(text::parse_shape("f32[2,7,8,3,5]{4,3,2,1,0:T(*,*,2,*,3)}"));
  check_both_ways(text::parse_shape("f32[]{:T(2,2)}"));
  check_both_ways(text::parse_shape("f32[]{:L(4)}"));
  check_both_ways(text::parse_shape("f32[2,0]{1,0:T(2,2)}"));
}

TEST(Memory, FindsTheElementsOfRandomLayouts) {
  hlo::testing::Random random(5);
  for (int n = 0; n < 300; ++n) {
    std::vector<int64_t> dims;
    for (int64_t d = random.between(0, 3); d > 0; --d) {
      dims.push_back(random.between(1, 5));
    }
    Shape shape = Shape::array(ElementType::kF32, dims);
    shape.layout = hlo::testing::random_layout(random, shape.rank(), 4);
    if (buffer_elements(shape) < 5000) check_both_ways(shape);
  }
}

TEST(Memory, FindsPlacesInHugeArrays) {
  const Memory memory = memory_of("f32[1000000,1000000]{1,0:T(8,128)}");
  const Index last = {999999, 999999};
  // Tile (124999, 7812) of (125000, 7813), row 7, column 63: 7 * 128 + 63.
  EXPECT_EQ(memory.slot(last), (124999 * int64_t{7813} + 7812) * 1024 + 959);
  EXPECT_EQ(memory.element(memory.slot(last)), last);
  EXPECT_EQ(memory.element(memory.slots() - 1), std::nullopt);
}

TEST(LayoutDrawing, HasTheRowsOfThePagesMaps) {
  for (const PageBlock& block : page_blocks("layout.md", "layout map")) {
    SCOPED_TRACE(place(block));
    const std::string text = draw_text(memory_of(block.lines.at(0)));
    const size_t width =
        std::to_string(memory_of(block.lines.at(0)).slots() - 1).size();
    for (size_t k = 1; k < block.lines.size(); ++k) {
      std::string row;
      for (const int64_t slot : numbers(block.lines[k])) {
        row += fmt::format(" {:>{}}", slot, width);
      }
      EXPECT_NE(text.find(row + "\n"), std::string::npos) << row << text;
    }
  }
}

/// The answer to "f32[4] --at 3"; without a question there is none.
std::string answer_to(const std::string& line) {
  std::istringstream words(line);
  std::string shape;
  std::string question;
  std::string given;
  words >> shape >> question >> given;
  const Memory memory = memory_of(shape);
  if (question == "--at") return describe_element(memory, numbers(given));
  if (question == "--offset") {
    return describe_slot(memory, numbers(given).at(0));
  }
  return question.empty() ? "" : "cannot read " + line;
}

/// The blocks of both pages that draw layouts, some of each.
std::vector<PageBlock> blocks_of_pages(std::string_view info) {
  std::vector<PageBlock> all;
  for (const char* const page : {"layout.md", "tpu.md"}) {
    const auto blocks = page_blocks(page, info);
    EXPECT_GE(blocks.size(), 1U) << page;
    all.insert(all.end(), blocks.begin(), blocks.end());
  }
  return all;
}

TEST(LayoutDrawing, IsAsThePageShows) {
  const auto drawings = blocks_of_pages("layout drawing");
  for (const PageBlock& block : drawings) {
    SCOPED_TRACE(place(block));
    const std::string& shape = block.lines.at(0);
    EXPECT_EQ(shape + "\n" + draw_text(memory_of(shape)), block.text);
  }
}

TEST(LayoutDrawing, AnswersAsThePageSays) {
  const auto answers = blocks_of_pages("layout answers");
  for (const PageBlock& block : answers) {
    SCOPED_TRACE(place(block));
    for (const std::string& line : block.lines) {
      const size_t end = line.find(": ");
      EXPECT_EQ(answer_to(line.substr(0, end)), line.substr(end + 2));
    }
  }
}

TEST(LayoutDrawing, RefusesAsThePageSays) {
  const auto refused = page_blocks("layout.md", "layout invalid");
  EXPECT_GE(refused.size(), 3U);
  for (const PageBlock& block : refused) {
    SCOPED_TRACE(place(block));
    try {
      ADD_FAILURE() << answer_to(block.lines.at(0));
    } catch (const Error& error) {
      EXPECT_EQ("layout invalid " + error.rule(), block.info);
    }
  }
}

TEST(LayoutDrawing, ShowsTilesAndPadding) {
  EXPECT_EQ(draw_text(memory_of("f32[3,5]{1,0:T(2,2)}")),
            "f32[3,5]{1,0:T(2,2)}: 15 elements in 24 slots of 32 bits, "
            "96 bytes; 9 of padding\n\n"
            "array: the slot of each element\n"
            "     0  1  2  3  4\n"
            "  0  0  1  4  5  8\n"
            "  1  2  3  6  7 10\n"
            "  2 12 13 16 17 20\n\n"
            "memory: the element in each slot, -- for padding\n"
            "   0 | 0,0 0,1 1,0 1,1 | 0,2 0,3 1,2 1,3 | 0,4  -- 1,4  -- "
            "| 2,0 2,1  --  -- | 2,2 2,3  --  --\n"
            "  20 | 2,4  --  --  --\n");
}

/// What is written in a picture, one after the other.
std::string words_of(const std::string& svg) {
  std::string words;
  const std::string end = "</text>";
  for (size_t at = svg.find(end); at != svg.npos; at = svg.find(end, at + 1)) {
    const size_t begin = svg.rfind('>', at) + 1;
    words += svg.substr(begin, at - begin) + "\n";
  }
  std::ranges::replace(words, '\n', ' ');
  return words;
}

// Each row begins with its number, or with that of its first slot.
TEST(LayoutDrawing, HasACellForEachElementAndSlotInPictures) {
  EXPECT_EQ(words_of(draw_svg(memory_of("f32[3,5]{1,0:T(2,2)}"))),
            "f32[3,5]{1,0:T(2,2)}: 15 elements in 24 slots of 32 bits, "
            "96 bytes; 9 of padding "
            "array: the slot of each element "
            "0 0 1 4 5 8 1 2 3 6 7 10 2 12 13 16 17 20 "
            "memory: the element in each slot; padding is hatched "
            "0 0,0 0,1 1,0 1,1 0,2 0,3 1,2 1,3 0,4 1,4 2,0 2,1 "
            "16 2,2 2,3 2,4 ");
}

// Behind the four columns of its first slot's number a line of 100 has room for
// four cells of 22 characters and a space.
TEST(LayoutDrawing, HasAsManyWideCellsOnALineAsFit) {
  const std::string zeros = "0,0,0,0,0,0,0,0,0,0,";
  std::string lines;
  for (int slot = 0; slot < 20; ++slot) {
    if (slot % 4 == 0) lines += fmt::format("{:>4}", slot);
    lines += fmt::format(" {:>22}", zeros + std::to_string(slot));
    if (slot % 4 == 3) lines += '\n';
  }
  const std::string text = draw_text(memory_of("u8[1,1,1,1,1,1,1,1,1,1,20]"));
  EXPECT_TRUE(text.ends_with("for padding\n" + lines)) << text;
}

TEST(LayoutDrawing, CutsLargeArrays) {
  for (const std::string shape :
       {"f32[1000000,1000000]{1,0:T(8,128)}", "u8[9,9,100,100]{0,1,2,3}",
        "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "pred[100000]"}) {
    const Memory memory = memory_of(shape);
    const std::string text = draw_text(memory);
    EXPECT_NE(text.find("..."), std::string::npos);
    EXPECT_LT(text.size(), 20'000U);
    EXPECT_LT(draw_svg(memory).size(), 1'000'000U);
  }
}

TEST(LayoutDrawing, TellsWhereElementsAre) {
  const Memory tiled = memory_of("f32[3,5]{1,0:T(2,2)}");
  EXPECT_EQ(describe_element(tiled, {2, 3}),
            "[2,3] is in slot 17: bytes 68 to 71 of 96");
  EXPECT_EQ(describe_slot(tiled, 17),
            "slot 17 holds [2,3]: bytes 68 to 71 of 96");
  EXPECT_EQ(describe_slot(tiled, 9), "slot 9 is padding: bytes 36 to 39");
  EXPECT_EQ(describe_element(memory_of("s4[4]{0:E(4)}"), {3}),
            "[3] is in slot 3: bits 12 to 15 of 2 bytes");
  EXPECT_EQ(describe_element(memory_of("u8[<=3]{0:M(8)}"), {1}),
            "[1] is in slot 1: byte 9 of 11");
}

TEST(LayoutDrawing, RefusesWhatIsNotThere) {
  const Memory memory = memory_of("f32[3,5]{1,0:T(2,2)}");
  const auto rule = [](const auto& run) {
    try {
      run();
    } catch (const Error& error) {
      return error.rule();
    }
    return std::string();
  };
  EXPECT_EQ(rule([&] { memory.slot({3, 0}); }), "layout.at");
  EXPECT_EQ(rule([&] { memory.slot({1}); }), "layout.at");
  EXPECT_EQ(rule([&] { memory.element(24); }), "layout.offset");
  EXPECT_EQ(rule([&] { memory.element(-1); }), "layout.offset");
  EXPECT_EQ(rule([&] { memory_of("(f32[2], f32[])"); }), "layout.array");
  EXPECT_EQ(rule([&] { memory_of("f32[?]"); }), "literal.unbounded");
}

}  // namespace
}  // namespace hlo::conformance
