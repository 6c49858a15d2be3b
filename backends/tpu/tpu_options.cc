#include "backends/tpu/tpu_options.h"

#include "backends/uri_options.h"

namespace hlo::tpu {
namespace {

constexpr std::string_view kPrefix = "tpu:";

/// In the order of MatrixMode.
UriOption matrix_option(Options& options) {
  return {"matrix",
          {"exact", "bf16", "bf16x3", "bf16x6", "bf16x9"},
          [&options](uint64_t choice) {
            options.matrix = static_cast<MatrixMode>(choice);
          }};
}

UriOption generation_option(Options& options) {
  UriOption option{"generation", {}, [&options](uint64_t choice) {
                     options.generation = &generations()[choice];
                   }};
  for (const Generation& each : generations()) {
    option.choices.push_back(each.name);
  }
  return option;
}

UriOption poison_option(Options& options) {
  return {"poison",
          {},
          [&options](uint64_t seed) { options.poison = seed; },
          {.word = "SEED", .told = "0 to 2^64 - 1"}};
}

UriOption scratch_option(Options& options) {
  return {"scratch",
          {},
          [&options](uint64_t bytes) {
            options.scratch = static_cast<int64_t>(bytes);
          },
          {.word = "BYTES",
           .least = uint64_t{1} << 18,
           .most = uint64_t{1} << 30,
           .told = "2^18 to 2^30"}};
}

/// What sets those options. The first choice of each is the default.
std::vector<UriOption> uri_options(Options& options) {
  return {matrix_option(options), generation_option(options),
          poison_option(options), scratch_option(options)};
}

}  // namespace

Options options_of(std::string_view uri) {
  Options options;
  read_uri_options(uri, kPrefix, uri_options(options));
  return options;
}

std::vector<std::string> known_uris() {
  Options unused;
  std::vector<std::string> known;
  for (const UriOption& option : uri_options(unused)) {
    for (size_t k = 1; k < option.choices.size(); ++k) {
      known.push_back(std::string(kPrefix) + "?" + std::string(option.name) +
                      "=" + std::string(option.choices[k]));
    }
  }
  return known;
}

}  // namespace hlo::tpu
