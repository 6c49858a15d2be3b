#include "conformance/shrink/folder_page.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <exception>
#include <memory>

#include "backends/process/process_backend.h"
#include "conformance/literals/short_text.h"
#include "conformance/report/summary.h"
#include "conformance/shrink/haste.h"
#include "interpreter/counted.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

std::string finding_text(const Shrunk& shrunk, const FolderPage& page) {
  Finding finding;
  finding.id = shrunk.stated.id;
  finding.file = "case.jsonl";
  finding.line = 2;
  finding.statement = shrunk.stated.statement;
  finding.judgement = shrunk.smallest.judgement;
  finding.command =
      "assay " + check_words(page, "case.jsonl", shell_quoted(page.backend));
  return describe(finding);
}

/// What is known of a backend that was waited for.
std::string waiting_words(const Shrunk& shrunk, const FolderPage& page) {
  constexpr int64_t kMost = 2'000'000'000;
  const auto work = reference_work(shrunk.smallest.program, kMost);
  const std::string reference =
      work ? fmt::format(
                 "the reference evaluates it in {} units of work, of "
                 "about a nanosecond each",
                 *work)
           : "the reference does not evaluate it within its own limit of work "
             "either";
  return fmt::format(
      "The program is valid, and the engine had not answered when the time was "
      "over ({}): it was ended then. Whether it computes for longer, waits or "
      "loops forever is not known from that; {}. The command below waits for "
      "{:g} s; --timeout gives another limit.",
      shrunk.smallest.judgement.message, reference, page.limit.count());
}

/// " by signal 8 (SIGFPE)" of "signal 8"; empty of another kind of death.
std::string signal_words(std::string_view kind) {
  constexpr std::string_view kSignal = "signal ";
  if (!kind.starts_with(kSignal)) return "";
  int number = 0;
  const std::string_view digits = kind.substr(kSignal.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const char* const name = sigabbrev_np(number);
  return name == nullptr ? fmt::format(" by {}", kind)
                         : fmt::format(" by {} (SIG{})", kind, name);
}

/// In a sentence or two, what the engine did.
std::string what_is_wrong(const Shrunk& shrunk, const FolderPage& page) {
  const Judgement& judgement = shrunk.smallest.judgement;
  if (is_late(judgement)) return waiting_words(shrunk, page);
  switch (judgement.verdict) {
    case Verdict::kDiffers: {
      const std::string told =
          judgement.difference ? bits_words(*judgement.difference) : "";
      return "The program is valid, and the engine returns a value that it "
             "must not have: the elements below are outside the sets that the "
             "operation allows." +
             (told.empty() ? "" : " " + told);
    }
    case Verdict::kWrongShape:
      return "The program is valid, and the engine returns an array of another "
             "shape or size than the program states.";
    case Verdict::kRejectedWrongly:
      return "The program is valid, and the engine refuses it.";
    case Verdict::kAcceptedWrongly:
      return "The program is invalid, and the engine runs it.";
    case Verdict::kCrashed:
      return fmt::format(
          "The program is valid, and the process of the engine ends{} while "
          "it compiles or runs it, or gives no answer that can be read; the "
          "message below is all that is known of why.",
          signal_words(shrunk.kind->what));
    case Verdict::kError:
      return "The program is valid, and the engine says that it fails; the "
             "message below is its own.";
    default:
      return "The engine's answer does not conform.";
  }
}

std::string facts(const FolderPage& page) {
  std::string rows = fmt::format(
      "| | |\n|---|---|\n| engine | {} |\n| backend | `{}` |\n| judged by | "
      "the profile `{}` (`assay spec conformance`) |\n| limit | {:g} s for an "
      "answer |\n",
      page.engine, page.backend, page.profile, page.limit.count());
  if (!page.operation.empty()) {
    rows +=
        fmt::format("| what is right | `assay spec {}` |\n", page.operation);
  }
  if (!page.origin.empty()) {
    rows += fmt::format("| first seen in | the case `{}` |\n", page.origin);
  }
  return rows +
         fmt::format(
             "| again | `sh reproduce.sh`, which runs `assay {}` |\n",
             check_words(page, "case.jsonl", shell_quoted(page.backend)));
}

std::string fenced(std::string_view head, const std::string& text) {
  if (text.empty()) return "";
  const char* const end = text.back() == '\n' ? "" : "\n";
  return fmt::format("## {}\n\n```\n{}{}```\n\n", head, text, end);
}

/// The first lines of a text.
std::string beginning(const std::string& text, int lines) {
  size_t end = 0;
  for (int i = 0; i < lines && end != std::string::npos; ++i) {
    end = text.find('\n', end);
    if (end != std::string::npos) ++end;
  }
  return end == std::string::npos ? text : text.substr(0, end);
}

constexpr const char* kFiles =
    "`module.hlo` is the program (`module.mlir` in StableHLO, where it has "
    "words for it; a custom call of `hlo.NAME` there is an instruction that it "
    "has none for), `input_0.npy`, ... its inputs, `expected.txt` the set of "
    "each element, `actual.txt` what the backend gave when it was asked once "
    "more, `explain.txt` how the reference comes to its value, `case.jsonl` "
    "all of it as `assay check` reads it. Another backend: `sh reproduce.sh "
    "URI`, judged by the same profile; the exit code is 0 where it conforms. "
    "Relative paths in a URI are those of the folder that the script is called "
    "in.\n";

}  // namespace

std::string engine_words(const MakeBackend& make) {
  try {
    const std::unique_ptr<Backend> backend = make();
    const auto said = introduction(*backend);
    if (!said) return "of this assay itself, no other engine";
    return said->release.empty() ? said->name + ", which tells no release"
                                 : said->name + " " + said->release;
  } catch (const std::exception& error) {
    return fmt::format("not known: it did not start when it was asked ({})",
                       error.what());
  }
}

/// The inputs as `--input` takes them, a line each.
std::string input_text(const std::vector<Literal>& inputs) {
  constexpr int64_t kMost = 4096;
  std::string text;
  for (size_t k = 0; k < inputs.size(); ++k) {
    text += inputs[k].element_count() <= kMost
                ? to_string(inputs[k].shape(), false) + " " +
                      text::print(inputs[k]) + "\n"
                : fmt::format("@input_{}.npy\n", k);
  }
  return text;
}

std::string check_words(const FolderPage& page, const std::string& cases,
                        const std::string& backend) {
  return fmt::format("check {} --backend {} --profile {} --timeout {:g}", cases,
                     backend, shell_quoted(page.profile), page.limit.count());
}

std::string folder_page(const Shrunk& shrunk, const FolderPage& page) {
  constexpr int kLines = 12;  // of an explanation
  const Program& program = shrunk.smallest.program;
  const std::string inputs = input_text(program.inputs);
  return fmt::format("# {} {}\n\n{}\n\n{}\n", page.backend,
                     describe(*shrunk.kind), what_is_wrong(shrunk, page),
                     facts(page)) +
         fenced("The program", program.hlo) +
         fenced("Its inputs", inputs.empty() ? "none\n" : inputs) +
         fenced("What came", finding_text(shrunk, page)) +
         fenced("How the reference comes to its value",
                beginning(page.explanation, kLines)) +
         fenced("With JAX", page.jax) + "## How it was made smaller\n\n" +
         shrink_report(shrunk) + "\n" + kFiles;
}

std::string shrink_report(const Shrunk& shrunk) {
  std::string text = fmt::format(
      "{} and {} in the largest array, of {} and {}; {} asked, {} taken\n",
      counted(shrunk.after.instructions, "instruction"),
      counted(shrunk.after.elements, "element"), shrunk.before.instructions,
      shrunk.before.elements, counted(shrunk.asked, "candidate"), shrunk.taken);
  if (shrunk.is_only_stated) {
    text +=
        "the certified bounds allow what came, or nothing can be certified: it "
        "is wrong by the set of its case, which no smaller program has\n";
  }
  if (shrunk.flaky > 0) {
    text += counted(shrunk.flaky, "candidate") +
            " failed once and not again: the backend is flaky there\n";
  }
  if (shrunk.is_in_haste) {
    text +=
        "it fails by limits that only shrinking has; with those of a run it "
        "had not ended when the time was over\n";
  }
  if (shrunk.is_out_of_time) {
    text += "the time ended it: with more there may be a smaller one\n";
  }
  if (shrunk.is_out_of_candidates) {
    text +=
        "the number of candidates ended it: with more there may be a "
        "smaller one\n";
  }
  return text;
}

}  // namespace hlo::conformance
