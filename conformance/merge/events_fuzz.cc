#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "conformance/merge/merged_events.h"
#include "interpreter/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace hlo::conformance;

/// The event of the case that this one tells of.
std::string written_again(const std::string& event) {
  const RecordedCase recorded = read_case_event(event);
  Case c;
  c.id = recorded.id;
  c.file = recorded.file;
  c.line = recorded.line;
  c.statement = recorded.statement;
  return case_event(c, recorded.judgement, recorded.position);
}

/// What is read is written, and read again to the same.
void check_case(const std::string& event) {
  const std::string once = written_again(event);
  if (written_again(once) != once) std::abort();
}

void check_whole(MergedEvents& events) {
  const std::string text = events.text(events.summary());
  MergedEvents again;
  again.add(text);
  again.require_all();
  if (again.text(again.summary()) != text) std::abort();
}

}  // namespace

// A file of events, all or one line of which is read.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    if (text.find('\n') == std::string_view::npos) {
      check_case(std::string(text));
    } else {
      MergedEvents events;
      events.add(text);
      events.require_all();
      check_whole(events);
    }
  } catch (const hlo::Error& error) {
    if (!error.rule().starts_with("usage.")) std::abort();
    constexpr size_t kMostMessage = 1000;
    if (error.message().size() > kMostMessage) std::abort();
  }
  return 0;
}
