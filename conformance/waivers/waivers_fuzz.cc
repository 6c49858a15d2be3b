#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "conformance/case/file_error.h"
#include "conformance/waivers/day.h"
#include "conformance/waivers/waivers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A file of waivers: what is read has a day and names, what is refused a place.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hlo::conformance;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const std::vector<Waiver> list = parse_waivers(text, "w.json");
    for (const Waiver& waiver : list) {
      if (!is_day(waiver.expires) || waiver.number == 0) std::abort();
    }
    Waivers waivers(list, "cpu:", "2027-01-31");
    waivers.note("add/f32/x", {});
    if (waivers.findings().size() > list.size()) std::abort();
  } catch (const FileError& error) {
    constexpr size_t kMostMessage = 1000;
    if (error.rule() != "usage.waivers") std::abort();
    if (error.message().size() > kMostMessage) std::abort();
    if (!error.rendered().starts_with("w.json:")) std::abort();
  }
  return 0;
}
