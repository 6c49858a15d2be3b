#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/sets/expectation.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// One program with its inputs and what its result may be.
struct Case {
  std::string id;  // op/type/what
  std::string statement;
  std::vector<std::string> why;
  // The program in one of two languages; the other text is empty.
  std::string hlo;
  std::string stablehlo;
  std::vector<Literal> inputs;  // one per array leaf of the parameters
  /// One per array leaf of the result, or one RejectedSet.
  std::vector<Expectation> expect;
  bool asks_reference = false;  // "expect":"reference": not blessed yet
  bool from_reference = false;  // source: reference or certified
  /// The sets are what is certified of the whole program.
  bool certified = false;  // source: certified
  /// The stated values are the reference's: what others may return follows
  /// from the accuracy of the operations (examples of pages).
  bool derive_sets = false;
  std::string file;
  int line = 0;
};

/// Who has put the reference's results of today in place of older ones.
struct Blessing {
  std::string who;
  std::string when;  // a day, as in 2027-01-31
  std::string why;
  std::vector<std::string> cases;  // ids
};

/// The first line of a vector file.
struct VectorHeader {
  std::string generator;
  std::string command;
  std::map<std::string, std::string> notes;
  std::vector<Blessing> blessed = {};
};

struct VectorFile {
  VectorHeader header;
  std::vector<Case> cases;
};

/// One line of a vector file. Throws Error "vectors.json", "vectors.header",
/// "vectors.case" or "vectors.literal" with `line`, and the column of what is
/// wrong.
VectorHeader parse_header(std::string_view text, int line = 1);
Case parse_case(std::string_view text, std::string_view file, int line);
/// The canonical line of the header, without a line break. Error
/// "vectors.header" where its text is not UTF-8.
std::string print_header(const VectorHeader& header);
/// "exact", "reference" or "certified".
std::string_view source_of(const Case& c);
/// The canonical line of the case, without a line break. Error "vectors.case"
/// where its text is not UTF-8.
std::string print_case(const Case& c);
/// The whole text of a vector file: lines, unique ids, known flags.
VectorFile parse_vectors(std::string_view text, std::string_view file);

}  // namespace hlo::conformance
