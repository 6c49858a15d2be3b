#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "interpreter/rules/op.h"
#include "interpreter/testing/page_blocks.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/testing/rejection.h"

// Every operation, with operands and attributes too few and too many: an Error
// with its place, or a valid program, and never anything else.
namespace hlo {
namespace {

/// A program of a page, cut around the first line that applies an operation.
struct Place {
  std::string before;
  std::string line;
  std::string after;
  std::vector<std::string> operands;
  const Instruction* instruction = nullptr;
  Module module;
};

std::vector<std::string> names(const Instruction& instruction) {
  std::vector<std::string> found;
  for (const Instruction* operand : instruction.operands) {
    found.push_back("%" + operand->name);
  }
  return found;
}

std::string joined_names(const std::vector<std::string>& operands) {
  std::string text;
  for (const std::string& operand : operands) {
    text += (text.empty() ? "" : ", ") + operand;
  }
  return text;
}

/// Where the operation stands in the text; no instruction where it does not.
Place find_place(const std::string& source, const Op& op) {
  Place place;
  place.module = text::parse(source);
  const std::string whole = text::print(place.module);
  for (const auto& computation : place.module.computations) {
    for (const auto& instruction : computation->instructions) {
      const std::string line = text::print(*instruction);
      const size_t at = whole.find("  " + line + "\n");
      if (instruction->op != &op || !instruction->async_sugar.empty() ||
          at == std::string::npos) {
        continue;
      }
      place.before = whole.substr(0, at);
      place.line = line;
      place.after = whole.substr(at + 3 + line.size());
      place.operands = names(*instruction);
      place.instruction = instruction.get();
      return place;
    }
  }
  return place;
}

/// The programs of the operation's page that apply it.
std::vector<Place> places(const Op& op) {
  std::string page(op.name);
  std::ranges::replace(page, '-', '_');
  std::vector<Place> found;
  for (const std::string kind : {"hlo syntax", "hlo example"}) {
    for (const PageBlock& block : page_blocks("ops/" + page + ".md", kind)) {
      const size_t end = block.text.find("---\n");
      if (block.text.find("input:") < end) continue;
      Place place = find_place(block.text.substr(0, end), op);
      if (place.instruction != nullptr) found.push_back(std::move(place));
    }
  }
  return found;
}

std::string with_line(const Place& place, const std::string& line) {
  return place.before + "  " + line + "\n" + place.after;
}

std::string with_operands(const Place& place,
                          const std::vector<std::string>& operands) {
  const std::string old = "(" + joined_names(place.operands) + ")";
  std::string line = place.line;
  const size_t at =
      line.find(old, line.find(std::string(place.instruction->op->name) + "("));
  line.replace(at, old.size(), "(" + joined_names(operands) + ")");
  return with_line(place, line);
}

int line_of(const Place& place) {
  return static_cast<int>(std::ranges::count(place.before, '\n')) + 1;
}

/// The program is valid or refused at a place.
void expect_judged(const std::string& program) {
  SCOPED_TRACE(program);
  const auto error = testing::rejection(program);
  if (!error) return;
  EXPECT_GT(error->location().line, 0) << error->what();
  EXPECT_NE(error->phase(), Phase::kEvaluate) << error->what();
}

void expect_rule(const Place& place, const std::string& program,
                 const std::string& rule) {
  SCOPED_TRACE(program);
  const auto error = testing::rejection(program);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->rule(), rule) << error->what();
  EXPECT_EQ(error->location().line, line_of(place)) << error->what();
}

void try_operands(const Place& place) {
  const Op& op = *place.instruction->op;
  std::vector<std::string> operands;
  const size_t most = place.operands.size() + 1;
  for (size_t n = 0; n <= most; ++n) {
    const auto count = static_cast<int64_t>(n);
    const bool fits = count >= op.min_operands &&
                      (op.max_operands < 0 || count <= op.max_operands);
    if (fits) {
      expect_judged(with_operands(place, operands));
    } else {
      expect_rule(place, with_operands(place, operands), "text.operand-count");
    }
    const bool is_extra = n + 1 >= most;
    operands.push_back(!is_extra          ? place.operands[n]
                       : operands.empty() ? "f32[] constant(1)"
                                          : operands[0]);
  }
}

void try_attributes(const Place& place) {
  const Op& op = *place.instruction->op;
  for (const auto& attribute : place.instruction->attributes) {
    Instruction without = *place.instruction;
    std::erase_if(without.attributes,
                  [&](const auto& a) { return a.first == attribute.first; });
    const std::string program = with_line(place, text::print(without));
    const auto spec =
        std::ranges::find(op.attributes, attribute.first, &AttributeSpec::name);
    if (spec != op.attributes.end() && spec->required) {
      expect_rule(place, program, "text.attribute-missing");
    } else {
      expect_judged(program);
    }
  }
}

TEST(VerifyOperands, AreAsManyAsTheFileSays) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) +
                     "/interpreter/verify/testing/operand_counts.txt");
  size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    int64_t least = 0;
    std::string most;
    words >> least >> most;
    for (std::string name; words >> name; ++count) {
      const Op* op = find_op(name);
      ASSERT_NE(op, nullptr) << name;
      EXPECT_EQ(op->min_operands, least) << name;
      EXPECT_EQ(op->max_operands, most == ".." ? -1 : std::stoi(most)) << name;
    }
  }
  EXPECT_EQ(count, all_ops().size());
}

TEST(VerifyOperands, OfAnyNumberAreJudged) {
  for (const Op* op : all_ops()) {
    if (op->name == "parameter" || op->name == "constant") continue;
    const std::vector<Place> found = places(*op);
    EXPECT_FALSE(found.empty()) << op->name;
    for (const Place& place : found) try_operands(place);
  }
}

TEST(VerifyOperands, WithoutOneOfTheirAttributesAreJudged) {
  for (const Op* op : all_ops()) {
    for (const Place& place : places(*op)) try_attributes(place);
  }
}

// Without operands and attributes, of a type that may be left out as well.
TEST(VerifyOperands, OfNothingButANameAreJudged) {
  for (const Op* op : all_ops()) {
    for (const std::string shape :
         {"", "f32[] ", "pred[2] ", "() ", "(f32[], u32[], token[]) ",
          "((f32[]), f32[], u32[]) ", "token[] ", "b(f32[2]) "}) {
      expect_judged("HloModule m\n\nENTRY e {\n  ROOT r = " + shape +
                    std::string(op->name) + "()\n}\n");
    }
  }
}

}  // namespace
}  // namespace hlo
