#include "conformance/commands/shrinking/shrink_failures.h"

#include <fmt/format.h>

#include <chrono>

#include "conformance/files/printable.h"
#include "conformance/files/standard_output.h"

namespace hlo::conformance {

void shrink_failures(const std::vector<FailingProgram>& failing,
                     const ShrinkRequest& request, const FileUse& use,
                     const std::string& backend, ShrinkOptions options) {
  const auto begin = std::chrono::steady_clock::now();
  options.candidates = request.limits.candidates;
  int64_t number = 0;
  for (const FailingProgram& one : failing) {
    options.time = Seconds(request.limits.seconds) -
                   (std::chrono::steady_clock::now() - begin);
    options.stated = one.stated;
    const std::string folder = fmt::format("{}/{}", request.folder, ++number);
    say("\nshrinking {}\n", printable(one.id));
    const ShrinkEnd came =
        shrink_into(folder, use, one.program, backend, options);
    if (came == ShrinkEnd::kDoesNotFail) {
      say("it does not fail by itself, twice in the same way\n");
    }
    if (came == ShrinkEnd::kOutOfTime) {
      say("the {:g} s of --shrink-time ended before it was judged by itself\n",
          request.limits.seconds);
    }
  }
}

}  // namespace hlo::conformance
