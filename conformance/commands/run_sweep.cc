#include "conformance/commands/run_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "backends/registry/make_backend.h"
#include "conformance/commands/options/judging.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/file_use.h"
#include "conformance/files/output_file.h"
#include "conformance/files/progress.h"
#include "conformance/files/read_file.h"
#include "conformance/files/standard_output.h"
#include "conformance/levels/level.h"
#include "conformance/levels/profile_text.h"
#include "conformance/report/build_hash.h"
#include "conformance/report/exit_code.h"
#include "conformance/sweep/recorded/sweep_events.h"
#include "conformance/sweep/recorded/sweep_file.h"
#include "conformance/sweep/run_chunks.h"
#include "conformance/sweep/sweep_report.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

/// One sweep, with its file.
class Sweep {
 public:
  explicit Sweep(const SweepOptions& options)
      : options_(options),
        profile_(parse_profile(options.profile)),
        operation_(swept_operation(options.operation, options.type)),
        plan_(operation_, range_of(options)),
        result_{.operation = operation_,
                .backend = options.backend,
                .profile = options.profile,
                .total = {},
                .worst = {}} {
    chosen_backend(options.backend);  // wrong names are found before all else
    if (!options.output.empty()) {
      file_ = std::make_unique<OutputFile>(options.output, use_,
                                           OutputFile::Unfinished::kKept);
    }
    if (!options.svg.empty()) {
      picture_ = std::make_unique<OutputFile>(options.svg, use_);
    }
  }

  int run() {
    if (options_.resume) go_on();
    if (file_ != nullptr && !begun_) file_->append(begin_line());
    {
      CountedProgress progress(plan_.chunk_count(), "chunk");
      progress.skip(known_);
      run_chunks(
          operation_, plan_, [&] { return make_backend(options_.backend); },
          [&](const SweepTally& tally) {
            if (file_ != nullptr) {
              file_->append(sweep_chunk(known_, tally) + "\n");
            }
            take(tally);
            progress.step();
          },
          {.profile = profile_,
           .first = known_,
           .jobs = options_.jobs,
           .most = Seconds(options_.timeout)});
    }
    return finish();
  }

 private:
  std::optional<SweepRange> range_of(const SweepOptions& options) const {
    if (options.range.empty()) return std::nullopt;
    return parse_sweep_range(options.range, operation_.type);
  }

  std::string begin_line() const {
    return sweep_begin({.backend = options_.backend,
                        .operation = std::string(operation_.op->name),
                        .type = std::string(name(operation_.type)),
                        .range = options_.range,
                        .profile = options_.profile,
                        .version = options_.version,
                        .build = std::string(build_hash()),
                        .chunks = plan_.chunk_count()}) +
           "\n";
  }

  void take(const SweepTally& tally) {
    add_chunk(result_, tally);
    ++known_;
  }

  /// What the file has of an earlier run, which ended early or did not.
  void go_on() {
    std::string text = file_->go_on();
    begun_ = !text.empty();
    if (!begun_ && std::filesystem::is_regular_file(options_.output)) {
      text = read_file(options_.output);
    }
    if (text.empty()) return;
    size_t at = text.find('\n') + 1;
    require_evaluable(at > 0 && text.substr(0, at) == begin_line(),
                      "sweep.resumed",
                      {"the file ", options_.output,
                       " begins with another sweep, backend or build"},
                      "--resume must go on with the same");
    if (!begun_) file_->append(begin_line());
    while (at < text.size() && known_ < plan_.chunk_count()) {
      const size_t end = text.find('\n', at);
      if (end == std::string::npos) break;
      const std::string line = text.substr(at, end - at);
      take_line(line);
      if (!begun_) file_->append(line + "\n");
      at = end + 1;
    }
    begun_ = true;
  }

  void take_line(const std::string& line) {
    const RecordedChunk recorded = read_sweep_chunk(line);
    const bool fits = recorded.chunk == known_;
    require_evaluable(
        fits, "sweep.file",
        {"chunk ", recorded.chunk, " stands where ", known_, " is to come"},
        "the chunks of the file must stand in their order");
    take(recorded.tally);
  }

  int finish() {
    finish_sweep(result_);
    const SweepTally& total = result_.total;
    const size_t axes = 0;
    const auto& failed = total.levels.at(axes);
    const int rank = find_level(profile_.level).rank;
    const bool conforms = failed.at(static_cast<size_t>(rank)).count == 0;
    const int code = conforms ? kConforms : kDiffers;
    if (file_ != nullptr) {
      file_->append(sweep_end(total, code) + "\n");
      file_->commit();
    }
    if (picture_ != nullptr) {
      picture_->append(draw_sweep(result_, plan_));
      picture_->commit();
    }
    say(report(result_));
    return code;
  }

  const SweepOptions& options_;
  Profile profile_;
  SweptOperation operation_;
  SweepPlan plan_;
  SweepResult result_;
  FileUse use_;
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<OutputFile> picture_;
  int64_t known_ = 0;  // chunks
  bool begun_ = false;
};

/// Whether what the command line asks for is wrong.
bool is_of_command(const Error& error) {
  constexpr std::array kRules = {"sweep.operation", "sweep.type", "sweep.range",
                                 "sweep.resumed"};
  return std::ranges::find(kRules, error.rule()) != kRules.end();
}

}  // namespace

int run_sweep(const SweepOptions& options) {
  try {
    require_evaluable(!options.resume || !options.output.empty(),
                      "usage.resume", {"there is no --output FILE"},
                      "--resume must have one to go on with");
    return Sweep(options).run();
  } catch (const Error& error) {
    const int code = report_error(error, "", "");
    if (error.rule() == "sweep.unsupported") return kNothing;
    return code == kUsage || is_of_command(error) ? kUsage : kBroken;
  }
}

}  // namespace hlo::conformance
