#include "backends/cpu/cpu_options.h"

#include <vector>

#include "backends/uri_options.h"

namespace hlo::cpu {

Options options_of(std::string_view uri) {
  Options options;
  const std::vector<UriOption> all = {
      {"fast-math",
       {"off", "on"},
       [&](uint64_t choice) {
         options.numerics = choice == 1 ? Numerics::kFast : Numerics::kTight;
       }},
      {"threads",
       {},
       [&](uint64_t count) { options.threads = static_cast<int>(count); },
       {.word = "N", .least = 1, .most = 64, .told = "1 to 64"}}};
  read_uri_options(uri, "cpu:", all);
  return options;
}

}  // namespace hlo::cpu
