#include "conformance/fingerprint/sum_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "conformance/files/printable.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/prepared_case.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

Observation answer(Worker& worker, const std::shared_ptr<Backend>& backend,
                   const std::shared_ptr<const Module>& module,
                   const std::vector<Literal>& arguments, Seconds most) {
  const auto observed = std::make_shared<Observation>();
  const auto job = [observed, backend, module, arguments] {
    *observed = observe(*backend, *module, arguments);
  };
  if (worker.run(job, most)) return std::move(*observed);
  return Failure{Failure::Kind::kCrashed, "",
                 fmt::format("no answer within {:g} s", most.count())};
}

[[noreturn]] void fail(const SummedOperation& operation,
                       const Failure& failed) {
  const bool unsupported = failed.kind == Failure::Kind::kUnsupported ||
                           failed.kind == Failure::Kind::kRejected;
  throw Error(Phase::kEvaluate,
              unsupported ? "fingerprint.unsupported" : "fingerprint.backend",
              fmt::format("{} of {} terms has no result, but every call must "
                          "have one: {}",
                          name(operation.kind), operation.terms,
                          printable(failed.message)));
}

}  // namespace

SumMachine::SumMachine(const SummedOperation& operation,
                       const MakeMachine& make, Seconds most)
    : operation_(operation),
      make_(make),
      most_(most),
      backend_(make()),
      module_(std::make_shared<const Module>(operation.module())) {}

std::vector<double> SumMachine::cells(const SumRows& rows) {
  const std::vector<Literal> arguments = operation_.arguments(rows);
  ++calls_;
  Observation observed = answer(worker_, backend_, module_, arguments, most_);
  const auto* failed = std::get_if<Failure>(&observed);
  const bool again =
      failed != nullptr && failed->kind != Failure::Kind::kUnsupported;
  if (again) {
    backend_ = make_();
    observed = answer(worker_, backend_, module_, arguments, most_);
    failed = std::get_if<Failure>(&observed);
  }
  if (failed != nullptr) fail(operation_, *failed);
  return operation_.cells_of(std::get<std::vector<Literal>>(observed).at(0));
}

std::vector<double> SumMachine::sums(const SumRows& rows) {
  std::vector<double> sums;
  const int64_t most = operation_.rows();
  const int64_t step = operation_.has_products() ? most + 1 : 1;
  for (int64_t first = 0; first < rows.count(); first += most) {
    const int64_t count = std::min(most, rows.count() - first);
    SumRows part{.terms = rows.terms, .a = {}, .b = {}};
    for (int64_t row = first; row < first + count; ++row) {
      part.add(rows.row_of_a(row), rows.row_of_b(row));
    }
    const std::vector<double> found = cells(part);
    for (int64_t row = 0; row < count; ++row) {
      sums.push_back(found[static_cast<size_t>(row * step)]);
    }
  }
  return sums;
}

}  // namespace hlo::conformance
