#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "backends/backend.h"
#include "conformance/case/case_files.h"
#include "conformance/case/case_program.h"
#include "conformance/explain/explain.h"
#include "conformance/explain/recording/element.h"
#include "conformance/explain/testing/explanation_checks.h"
#include "conformance/literals/literal_bits.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/text/printer.h"

// Whatever operation an element is of, what is told ends with its bits and
// names what they were made of.
namespace hlo::conformance {
namespace {

const std::string kRoot = ASSAY_SOURCE_DIR;

/// What no element was made into: what is told of it is where it comes from.
const std::set<std::string_view> kWithoutOperands = {
    "constant",   "get-dimension-size",
    "infeed",     "iota",
    "parameter",  "partition-id",
    "recv",       "recv-done",
    "replica-id", "rng-get-and-update-state"};

/// What is said of the element itself, line by line: neither its name nor the
/// instruction.
std::vector<std::string> story_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  const bool has_run = lines.at(0).starts_with("run ");
  lines.erase(lines.begin(), lines.begin() + (has_run ? 3 : 2));
  return lines;
}

/// Whether the line has an index behind a name, %x[1,2], or "element ".
bool names_an_element(std::string_view line) {
  for (size_t at = line.find('['); at != line.npos;
       at = line.find('[', at + 1)) {
    const size_t end = line.find_first_not_of("0123456789,", at + 1);
    if (end == line.npos || line[end] != ']') continue;
    const std::string_view before = line.substr(0, at);
    const size_t word = before.rfind(' ') + 1;
    if (before.ends_with("element ") || before.find('%', word) != line.npos) {
      return true;
    }
  }
  return false;
}

bool names_an_origin(const std::vector<std::string>& story) {
  constexpr std::string_view kOthers[] = {
      "a copy of ", "of 0 products", "of 0 elements", "a number of the state"};
  return std::ranges::any_of(story, [&](const std::string& line) {
    return names_an_element(line) ||
           std::ranges::any_of(kOthers, [&](std::string_view other) {
             return line.find(other) != line.npos;
           });
  });
}

/// Whether the end of the story is the result: its bits, its number where that
/// is an integer, or a checked exact value of which nothing is rounded.
bool ends_with_result(const Explanation& explanation,
                      const std::vector<std::string>& story,
                      const Scalar& result) {
  // check_facts() has compared these.
  if (explanation.copied || !explanation.computed.empty()) return true;
  const std::string bits = "(" + print_bits(result) + ")";
  const size_t first = story.size() - std::min<size_t>(story.size(), 2);
  return std::any_of(story.begin() + static_cast<std::ptrdiff_t>(first),
                     story.end(), [&](const std::string& line) {
                       return line.find(bits) != line.npos ||
                              line.ends_with(" = " + text::print(result));
                     });
}

bool was_past_the_sizes(const std::vector<std::string>& story) {
  return story.back().find("past the sizes") != std::string::npos;
}

/// The instructions of one operation in one case.
class Audit {
 public:
  explicit Audit(const Case& c)
      : case_(c),
        module_(case_module(c)),
        arguments_(device_arguments(module_, c.inputs)) {}

  /// How many elements were explained.
  int run(std::string_view op) {
    for (const auto& computation : module_.computations) {
      for (const auto& instruction : computation->instructions) {
        if (instruction->op->name == op) explain_some(*instruction);
      }
    }
    return explained_;
  }

 private:
  /// The first, a middle and the last element of each array.
  void explain_some(const Instruction& instruction) {
    std::vector<Ints> arrays;
    add_arrays(instruction.shape, {}, arrays);
    for (const Ints& list : arrays) {
      const Shape& shape = part_of(instruction.shape, list);
      const int64_t count = shape.element_count();
      if (count == 0) continue;
      for (const int64_t i : std::set<int64_t>{0, count / 2, count - 1}) {
        const Index index = delinearize(i, shape.dims);
        const std::string name = full_name(instruction, list, index);
        if (!explain_one(instruction, list, index, name)) return;
      }
    }
  }

  /// False where the instruction does not run on its own.
  bool explain_one(const Instruction& instruction, const Ints& list,
                   const Index& index, const std::string& name) {
    SCOPED_TRACE(fmt::format("{}:{} {}", case_.file, case_.line, name));
    try {
      const Explanation explanation =
          explain(module_, arguments_, {.element = name});
      check(explanation, instruction, list, index);
      ++explained_;
    } catch (const Error& error) {
      if (error.rule() != "explain.run") ADD_FAILURE() << error.what();
      return false;
    }
    return true;
  }

  void check(const Explanation& explanation, const Instruction& instruction,
             const Ints& list, const Index& index) {
    const std::vector<std::string> story = story_of(explanation.text);
    ASSERT_FALSE(story.empty()) << explanation.text;
    check_facts(explanation);
    if (was_past_the_sizes(story)) return;
    const bool is_given = kWithoutOperands.contains(instruction.op->name);
    EXPECT_TRUE(is_given || names_an_origin(story)) << explanation.text;
    if (&instruction != module_.entry->root) return;
    const Scalar result = part_of(value(), list).at(index);
    EXPECT_NE(explanation.text.find("(bits " + print_bits(result) + ")"),
              std::string::npos)
        << print_bits(result) << "\n"
        << explanation.text;
    EXPECT_TRUE(is_given || ends_with_result(explanation, story, result))
        << explanation.text;
  }

  /// The result of the program on the first device, without an observer.
  const Literal& value() {
    if (!value_) value_ = evaluate_devices(module_, arguments_).results.at(0);
    return *value_;
  }

  const Case& case_;
  Module module_;
  std::vector<std::vector<Literal>> arguments_;
  std::optional<Literal> value_;
  int explained_ = 0;
};

bool is_rejected(const Case& c) {
  return c.expect.size() == 1 &&
         std::holds_alternative<RejectedSet>(c.expect[0]);
}

std::string file_name(std::string_view op) {
  std::string name(op);
  std::ranges::replace(name, '-', '_');
  return name;
}

/// Some of the operation's vectors, from first to last, and the examples of its
/// page.
std::vector<Case> cases_of(std::string_view op) {
  constexpr size_t kVectors = 100;
  const std::string name = file_name(op);
  std::vector<Case> vectors =
      load_cases(kRoot + "/conformance/vectors/" + name + ".jsonl");
  std::erase_if(vectors, is_rejected);
  std::vector<Case> cases =
      load_all({kRoot + "/spec/ops/" + name + ".md"}, "*/page/example-*");
  std::erase_if(cases, is_rejected);
  const size_t step = std::max<size_t>(vectors.size() / kVectors, 1);
  for (size_t i = 0; i < vectors.size(); i += step) {
    cases.push_back(vectors[i]);
  }
  return cases;
}

TEST(ExplainAudit, NamesWhatEachElementOfEachOperationIsMadeOf) {
  // Their results are tokens, which have no elements.
  const std::set<std::string_view> tokens = {"after-all", "outfeed",
                                             "send-done"};
  for (const Op* op : all_ops()) {
    if (!op->is_defined()) continue;
    int explained = 0;
    for (const Case& c : cases_of(op->name))
      explained += Audit(c).run(op->name);
    EXPECT_EQ(explained == 0, tokens.contains(op->name)) << op->name;
  }
}

}  // namespace
}  // namespace hlo::conformance
