#include "conformance/shrink/reproducer.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "backends/backend.h"
#include "conformance/explain/explain.h"
#include "conformance/jobs/worker.h"
#include "conformance/judge/golden.h"
#include "conformance/levels/profile_text.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/literals/npy.h"
#include "conformance/literals/short_text.h"
#include "conformance/report/summary.h"
#include "conformance/sets/value_set.h"
#include "conformance/shrink/folder_page.h"
#include "conformance/shrink/haste.h"
#include "conformance/shrink/jax_line.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/stablehlo/export/export.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kMostShown = 256;  // elements of an array

std::string place_of(int64_t i, const Literal& array) {
  return fmt::format("{{{}}}",
                     fmt::join(delinearize(i, array.shape().dims), ","));
}

/// The elements of an array, a line each.
template <typename Text>
std::string lines_of(size_t leaf, const Literal& array, const Text& text) {
  std::string lines =
      fmt::format("leaf {}: {}\n", leaf, to_string(array.shape(), false));
  for (int64_t i = 0; i < std::min(array.element_count(), kMostShown); ++i) {
    lines += fmt::format("  {} {}\n", place_of(i, array), text(i));
  }
  if (array.element_count() > kMostShown) lines += "  ...\n";
  return lines;
}

/// What each element of the result may be.
std::string set_text(const Case& stated) {
  try {
    const Case c = stated.asks_reference ? blessed(stated) : stated;
    std::string text;
    for (size_t k = 0; k < c.expect.size(); ++k) {
      const auto* const set = std::get_if<ArraySet>(&c.expect[k]);
      text += set == nullptr
                  ? fmt::format("leaf {}: nothing is asked of it\n", k)
                  : lines_of(k, set->value, [&](int64_t i) {
                      return describe(set->element(i), set->value.type());
                    });
    }
    return text;
  } catch (const Error& error) {
    return fmt::format("{}: {}\n", error.rule(), error.message());
  }
}

/// What the backend gives, or why it gives nothing.
std::string actual_text(const Program& program, const MakeBackend& make,
                        Seconds most) {
  const auto answer = std::make_shared<Observation>();
  const auto module =
      std::make_shared<const Module>(verified_module(program.hlo));
  const std::shared_ptr<Backend> backend = make();
  const auto job = [answer, module, backend, inputs = program.inputs] {
    try {
      *answer = observe(*backend, *module, inputs);
    } catch (const Error& error) {  // what it gives cannot be read
      *answer = Failure{Failure::Kind::kError, std::string(error.rule()),
                        fmt::format("{}: {}", error.rule(), error.message())};
    }
  };
  Worker worker;
  if (!worker.run(job, most)) {
    return fmt::format("no answer within {:g} s\n", most.count());
  }
  if (const auto* const failure = std::get_if<Failure>(answer.get())) {
    return failure->message + "\n";
  }
  const auto& leaves = std::get<std::vector<Literal>>(*answer);
  std::string text;
  for (size_t k = 0; k < leaves.size(); ++k) {
    text += lines_of(k, leaves[k],
                     [&](int64_t i) { return describe(leaves[k].at(i)); });
  }
  return text;
}

/// The element that is outside its set, as `assay explain` names it.
std::string element_of(const Shrunk& shrunk, const Module& module) {
  const auto& difference = shrunk.smallest.judgement.difference;
  if (!difference) return "";
  const Instruction& root = *module.entry->root;
  std::string name = "%" + root.name;
  if (root.shape.is_tuple()) name += fmt::format("{{{}}}", difference->leaf);
  return name + fmt::format("[{}]", fmt::join(difference->index, ","));
}

std::string explain_text(const Shrunk& shrunk) {
  try {
    const Module module = verified_module(shrunk.smallest.program.hlo);
    ExplainRequest request;
    request.element = element_of(shrunk, module);
    request.depth = 4;
    return explain(module,
                   device_arguments(module, shrunk.smallest.program.inputs),
                   request)
        .text;
  } catch (const Error& error) {
    return fmt::format("{}: {}\n", error.rule(), error.message());
  }
}

std::string case_text(const Case& stated) {
  return "{\"generator\":\"assay shrink\",\"command\":\"assay shrink\","
         "\"notes\":{\"Shrunk\":\"made smaller from a program that fails\"},"
         "\"do_not_edit\":true}\n" +
         print_case(stated) + "\n";
}

/// Fails as long as the backend does: the exit code of `assay check`. It stays
/// in the folder that it is called in, which a URI may name files by.
std::string script(const FolderPage& page) {
  return fmt::format(
      "#!/bin/sh\n"
      "# Judges the backend by this folder's program. Needs assay: $ASSAY, or "
      "the\n# one on $PATH. Another backend: reproduce.sh URI.\n"
      "backend={}\n"
      "if [ $# -gt 0 ]; then backend=$1; fi\n"
      "exec \"${{ASSAY:-assay}}\" {} --failures 1\n",
      shell_quoted(page.backend),
      check_words(page, "\"$(dirname \"$0\")/case.jsonl\"", "\"$backend\""));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> reproducer_files(
    const Shrunk& shrunk, const std::string& backend, const MakeBackend& make,
    const ShrinkOptions& options) {
  const Program& program = shrunk.smallest.program;
  const Judgement& judgement = shrunk.smallest.judgement;
  FolderPage page{.backend = backend,
                  .engine = engine_words(make),
                  .limit = options.most,
                  .profile = print(options.profile),
                  .jax = jax_line(program)};
  if (options.stated) page.origin = options.stated->id;
  page.operation = std::string(text::parse(program.hlo).entry->root->op->name);
  constexpr size_t kExplanation = 5;
  std::vector<std::pair<std::string, std::string>> files = {
      {"module.hlo", program.hlo},
      {"case.jsonl", case_text(shrunk.stated)},
      {"inputs.txt", input_text(program.inputs)},
      {"expected.txt", set_text(shrunk.stated)},
      {"actual.txt", is_by_limit(judgement)
                         ? judgement.message + "\n"
                         : actual_text(program, make, options.most)},
      {"explain.txt", explain_text(shrunk)},
      {"reproduce.sh", script(page)},
  };
  try {
    files.emplace_back("module.mlir",
                       stablehlo::print(verified_module(program.hlo)));
  } catch (const Error&) {  // StableHLO has no words for it
  }
  for (size_t k = 0; k < program.inputs.size(); ++k) {
    files.emplace_back(fmt::format("input_{}.npy", k),
                       write_npy(program.inputs[k]));
  }
  page.explanation = files.at(kExplanation).second;
  if (!page.jax.empty()) files.emplace_back("with_jax.py", page.jax);
  files.emplace_back("README.md", folder_page(shrunk, page));
  return files;
}

}  // namespace hlo::conformance
