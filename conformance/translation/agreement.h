#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/certify/array/set_tree.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// An element of a value that is not in its set.
struct Outside {
  size_t leaf = 0;
  std::string place;  // "{0,1}" of an element, or "sizes"
  std::string value;  // in words, as the set
  std::string expected;
};

/// The first element of the leaves that lies outside its set; nothing where
/// all lie inside, or nothing is certified.
std::optional<Outside> first_outside(const std::vector<const SetTree*>& sets,
                                     const std::vector<Literal>& values);

/// What of the program before an instruction of the program after is likened
/// to by its operation and the name that the source gave it.
struct Counterpart {
  const Instruction* instruction = nullptr;
  int likeness = 0;  // 2: the same operation, 1: another one
  std::optional<Outside> outside = {};
  /// Its value, where it has run once only.
  std::shared_ptr<const Literal> value = {};
};

/// Which instructions of the program after have values that instructions of
/// the program before may have. Sees the whole run of the program after first.
class Agreement {
 public:
  void see_after(const Instruction& instruction, const Literal& value);
  void see_before(const Instruction& instruction, const SetTree& sets);
  /// A value that both programs get.
  void see_input(const Literal& input);

  /// Those that were seen, in the order in which they ran first.
  const std::vector<const Instruction*>& order() const { return order_; }

  /// Whether each of its values was found, and says enough to be no accident.
  bool agrees(const Instruction& after) const;
  /// Whether its values are so few that others have them by accident.
  bool says_little(const Instruction& after) const;
  /// The first of its runs, from 0, that no run of a like one agrees with.
  int64_t first_run(const Instruction& after) const;
  /// Null where nothing is like it.
  const Counterpart* counterpart(const Instruction& after) const;

 private:
  struct Leaf {
    Literal value;
    bool says_little = false;
    bool found = false;
    bool is_input = false;  // of the program, in whatever shape
  };

  /// How the runs of an instruction in a loop compare one by one with those of
  /// a like one.
  struct Turns {
    int64_t runs = 0;
    bool all_agree = true;
    int64_t good = 0;  // runs before the first that does not agree
  };

  struct Seen {
    std::vector<Leaf> leaves;
    size_t leaves_of_run = 0;
    std::map<const Instruction*, Turns> turns = {};
    int64_t runs = 0;
    std::string source;
    Counterpart counterpart;
    bool is_cut = false;  // more was computed than is kept
  };

  static void take_turn(Seen& seen, const Instruction& before,
                        const std::vector<const SetTree*>& sets);
  static void liken(Seen& seen, const Instruction& before,
                    const std::vector<const SetTree*>& sets, int likeness);
  static void find(Seen& seen, const Instruction& after,
                   const Instruction& before,
                   const std::vector<const SetTree*>& sets,
                   const std::string& before_source);

  std::vector<const Instruction*> order_;
  std::map<const Instruction*, Seen> seen_;
  int64_t kept_ = 0;  // elements
};

}  // namespace hlo::conformance
