#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/explain/recording/recording.h"
#include "conformance/explain/story/explanation.h"
#include "conformance/explain/values/real_value.h"

namespace hlo::conformance {

/// The element that is explained.
struct Point {
  const Observed& run;
  const Recording& recording;
  const ExplainRequest& request;
  Ints tuple_index;
  Index index;
  const Literal& array;  // the element's
  int64_t position;      // row-major, in it

  const Instruction& instruction() const { return *run.instruction; }

  Scalar result() const { return array.at(position); }
};

/// An element that the explained one depends on.
struct Use {
  const Instruction* instruction;
  Ints tuple_index;
  Index index;
};

/// The lines of an explanation and what they say in a form to check.
class Story {
 public:
  explicit Story(const Point& point) : point_(point) {}

  void say(std::string line) { lines_.push_back(std::move(line)); }

  /// "%a[1,2] = 1.5 (3fc00000)" for an element of operand k.
  std::string operand(size_t k, int64_t position, const Ints& tuple_index = {});
  /// Says what the operation has as words for the elements of the array.
  void say_words();
  /// Says the words and the first element of each operand, of an operation of
  /// which no more is known than its page says.
  void say_page();
  /// Says the first element of each operand that is an array.
  void first_operands();
  /// The result is a copy of that element: says so.
  void copy(size_t k, int64_t position, const Ints& tuple_index = {});
  /// Says that the result is a copy of an element that is known.
  void copy_of(const Scalar& from, const std::string& where);
  /// Says what the exact value is and how it becomes the result's part, by way
  /// of another type where there is one.
  void round(const std::string& formula, const RealValue& value, int part = 0,
             std::optional<ElementType> by_way_of = {});

  /// Whether the steps in words lead to the element that was moved, or to the
  /// result.
  void note_steps(bool agree) {
    facts_.steps_agree = facts_.steps_agree && agree;
  }

  /// The explained element depends on that one too.
  void use(Use use);

  /// What another story of the same element says, of other instructions whose
  /// parts `original` names.
  void adopt(
      const Story& other,
      const std::function<const Instruction*(const Instruction*)>& original);

  /// What ran for this element and is no longer the last run of its
  /// instructions: uses are looked up there first.
  void keep(Recording recording) {
    kept_ = std::make_unique<Recording>(std::move(recording));
  }

  /// Null where there is nothing.
  const Recording* kept() const { return kept_.get(); }

  const Point& point() const { return point_; }

  const std::vector<std::string>& lines() const { return lines_; }

  const std::vector<Use>& uses() const { return uses_; }

  const Explanation& facts() const { return facts_; }

 private:
  const Point& point_;
  std::vector<std::string> lines_;
  std::vector<Use> uses_;
  std::unique_ptr<Recording> kept_;
  Explanation facts_;
};

/// "1.5 (3fc00000)".
std::string value_text(const Scalar& scalar);
/// "1.5, 2", without bits.
std::string value_texts(const std::vector<Scalar>& values);
std::string index_text(const Index& index);
}  // namespace hlo::conformance
