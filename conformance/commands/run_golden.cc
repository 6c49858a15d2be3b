#include "conformance/commands/run_golden.h"

#include "conformance/case/case_files.h"
#include "conformance/case/manifest.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/read_file.h"
#include "conformance/files/standard_output.h"
#include "conformance/judge/golden.h"
#include "conformance/report/exit_code.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

std::vector<std::string> vector_files(const GoldenOptions& options) {
  std::vector<std::string> files = case_files(options.files);
  std::erase_if(
      files, [](const std::string& file) { return !file.ends_with(".jsonl"); });
  if (!files.empty()) return files;
  throw Error(Phase::kParse, "file.read",
              "there is no vector file here, but golden needs files that end "
              "in .jsonl");
}

/// The vectors that everybody shares, and their manifest.
std::string vectors_folder() { return data_root() + "/conformance/vectors"; }

std::string manifest_path() { return vectors_folder() + "/manifest.json"; }

/// Says how the files differ from their manifest; how often.
int64_t verify_manifest(const std::vector<std::string>& files) {
  const std::vector<std::string> differences =
      manifest_differences(read_file(manifest_path()), vectors_folder(), files);
  for (const std::string& difference : differences) {
    say("manifest.json: {}\n", difference);
  }
  return std::ssize(differences);
}

int write_manifest(const std::vector<std::string>& files) {
  FileUse use;
  use.read(files);
  OutputFile out(manifest_path(), use);
  out.append(make_manifest(vectors_folder(), files));
  out.commit();
  return kConforms;
}

/// `wrong` is how much of them is wrong beside the cases.
int verify_files(const std::vector<std::string>& files, int64_t wrong) {
  int64_t cases = 0;
  int64_t from_reference = 0;
  for (const std::string& file : files) {
    for (const Case& c : load_cases(file)) {
      ++cases;
      from_reference += c.from_reference ? 1 : 0;
      const std::string problem = verify_golden(c);
      if (problem.empty()) continue;
      ++wrong;
      say("{}:{}: {}: {}\n", c.file, c.line, c.id, printable(problem));
    }
  }
  say("{} in {}: {} from the reference, {} computed without it; "
      "{} wrong\n",
      counted(cases, "case"), counted(std::ssize(files), "file"),
      from_reference, cases - from_reference, wrong);
  return wrong == 0 ? kConforms : kDiffers;
}

/// Error "file.write" where the file is not any more what was read.
void replace(const std::string& file, const std::string& before,
             const std::string& after) {
  FileUse use;
  OutputFile out(file, use);
  if (read_file(file) != before) {
    throw Error(Phase::kEvaluate, "file.write",
                "cannot write " + file + ": it has changed meanwhile");
  }
  out.append(after);
  out.commit();
}

int bless_files(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    load_cases(file);  // its errors name the file
    const std::string before = read_file(file);
    const std::string after = bless(before, file);
    if (after == before) continue;
    replace(file, before, after);
    say("blessed {}\n", file);
  }
  return kConforms;
}

/// The cases of the tier full, to be kept, looked at or changed by hand.
int draw_cases(const GoldenOptions& options) {
  const std::unique_ptr<CheckCases> cases =
      cases_of_tier("full", options.files, options.filter, options.drawing);
  if (cases->count() == 0) return report_no_case(options.filter);
  say("{{\"generator\":\"assay golden draw\",\"command\":\"assay golden draw "
      "--seed {}\",\"notes\":{{\"Random\":\"instructions of random programs, "
      "with operands and layouts drawn at random\"}},\"do_not_edit\":true}}\n",
      options.drawing.seed);
  for (std::vector<Case> part; !(part = cases->next()).empty();) {
    for (const Case& c : part) say("{}\n", print_case(c));
  }
  flush_output();
  return kConforms;
}

}  // namespace

int run_golden(const GoldenOptions& options) {
  try {
    if (options.action == "draw") return draw_cases(options);
    const std::vector<std::string> files = vector_files(options);
    if (options.action == "manifest") return write_manifest(files);
    if (options.action == "verify") {
      return verify_files(files,
                          options.files.empty() ? verify_manifest(files) : 0);
    }
    if (options.action == "bless") return bless_files(files);
  } catch (const Error& error) {
    return report_error(error, "", "");
  }
  complain("error: golden verify, bless, manifest, or draw\n");
  return kUsage;
}

}  // namespace hlo::conformance
