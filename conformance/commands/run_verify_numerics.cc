#include "conformance/commands/run_verify_numerics.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

#include "conformance/case/case_files.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_folder.h"
#include "conformance/files/progress.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/terminal.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/numerics/battery.h"
#include "conformance/numerics/codes.h"
#include "conformance/numerics/hard_cases.h"
#include "conformance/numerics/pairs.h"
#include "conformance/numerics/sweep.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/table.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/nearest.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

/// What came out for one function.
struct Proof {
  int64_t blocks = 0;
  int64_t unequal_blocks = 0;  // to the rival
  int64_t changed_blocks = 0;  // another checksum than the committed one
  bool has_checksums = false;
  HardCases hard;
  std::string first;  // the first difference in words

  bool holds() const {
    return unequal_blocks == 0 && changed_blocks == 0 && !hard.wrong;
  }
};

std::string checksum_file(const Rival& rival) {
  return data_root() + "/conformance/numerics/checksums/" +
         std::string(rival.name) + ".txt";
}

bool has_checksums(const Rival& rival) {
  std::error_code error;
  const bool exists = std::filesystem::exists(checksum_file(rival), error);
  return !data_root().empty() && (exists || error);
}

/// Error "numerics.nothing" where a function would be compared with nothing.
void check_comparable(const VerifyNumericsOptions& options,
                      const Rival& rival) {
  const bool writes = !options.write.empty();
  if (options.rival || writes || has_checksums(rival)) return;
  const std::string folder =
      data_root().empty() ? "anywhere: give ASSAY_ROOT" : "in " + data_root();
  throw Error(Phase::kEvaluate, "numerics.nothing",
              fmt::format("the rivals are left out, and there are no checksums "
                          "of {} {}; nothing can be compared",
                          rival.name, folder));
}

/// The i-th of `count` blocks that are spread over `all`.
int64_t block_number(int64_t i, int64_t count, int64_t all) {
  constexpr int64_t kOdd = 37;  // so that not all begin a binade
  return count == all ? i : i * (all / count + kOdd) % all;
}

class Prover {
 public:
  Prover(const VerifyNumericsOptions& options, const Rival& rival,
         CountedProgress& progress)
      : options_(options),
        rival_(rival),
        progress_(progress),
        all_(block_count(rival.sweep)),
        blocks_(std::min(options.blocks, all_)),
        evaluator_(kReference,
                   {.threads = options.jobs, .max_work = Budget::kEndless}) {}

  Proof prove() {
    Proof proof;
    proof.blocks = blocks_;
    if (has_checksums(rival_)) {
      expected_ = read_checksums(checksum_file(rival_), all_);
      proof.has_checksums = true;
    }
    found_.assign(static_cast<size_t>(blocks_), 0);
    different_.assign(found_.size(), std::nullopt);
    evaluator_.parallel_for(blocks_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) visit(i);
    });
    count(proof);
    proof.hard = check_hard_cases(rival_, options_.hard_cases, /*seed=*/1);
    if (proof.hard.wrong) {
      proof.first += " f64 at " + hex_float(*proof.hard.wrong);
    }
    return proof;
  }

  /// The checksums of all blocks.
  const std::vector<uint64_t>& checksums() const { return found_; }

 private:
  void visit(int64_t i) {
    const int64_t block = block_number(i, blocks_, all_);
    found_[static_cast<size_t>(i)] = block_checksum(rival_, block);
    if (options_.rival) {
      different_[static_cast<size_t>(i)] = first_difference(rival_, block);
    }
    progress_.step();
  }

  void count(Proof& proof) const {
    for (size_t i = 0; i < found_.size(); ++i) {
      const auto block = static_cast<size_t>(
          block_number(static_cast<int64_t>(i), blocks_, all_));
      if (proof.has_checksums && expected_[block] != found_[i]) {
        ++proof.changed_blocks;
      }
      if (!different_[i]) continue;
      if (++proof.unequal_blocks == 1) {
        proof.first += " f32 at bits " + text_of(*different_[i]);
      }
    }
  }

  std::string text_of(std::pair<uint32_t, uint32_t> arguments) const {
    return fmt::format("{:08x}", arguments.first) +
           (rival_.is_binary() ? fmt::format(", {:08x}", arguments.second)
                               : "");
  }

  const VerifyNumericsOptions& options_;
  const Rival& rival_;
  CountedProgress& progress_;
  int64_t all_;
  int64_t blocks_;
  Evaluator evaluator_;
  std::vector<uint64_t> expected_;
  std::vector<uint64_t> found_;
  // The first arguments that differ.
  std::vector<std::optional<std::pair<uint32_t, uint32_t>>> different_;
};

[[noreturn]] void fail_to_find(std::string_view name) {
  std::vector<std::string> names;
  for (const Rival& rival : all_rivals()) names.emplace_back(rival.name);
  throw Error(Phase::kParse, "usage.function",
              fmt::format("there is no function \"{}\"{}, but it must be one "
                          "of {}",
                          shortened(name), suggestion(name, names),
                          fmt::join(names, ", ")));
}

/// The functions that --function names, or else all, as far as the filter
/// selects them.
std::vector<const Rival*> chosen(const VerifyNumericsOptions& options) {
  std::vector<const Rival*> rivals;
  for (const std::string& name : options.functions) {
    rivals.push_back(find_rival(name));
    if (rivals.back() == nullptr) fail_to_find(name);
  }
  if (options.functions.empty()) {
    for (const Rival& rival : all_rivals()) rivals.push_back(&rival);
  }
  std::erase_if(rivals, [&](const Rival* rival) {
    return !selects(options.filter, std::string(rival->name));
  });
  if (rivals.empty()) fail_to_find(options.filter);
  return rivals;
}

void print(const Rival& rival, const Proof& proof, bool rival_asked) {
  const std::string rivals =
      rival_asked ? std::to_string(proof.unequal_blocks) : "-";
  const std::string changed =
      proof.has_checksums ? std::to_string(proof.changed_blocks) : "-";
  const std::string line = fmt::format(
      "{:10} {:6} {:>14} {:>16} {:10} {:>5}{}", rival.name, proof.blocks,
      rivals, changed, proof.hard.found, proof.hard.wrong ? 1 : 0,
      proof.first.empty() ? "" : "  first:" + proof.first);
  say(fitted(line, output_width()) + "\n");
  flush_output();
}

/// Whether the operation is right for all pairs of the type.
bool prove_pairs(std::string_view operation, ElementType type, int jobs) {
  constexpr int64_t kCodes = 65536;
  constexpr int64_t kGrain = 256;
  std::mutex mutex;
  std::optional<std::pair<uint32_t, uint32_t>> wrong;
  const Evaluator evaluator(kReference, {.threads = jobs});
  CountedProgress progress(kCodes, "code");
  evaluator.parallel_for(kCodes, kGrain, [&](int64_t begin, int64_t end) {
    const auto found =
        first_wrong_pair(operation, type, static_cast<uint32_t>(begin),
                         static_cast<uint32_t>(end));
    progress.step(end - begin);
    const std::lock_guard lock(mutex);
    if (found && (!wrong || *found < *wrong)) wrong = found;
  });
  say("{} of all pairs of {}: {}\n", operation, name(type),
      wrong
          ? fmt::format("wrong at {:04x}, {:04x}", wrong->first, wrong->second)
          : "right");
  flush_output();
  return !wrong;
}

bool prove_all_pairs(int jobs) {
  bool all_hold = true;
  for (const ElementType type : {ElementType::kF16, ElementType::kBF16}) {
    for (const std::string_view operation : paired_operations()) {
      all_hold = prove_pairs(operation, type, jobs) && all_hold;
    }
  }
  return all_hold;
}

/// What is wrong among all codes of the type, a line for each function.
std::string wrong_codes(const VerifyNumericsOptions& options, ElementType type,
                        const Evaluator& evaluator) {
  const std::vector<const Rival*> rivals = chosen(options);
  const auto operations = options.functions.empty() && info(type).bits <= 8
                              ? exact_operations()
                              : std::span<const std::string_view>();
  std::vector<std::string> wrong(rivals.size() + operations.size());
  const auto visit = [&](size_t i) {
    std::string_view function;
    std::optional<std::pair<uint32_t, uint32_t>> found;
    if (i >= rivals.size()) {
      function = operations[i - rivals.size()];
      found = first_wrong_result(function, type);
    } else if (has_all_codes(*rivals[i], type)) {
      function = rivals[i]->name;
      found = first_wrong_code(*rivals[i], type);
    }
    if (!found) return;
    wrong[i] = fmt::format("\n  {} wrong at {:x}, {:x}", function, found->first,
                           found->second);
  };
  CountedProgress progress(std::ssize(wrong), "function");
  evaluator.parallel_for(static_cast<int64_t>(wrong.size()), 1,
                         [&](int64_t begin, int64_t end) {
                           for (int64_t i = begin; i < end; ++i) {
                             visit(static_cast<size_t>(i));
                             progress.step();
                           }
                         });
  return fmt::format("{}", fmt::join(wrong, ""));
}

bool prove_all_codes(const VerifyNumericsOptions& options) {
  const Evaluator evaluator(kReference, {.threads = options.jobs});
  bool all_hold = true;
  for (const TypeInfo& type : all_types()) {
    if (!is_float(type.type) || type.bits > 16) continue;
    const std::string wrong = wrong_codes(options, type.type, evaluator);
    say("all {} of {}: {}\n", type.bits > 8 ? "codes" : "codes and pairs",
        type.name, wrong.empty() ? "right" : wrong);
    flush_output();
    all_hold = all_hold && wrong.empty();
  }
  return all_hold;
}

int64_t blocks_of(const VerifyNumericsOptions& options,
                  const std::vector<const Rival*>& rivals) {
  int64_t blocks = 0;
  for (const Rival* rival : rivals) {
    blocks += std::min(options.blocks, block_count(rival->sweep));
  }
  return blocks;
}

/// Whether all functions hold, with a line for each.
bool prove_functions(const VerifyNumericsOptions& options,
                     const std::vector<const Rival*>& rivals) {
  say(fitted(fmt::format("{:10} {:>6} {:>14} {:>16} {:>10} {:>5}", "function",
                         "blocks", "unlike rival", "other checksum", "hard f64",
                         "wrong"),
             output_width()) +
      "\n");
  bool all_hold = true;
  std::optional<OutputFolder> folder;
  if (!options.write.empty()) folder.emplace(options.write, FileUse());
  CountedProgress progress(blocks_of(options, rivals), "block");
  for (const Rival* rival : rivals) {
    Prover prover(options, *rival, progress);
    const Proof proof = prover.prove();
    print(*rival, proof, options.rival);
    all_hold = all_hold && proof.holds();
    if (!folder || proof.unequal_blocks > 0) continue;
    folder->write(std::string(rival->name) + ".txt",
                  print_checksums(prover.checksums()));
    folder->commit();
  }
  return all_hold;
}

/// The functions that are compared with no checksums: "exp, log".
std::string without_checksums(const std::vector<const Rival*>& rivals) {
  std::vector<std::string_view> names;
  for (const Rival* rival : rivals) {
    if (!has_checksums(*rival)) names.push_back(rival->name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void print_battery(int64_t inputs, int threads) {
  uint64_t all = 0;
  for (const BatteryPart& part : run_battery(inputs, threads)) {
    constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
    all = (all ^ part.checksum) * kFactor;
    say("{:016x}  {}\n", part.checksum, part.name);
  }
  say("{:016x}  all\n", all);
}

}  // namespace

int run_verify_numerics(const VerifyNumericsOptions& options) {
  if (options.battery > 0) {
    print_battery(options.battery, options.jobs);
    return kConforms;
  }
  if (!options.write.empty() && options.blocks != block_count(Sweep::kAll)) {
    throw Error(Phase::kParse, "usage.option",
                fmt::format("--write is given with --blocks {}, but checksums "
                            "need --blocks {}",
                            options.blocks, block_count(Sweep::kAll)));
  }
  const std::vector<const Rival*> rivals = chosen(options);
  for (const Rival* rival : rivals) check_comparable(options, *rival);
  bool all_hold = prove_functions(options, rivals);
  if (options.codes) all_hold = prove_all_codes(options) && all_hold;
  if (options.pairs) all_hold = prove_all_pairs(options.jobs) && all_hold;
  const std::string without = without_checksums(rivals);
  if (!without.empty()) say("there are no checksums of {}\n", without);
  say("{}\n", all_hold ? "every value is the correctly rounded one"
                       : "some values are wrong");
  return all_hold ? kConforms : kDiffers;
}

}  // namespace hlo::conformance
