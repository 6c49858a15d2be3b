#pragma once

#include <string>
#include <vector>

#include "conformance/judge/run_case.h"
#include "conformance/shrink/shrink.h"

namespace hlo::conformance {

/// What the page of a folder tells beside the program.
struct FolderPage {
  std::string backend;  // its URI
  std::string engine;   // engine_words()
  Seconds limit;        // of an answer
  std::string profile;
  std::string origin = {};     // the id of the case that failed first, if any
  std::string operation = {};  // whose page says what is right
  std::string jax = {};        // a line of Python, if there is one
  std::string explanation = {};
};

/// The engine behind a backend and its release, as its worker says it:
/// "jax 0.4.30". Of a backend of this program that it is one.
std::string engine_words(const MakeBackend& make);

/// The inputs as `--input` takes them, a line each.
std::string input_text(const std::vector<Literal>& inputs);

/// What follows the name of the program where it judges the backend as it was
/// judged: `cases` and `backend` are words of a shell.
std::string check_words(const FolderPage& page, const std::string& cases,
                        const std::string& backend);

/// README.md: for who has the folder and knows nothing else.
std::string folder_page(const Shrunk& shrunk, const FolderPage& page);

/// A sentence for each thing that came of shrinking: sizes, counts, and what
/// ended it early.
std::string shrink_report(const Shrunk& shrunk);

}  // namespace hlo::conformance
