#include "interpreter/arithmetic_state.h"

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <utility>

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace hlo {
namespace {

/// Control bits, and what it means that they are not as the reference's.
struct Meaning {
  uint64_t mask;
  uint64_t value;
  std::string_view words;
};

#if defined(__x86_64__)

// The control word of x87 stands above MXCSR.
constexpr int kX87 = 32;
constexpr uint32_t kNoted = 0x3f;  // in MXCSR: exceptions that have happened
constexpr uint64_t kWanted = uint64_t{0x037f} << kX87 | 0x1f80;

constexpr std::array kMeanings = std::to_array<Meaning>({
    {0x6000, 0x2000, "rounds downward"},
    {0x6000, 0x4000, "rounds upward"},
    {0x6000, 0x6000, "rounds toward zero"},
    {0x8000, 0x8000, "takes subnormal results for zeros (FTZ)"},
    {0x0040, 0x0040, "takes subnormal operands for zeros (DAZ)"},
    {uint64_t{0x0c00} << kX87, uint64_t{0x0400} << kX87,
     "rounds downward in x87"},
    {uint64_t{0x0c00} << kX87, uint64_t{0x0800} << kX87,
     "rounds upward in x87"},
    {uint64_t{0x0c00} << kX87, uint64_t{0x0c00} << kX87,
     "rounds toward zero in x87"},
    {uint64_t{0x0300} << kX87, uint64_t{0x0000} << kX87,
     "rounds to 24 bits in x87"},
    {uint64_t{0x0300} << kX87, uint64_t{0x0200} << kX87,
     "rounds to 53 bits in x87"},
});
constexpr uint64_t kMasked = uint64_t{0x003f} << kX87 | 0x1f80;

uint64_t control() {
  uint16_t x87 = 0;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  return uint64_t{x87} << kX87 | (_mm_getcsr() & ~kNoted);
}

void set_control(uint64_t wanted) {
  const auto x87 = static_cast<uint16_t>(wanted >> kX87);
  // What happened before traps were masked would end the process there.
  __asm__ volatile("fnclex; fldcw %0" : : "m"(x87));
  _mm_setcsr(static_cast<uint32_t>(wanted) | (_mm_getcsr() & kNoted));
}

#elif defined(__aarch64__)

constexpr uint64_t kWanted = 0;
constexpr std::array kMeanings = std::to_array<Meaning>({
    {uint64_t{3} << 22, uint64_t{1} << 22, "rounds upward"},
    {uint64_t{3} << 22, uint64_t{2} << 22, "rounds downward"},
    {uint64_t{3} << 22, uint64_t{3} << 22, "rounds toward zero"},
    {uint64_t{1} << 24, uint64_t{1} << 24,
     "takes subnormal numbers for zeros (FZ)"},
});
constexpr uint64_t kMasked = 0;

uint64_t control() {
  uint64_t found = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(found));
  return found;
}

void set_control(uint64_t wanted) {
  __asm__ volatile("msr fpcr, %0" : : "r"(wanted));
}

#else

constexpr uint64_t kWanted = FE_TONEAREST;
constexpr std::array kMeanings = std::to_array<Meaning>({
    {~uint64_t{0}, FE_UPWARD, "rounds upward"},
    {~uint64_t{0}, FE_DOWNWARD, "rounds downward"},
    {~uint64_t{0}, FE_TOWARDZERO, "rounds toward zero"},
});
constexpr uint64_t kMasked = 0;

uint64_t control() { return static_cast<uint64_t>(std::fegetround()); }

void set_control(uint64_t wanted) { std::fesetround(static_cast<int>(wanted)); }

#endif

void add(std::string& text, std::string_view words) {
  if (!text.empty()) text += ", ";
  text += words;
}

/// Threads find changes, so that the notes are the process's.
struct Notes {
  std::mutex mutex;
  std::vector<std::string> sentences;
};

Notes& notes() {
  static Notes the_only;
  return the_only;
}

}  // namespace

ArithmeticState reference_arithmetic() {
  return {.control = kWanted,
          .least_exponent = MPFR_EMIN_DEFAULT,
          .most_exponent = MPFR_EMAX_DEFAULT};
}

ArithmeticState current_arithmetic() {
  return {.control = control(),
          .least_exponent = mpfr_get_emin(),
          .most_exponent = mpfr_get_emax()};
}

void set_arithmetic(const ArithmeticState& state) {
  set_control(state.control);
  mpfr_set_emin(state.least_exponent);
  mpfr_set_emax(state.most_exponent);
}

std::string describe(const ArithmeticState& state) {
  const ArithmeticState wanted = reference_arithmetic();
  std::string text;
  for (const Meaning& meaning : kMeanings) {
    const uint64_t bits = state.control & meaning.mask;
    if (bits == meaning.value) add(text, meaning.words);
  }
  if ((state.control & kMasked) != (wanted.control & kMasked)) {
    add(text, "traps exceptions");
  }
  if (state.least_exponent != wanted.least_exponent ||
      state.most_exponent != wanted.most_exponent) {
    add(text, "has MPFR's exponents from " +
                  std::to_string(state.least_exponent) + " to " +
                  std::to_string(state.most_exponent));
  }
  if (text.empty() && state != wanted) text = "has other control bits";
  return text;
}

ReferenceArithmetic::ReferenceArithmetic() : found_(current_arithmetic()) {
  const ArithmeticState wanted = reference_arithmetic();
  if (found_ != wanted) set_arithmetic(wanted);
}

ReferenceArithmetic::~ReferenceArithmetic() {
  if (current_arithmetic() != found_) set_arithmetic(found_);
}

ForeignCode::~ForeignCode() {
  const ArithmeticState found = current_arithmetic();
  if (found == reference_arithmetic()) return;
  set_arithmetic(reference_arithmetic());
  try {
    note_arithmetic(found, culprit_, name_);
  } catch (const std::bad_alloc&) {  // then nobody is told; the results stand
  }
}

void note_arithmetic(const ArithmeticState& state, std::string_view culprit,
                     std::string_view name) {
  if (state == reference_arithmetic()) return;
  std::string sentence(culprit);
  if (!name.empty()) sentence.append(" \"").append(name).append("\"");
  sentence += " changed how a thread computes: it " + describe(state) +
              "; the results do not depend on it";
  Notes& all = notes();
  const std::lock_guard lock(all.mutex);
  if (std::ranges::find(all.sentences, sentence) == all.sentences.end()) {
    all.sentences.push_back(std::move(sentence));
  }
}

std::vector<std::string> arithmetic_notes() {
  Notes& all = notes();
  const std::lock_guard lock(all.mutex);
  return all.sentences;
}

}  // namespace hlo
