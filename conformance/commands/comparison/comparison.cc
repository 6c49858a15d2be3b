#include "conformance/commands/comparison/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/registry/make_backend.h"
#include "conformance/case/case_files.h"
#include "conformance/expect/collective_call.h"
#include "conformance/files/printable.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/terminal.h"
#include "conformance/judge/judge_instruction.h"
#include "conformance/judge/run_case.h"
#include "conformance/levels/profile_text.h"
#include "conformance/report/exit_code.h"
#include "conformance/shrink/failure_kind.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/rules/clone.h"
#include "interpreter/rules/work.h"
#include "interpreter/shortened.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

/// The text of an instruction on one line of bearable length.
std::string shown(const Instruction& instruction) {
  constexpr size_t kMostText = 400;
  return shortened(text::print(instruction), kMostText);
}

/// As the id of a case: "add/f32/sum.1".
std::string id_of(const Instruction& instruction) {
  return fmt::format("{}/{}/{}", instruction.op->name,
                     name(instruction.shape.element_type), instruction.name);
}

int64_t element_count(std::span<const Literal> values) {
  int64_t elements = 0;
  for (const Literal& leaf : array_leaves(values)) {
    elements += leaf.element_count();
  }
  return elements;
}

/// What it takes to run an instruction by itself and to judge what comes out,
/// which has so many elements.
int64_t work_of_comparison(const Instruction& instruction, int64_t elements) {
  constexpr int64_t kModule = 15'000;
  constexpr int64_t kElement = 10;
  const int64_t judging = kModule + elements * kElement;
  return std::max(judging, work_of(instruction));
}

/// " on replica 0, partition 1", where there are several devices.
std::string place(const Device& device, const Grid& grid) {
  return grid.count() == 1 ? "" : " on " + to_string(device);
}

}  // namespace

Profile profile_of(const CompareOptions& options) {
  return options.profile.empty() ? Profile() : parse_profile(options.profile);
}

Comparison::Comparison(const CompareOptions& options, const Grid& grid,
                       Budget& budget, const CompareRun& run)
    : options_(options),
      grid_(grid),
      budget_(budget),
      backend_(make_backend(options.backend)),
      profile_(profile_of(options)),
      run_(run),
      on_stop_([this] { finish(/*is_whole=*/false); }) {}

void Comparison::see(const Device& device, const Instruction& instruction,
                     Operands operands, const Literal& reference) {
  if (names_device(instruction)) return see_device(instruction);
  if (!is_compared(instruction) || !is_selected(instruction)) return;
  budget_.spend(
      work_of_comparison(instruction, element_count({&reference, 1})));
  const std::string where = place(device, grid_);
  const std::optional<Observation> answer =
      answer_in_time(one_instruction(instruction, operands),
                     arguments_of_one(instruction, operands));
  if (!answer) return report_silence(instruction, where);
  report(
      instruction, where,
      judge_instruction(instruction, operands, reference, *answer, profile_));
}

void Comparison::see(const Meeting& meeting) {
  if (const auto call = calls_.add(meeting)) compare(*call);
}

void Comparison::see_rest() {
  while (const auto call = calls_.next()) compare(*call);
}

bool Comparison::is_enough() const {
  return !options_.all &&
         failed_ == std::max(options_.failures, options_.shrink.count);
}

void Comparison::leave() {
  const auto lock = uninterrupted();
  finished_ = true;
}

int Comparison::finish(bool is_whole) {
  const auto lock = uninterrupted();
  if (std::exchange(finished_, true)) return kIncomplete;
  say("{}\n{}{}{}\n", run_.summary.table(output_width()),
      printable(run_.summary.waiver_lines()),
      verdict_line(run_.summary, options_.backend),
      is_whole ? "" : stop_text());
  flush_output();
  return run_.summary.exit_code();
}

bool Comparison::is_selected(const Instruction& instruction) const {
  return selects(options_.filter, id_of(instruction));
}

std::string Comparison::stop_text() const {
  if (!is_enough()) return "; stopped before the program ended";
  return fmt::format(
      "; stopped where {} (--failures N or --all goes on)",
      counted(failed_, "instruction had failed", "instructions had failed"));
}

void Comparison::see_device(const Instruction& instruction) {
  if (!is_selected(instruction)) return;
  if (!named_.insert(&instruction).second) return;
  CollectiveCall call{&instruction, grid_, {}};
  for (int64_t i = 0; i < grid_.count(); ++i) call.operands[i] = {};
  compare(call);
}

void Comparison::compare(const CollectiveCall& call) {
  const std::shared_ptr<const Module> module = module_of(call);
  if (module == nullptr || !is_selected(*call.collective)) return;
  std::vector<Literal> leaves;
  for (const std::vector<Literal>& own : arguments_of(call)) {
    std::ranges::move(array_leaves(own), std::back_inserter(leaves));
  }
  budget_.spend(saturating_product(
      {grid_.count(),
       work_of_comparison(*call.collective, element_count(leaves))}));
  const std::optional<Observation> answer = answer_in_time(module, leaves);
  if (!answer) return report_silence(*call.collective, {});
  report(*call.collective, {}, judge_call(call, *module, *answer, profile_));
}

std::shared_ptr<const Module> Comparison::one_instruction(
    const Instruction& instruction, Operands operands) {
  if (has_unmarked_sizes(instruction, operands)) {  // which a loop may change
    return std::make_shared<const Module>(extract_sized(instruction, operands));
  }
  std::shared_ptr<const Module>& module = modules_[&instruction];
  if (module == nullptr) {
    module = std::make_shared<const Module>(extract_sized(instruction));
  }
  return module;
}

std::optional<Observation> Comparison::answer_in_time(
    const std::shared_ptr<const Module>& module,
    const std::vector<Literal>& leaves) {
  if (options_.shrink.count > 0) {
    asked_ = module;
    inputs_ = leaves;
  }
  const auto answer = std::make_shared<Observation>();
  const auto job = [answer, module, leaves, backend = backend_] {
    *answer = observe(*backend, *module, leaves);
  };
  if (worker_.run(job, Seconds(options_.timeout))) return *answer;
  backend_ = make_backend(options_.backend);
  return std::nullopt;
}

void Comparison::report_silence(const Instruction& instruction,
                                const std::string& where) {
  Judgement judgement{
      .verdict = Verdict::kCrashed,
      .message = fmt::format("no answer within {:g} s", options_.timeout),
      .difference = {},
      .closeness = {},
      .again = {}};
  report(instruction, where, std::move(judgement));
}

void Comparison::report(const Instruction& instruction,
                        const std::string& where, Judgement judgement) {
  Case c;
  c.id = id_of(instruction);
  c.statement = shown(instruction) + where;
  c.file = options_.file;
  c.line = instruction.location.line;
  const auto lock = uninterrupted();
  const Waiver* waiver = run_.waivers.find(c.id);
  if (waiver != nullptr) judgement.waiver = waiver->text();
  const bool bad = waiver == nullptr && (is_failure(judgement.verdict) ||
                                         is_broken(judgement.verdict));
  if (bad) keep_to_shrink(c.id, judgement);
  const std::string_view verdict = name(judgement.verdict);
  const Finding* finding =
      run_.summary.add(c, {.judgement = std::move(judgement), .seconds = 0});
  if (finding != nullptr) say("{}\n", printable(describe(*finding)));
  if (bad && finding == nullptr) {
    say("{}", printable(fmt::format("{} {}  ({}:{})\n", verdict, c.id, c.file,
                                    c.line)));
  }
  if (!bad) return;
  flush_output();
  ++failed_;
  if (is_enough()) throw Error(Phase::kEvaluate, "evaluate.stopped", "");
}

void Comparison::keep_to_shrink(const std::string& id,
                                const Judgement& judgement) {
  if (std::ssize(run_.failing) >= options_.shrink.count ||
      !failure_kind(judgement)) {
    return;
  }
  Program program{text::print(*asked_), inputs_};
  // In a loop the first run of an instruction that fails.
  const bool is_kept =
      std::ranges::any_of(run_.failing, [&](const FailingProgram& one) {
        return one.program.hlo == program.hlo;
      });
  if (!is_kept) run_.failing.push_back({id, std::move(program), {}});
}

}  // namespace hlo::conformance
