#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "conformance/commands.h"
#include "conformance/numerics/battery.h"
#include "conformance/numerics/hard_cases.h"
#include "conformance/numerics/pairs.h"
#include "conformance/numerics/sweep.h"
#include "conformance/sources/files.h"
#include "interpreter/evaluate.h"

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

/// The i-th of `count` blocks that are spread over all.
int64_t block_number(int64_t i, int64_t count) {
  constexpr int64_t kOdd = 37;  // so that not all begin a binade
  return count == kBlocks ? i : (i * (kBlocks / count) + i * kOdd) % kBlocks;
}

class Prover {
 public:
  Prover(const VerifyNumericsOptions& options, const Rival& rival)
      : options_(options),
        rival_(rival),
        evaluator_({.threads = options.jobs}) {}

  Proof prove() {
    Proof proof;
    proof.blocks = options_.blocks;
    if (std::filesystem::exists(checksum_file(rival_))) {
      expected_ = read_checksums(checksum_file(rival_));
      proof.has_checksums = true;
    }
    found_.assign(static_cast<size_t>(options_.blocks), 0);
    different_.assign(found_.size(), -1);
    evaluator_.parallel_for(options_.blocks, 1,
                            [&](int64_t begin, int64_t end) {
                              for (int64_t i = begin; i < end; ++i) visit(i);
                            });
    count(proof);
    proof.hard = check_hard_cases(rival_, options_.hard_cases, /*seed=*/1);
    if (proof.hard.wrong) {
      proof.first += fmt::format(" f64 at {:a}", *proof.hard.wrong);
    }
    return proof;
  }

  /// The checksums of all blocks.
  const std::vector<uint64_t>& checksums() const { return found_; }

 private:
  void visit(int64_t i) {
    const int64_t block = block_number(i, options_.blocks);
    found_[static_cast<size_t>(i)] = block_checksum(rival_, block);
    if (!options_.rival) return;
    const auto code = first_difference(rival_, block);
    different_[static_cast<size_t>(i)] = code ? int64_t{*code} : -1;
  }

  void count(Proof& proof) const {
    for (size_t i = 0; i < found_.size(); ++i) {
      const auto block = static_cast<size_t>(
          block_number(static_cast<int64_t>(i), options_.blocks));
      if (proof.has_checksums && expected_[block] != found_[i]) {
        ++proof.changed_blocks;
      }
      if (different_[i] < 0) continue;
      if (++proof.unequal_blocks == 1) {
        proof.first += fmt::format(" f32 at bits {:08x}", different_[i]);
      }
    }
  }

  const VerifyNumericsOptions& options_;
  const Rival& rival_;
  Evaluator evaluator_;
  std::vector<uint64_t> expected_;
  std::vector<uint64_t> found_;
  std::vector<int64_t> different_;  // the first code, or -1
};

std::vector<const Rival*> chosen(const std::vector<std::string>& names) {
  std::vector<const Rival*> rivals;
  for (const std::string& name : names) {
    rivals.push_back(find_rival(name));
    if (rivals.back() == nullptr) {
      throw std::invalid_argument("there is no function \"" + name + "\"");
    }
  }
  if (names.empty()) {
    for (const Rival& rival : all_rivals()) rivals.push_back(&rival);
  }
  return rivals;
}

void print(const Rival& rival, const Proof& proof, bool rival_asked) {
  const std::string rivals =
      rival_asked ? std::to_string(proof.unequal_blocks) : "-";
  const std::string changed =
      proof.has_checksums ? std::to_string(proof.changed_blocks) : "-";
  fmt::print("{:10} {:6} {:>14} {:>16} {:10} {:>5}{}\n", rival.name,
             proof.blocks, rivals, changed, proof.hard.found,
             proof.hard.wrong ? 1 : 0,
             proof.first.empty() ? "" : "  first:" + proof.first);
  std::fflush(stdout);
}

/// Whether the operation is right for all pairs of the type.
bool prove_pairs(std::string_view operation, ElementType type, int jobs) {
  constexpr int64_t kCodes = 65536;
  constexpr int64_t kGrain = 256;
  std::mutex mutex;
  std::optional<std::pair<uint32_t, uint32_t>> wrong;
  const Evaluator evaluator({.threads = jobs});
  evaluator.parallel_for(kCodes, kGrain, [&](int64_t begin, int64_t end) {
    const auto found =
        first_wrong_pair(operation, type, static_cast<uint32_t>(begin),
                         static_cast<uint32_t>(end));
    const std::lock_guard lock(mutex);
    if (found && (!wrong || *found < *wrong)) wrong = found;
  });
  fmt::print("{} of all pairs of {}: {}\n", operation, name(type),
             wrong ? fmt::format("wrong at {:04x}, {:04x}", wrong->first,
                                 wrong->second)
                   : "right");
  std::fflush(stdout);
  return !wrong;
}

bool prove_all_pairs(int jobs) {
  bool all_hold = true;
  for (const ElementType type : {ElementType::kF16, ElementType::kBF16}) {
    for (const std::string_view operation : {"add", "multiply"}) {
      all_hold = prove_pairs(operation, type, jobs) && all_hold;
    }
  }
  return all_hold;
}

void print_battery(int64_t inputs, int threads) {
  uint64_t all = 0;
  for (const BatteryPart& part : run_battery(inputs, threads)) {
    constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
    all = (all ^ part.checksum) * kFactor;
    fmt::print("{:016x}  {}\n", part.checksum, part.name);
  }
  fmt::print("{:016x}  all\n", all);
}

}  // namespace

int run_verify_numerics(const VerifyNumericsOptions& options) {
  if (options.battery > 0) {
    print_battery(options.battery, options.jobs);
    return kConforms;
  }
  if (!options.write.empty() && options.blocks != kBlocks) {
    throw std::invalid_argument("--write wants --blocks 4096");
  }
  fmt::print("{:10} {:>6} {:>14} {:>16} {:>10} {:>5}\n", "function", "blocks",
             "unlike rival", "other checksum", "hard f64", "wrong");
  bool all_hold = true;
  for (const Rival* rival : chosen(options.functions)) {
    Prover prover(options, *rival);
    const Proof proof = prover.prove();
    print(*rival, proof, options.rival);
    all_hold = all_hold && proof.holds();
    if (options.write.empty() || proof.unequal_blocks > 0) continue;
    write_file(options.write + "/" + std::string(rival->name) + ".txt",
               print_checksums(prover.checksums()));
  }
  if (options.pairs) all_hold = prove_all_pairs(options.jobs) && all_hold;
  fmt::print("{}\n", all_hold ? "every value is the correctly rounded one"
                              : "some values are wrong");
  return all_hold ? kConforms : kDiffers;
}

}  // namespace hlo::conformance
