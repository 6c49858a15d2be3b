#include "conformance/commands/fingerprinting/run_fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "backends/registry/make_backend.h"
#include "conformance/commands/options/judging.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/printable.h"
#include "conformance/files/progress.h"
#include "conformance/files/standard_output.h"
#include "conformance/fingerprint/fingerprint_report.h"
#include "conformance/report/build_hash.h"
#include "conformance/report/exit_code.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kFewSums = 4096;  // for all numbers of terms but the last

/// Types of operands and result that an operation is asked about.
struct Types {
  ElementType operand;
  ElementType result;
};

constexpr std::array kDotTypes = {
    Types{ElementType::kF32, ElementType::kF32},
    Types{ElementType::kF64, ElementType::kF64},
    Types{ElementType::kBF16, ElementType::kF32},
    Types{ElementType::kBF16, ElementType::kBF16},
    Types{ElementType::kF16, ElementType::kF32},
    Types{ElementType::kF16, ElementType::kF16},
    Types{ElementType::kF8E4M3FN, ElementType::kF32},
    Types{ElementType::kF8E5M2, ElementType::kF32},
};

constexpr std::array kSumTypes = {
    Types{ElementType::kF32, ElementType::kF32},
    Types{ElementType::kF64, ElementType::kF64},
    Types{ElementType::kBF16, ElementType::kBF16},
    Types{ElementType::kF16, ElementType::kF16},
};

std::vector<int64_t> terms_of(const FingerprintOptions& options) {
  if (!options.terms.empty()) return options.terms;
  if (!options.full) return {2, 3, 4, 8, 16, 17, 33, 64};
  std::vector<int64_t> terms;
  for (int64_t n = 1; n <= 33; ++n) terms.push_back(n);
  for (const int64_t n : {64, 127, 128, 129, 256, 512, 1024, 4096}) {
    terms.push_back(n);
  }
  return terms;
}

/// Whether the list has the name, or is empty.
bool is_chosen(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

/// What is asked about, in the order of the report.
std::vector<OperationFingerprint> chosen(const FingerprintOptions& options) {
  std::vector<OperationFingerprint> all;
  for (const SumKind kind : all_sum_kinds()) {
    if (!is_chosen(options.operations, name(kind))) continue;
    const bool products =
        kind == SumKind::kDot || kind == SumKind::kConvolution;
    const std::span<const Types> types =
        products ? std::span<const Types>(kDotTypes) : kSumTypes;
    // By default dot and reduce stand for what differs between types.
    const bool all_types = options.full || !options.types.empty() ||
                           kind == SumKind::kDot || kind == SumKind::kReduce;
    for (const Types& one : types) {
      const bool wanted = all_types || one.operand == ElementType::kF32;
      if (!wanted || !is_chosen(options.types, name(one.operand))) continue;
      all.push_back({kind, one.operand, one.result, {}});
    }
  }
  return all;
}

class Fingerprinting {
 public:
  explicit Fingerprinting(const FingerprintOptions& options)
      : options_(options), terms_(terms_of(options)) {
    chosen_backend(options.backend);  // wrong names are found before all else
    if (!options.output.empty()) {
      file_ = std::make_unique<OutputFile>(options.output, use_);
    }
    std::ranges::sort(terms_);
    terms_.erase(std::unique(terms_.begin(), terms_.end()), terms_.end());
  }

  int run() {
    all_ = chosen(options_);
    {
      const auto steps = std::ssize(all_) * std::ssize(terms_);
      CountedProgress progress(steps, "sum");
      for (OperationFingerprint& one : all_) {
        find(one, progress);
        clear_status();
        say(report(one));
      }
    }
    if (file_ != nullptr) write();
    return finish();
  }

 private:
  void find(OperationFingerprint& one, CountedProgress& progress) {
    const MakeMachine make = [&] {
      return std::shared_ptr<Backend>(make_backend(options_.backend));
    };
    for (const int64_t terms : terms_) {
      FingerprintEffort effort{.sums = options_.sums,
                               .repeats = options_.repeats,
                               .probes = options_.full ? 400000 : 20000,
                               .most = Seconds(options_.timeout)};
      if (terms != terms_.back()) {
        effort.sums = std::min(effort.sums, kFewSums);
      }
      one.sums.push_back(sum_fingerprint(
          {one.kind, one.operand, one.result, terms}, make, effort));
      progress.step();
      const Explained explained = one.sums.back().explained;
      const bool ends = explained == Explained::kUnsupported ||
                        explained == Explained::kFailed;
      if (ends) return;
    }
  }

  void write() {
    file_->append(fingerprint_json({.backend = options_.backend,
                                    .version = options_.version,
                                    .build = std::string(build_hash())},
                                   all_));
    file_->commit();
  }

  int finish() const {
    const auto count = [&](Explained explained) {
      return std::ranges::count(all_, explained,
                                &OperationFingerprint::explained);
    };
    const auto unsupported = count(Explained::kUnsupported);
    const auto asked = std::ssize(all_) - unsupported;
    const std::string rest =
        unsupported == 0 ? "" : fmt::format(", {} unsupported", unsupported);
    say("{}", printable(fmt::format("{} {} of {} explained bit for bit{}\n",
                                    with_colon(options_.backend),
                                    count(Explained::kYes),
                                    counted(asked, "operation"), rest)));
    if (asked == 0) return kNothing;
    if (count(Explained::kFailed) > 0) return kBroken;
    return count(Explained::kYes) == asked ? kConforms : kDiffers;
  }

  const FingerprintOptions& options_;
  std::vector<int64_t> terms_;
  std::vector<OperationFingerprint> all_;
  FileUse use_;
  std::unique_ptr<OutputFile> file_;
};

}  // namespace

int run_fingerprint(const FingerprintOptions& options) {
  try {
    return Fingerprinting(options).run();
  } catch (const Error& error) {
    const int code = report_error(error, "", "");
    return code == kUsage ? code : int{kBroken};
  }
}

}  // namespace hlo::conformance
