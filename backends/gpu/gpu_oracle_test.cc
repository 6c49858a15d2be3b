#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "backends/gpu/testing/device_runs.h"

// Special functions, and those of complex numbers that are no others', beside
// the values that mpmath has given (generators/special_values.py,
// generators/complex_values.py): by day some lines, by night
// (ASSAY_CASES=all) all.

namespace hlo::gpu {
namespace {

/// A call of a function: the bits of its operands, part by part, and of its
/// result.
struct Call {
  std::vector<uint64_t> operands;
  std::vector<uint64_t> result;
};

/// Calls of one function, whose operands and result are of one type.
struct Calls {
  std::string type;
  std::string part;  // the type of the bits: u32, u64
  std::string function;
  size_t operands;
  std::vector<Call> all;
};

bool takes_all() {
  const char* wanted = std::getenv("ASSAY_CASES");
  return wanted != nullptr && std::string_view(wanted) == "all";
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/interpreter/numeric/" +
                     path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

/// The calls of a special function of f64. strtod rounds once.
Calls special_calls(const std::string& name, size_t operands) {
  Calls calls{"f64", "u64", "custom-call", operands, {}};
  for (const std::string& line : lines_of("special/special_values.txt")) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word != name) continue;
    Call call;
    for (size_t k = 0; k < operands; ++k) {
      words >> word;
      call.operands.push_back(std::stoull(word, nullptr, 16));
    }
    words >> word;
    call.result = {std::bit_cast<uint64_t>(std::strtod(word.c_str(), nullptr))};
    calls.all.push_back(call);
  }
  return calls;
}

/// The calls in a block of complex numbers, of f32 or f64.
Calls complex_calls(const std::string& name, bool is_double, size_t operands) {
  Calls calls{is_double ? "c128" : "c64",
              is_double ? "u64" : "u32",
              "custom-call",
              operands,
              {}};
  const std::string title = ": " + name + (is_double ? " f64" : " f32");
  bool inside = false;
  for (const std::string& line :
       lines_of("complex/testing/complex_values.txt")) {
    if (line.starts_with(':')) {
      inside = line == title;
    } else if (inside) {
      std::istringstream words(line);
      Call call;
      call.operands.resize(2 * operands);
      call.result.resize(2);
      for (uint64_t& bits : call.operands) words >> std::hex >> bits;
      for (uint64_t& bits : call.result) words >> std::hex >> bits;
      calls.all.push_back(call);
    }
  }
  return calls;
}

/// An array of part `part` of operand `k` of the calls.
std::string constant_of(const Calls& calls, size_t word) {
  std::string text;
  for (const Call& call : calls.all) {
    text += (text.empty() ? "" : ", ") + std::to_string(call.operands[word]);
  }
  const std::string shape =
      calls.part + "[" + std::to_string(calls.all.size()) + "]";
  return "b" + std::to_string(word) + " = " + shape + " constant({" + text +
         "}) ";
}

std::string program_of(const Calls& calls, const std::string& target) {
  const std::string size = "[" + std::to_string(calls.all.size()) + "]";
  const bool is_complex = calls.type.starts_with('c');
  const std::string real = calls.part == "u64" ? "f64" : "f32";
  std::string text = "ENTRY main { ";
  std::string arguments;
  for (size_t k = 0; k < calls.operands; ++k) {
    const std::string own = "x" + std::to_string(k);
    for (size_t part = 0; part < (is_complex ? 2U : 1U); ++part) {
      const size_t word = is_complex ? 2 * k + part : k;
      const std::string bits = std::to_string(word);
      text += constant_of(calls, word) + "v" + bits + " = " + real + size +
              " bitcast-convert(b" + bits + ") ";
    }
    if (is_complex) {
      text += own + " = " + calls.type + size + " complex(v" +
              std::to_string(2 * k) + ", v" + std::to_string(2 * k + 1) + ") ";
    } else {
      text += own + " = " + calls.type + size + " copy(v" + std::to_string(k) +
              ") ";
    }
    arguments += (k == 0 ? "" : ", ") + own;
  }
  text += "ROOT r = " + calls.type + size + " " + calls.function + "(" +
          arguments + ")";
  if (calls.function == "custom-call") {
    text += ", custom_call_target=\"" + target + "\"";
  }
  return text + " }";
}

/// One call in `step` of them.
Calls thinned(const Calls& calls, size_t step) {
  Calls some = calls;
  some.all.clear();
  for (size_t k = 0; k < calls.all.size(); k += step) {
    some.all.push_back(calls.all[k]);
  }
  return some;
}

void expect_calls(const Calls& calls, const std::string& target, size_t step) {
  const Calls some = thinned(calls, takes_all() ? 1 : step);
  ASSERT_GE(some.all.size(), 10U) << target;
  std::vector<uint64_t> expected;
  for (const Call& call : some.all) {
    expected.insert(expected.end(), call.result.begin(), call.result.end());
  }
  for (const auto& backend : backends_here()) {
    const Bits actual = bits_of(*backend, program_of(some, target));
    ASSERT_EQ(actual.size(), expected.size());
    const size_t parts = expected.size() / some.all.size();
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(actual[i], expected[i])
          << backend->name() << ": " << target << " of " << std::hex
          << ::testing::PrintToString(some.all[i / parts].operands);
    }
  }
}

TEST(GpuOracle, SpecialFunctionsOfOneArgument) {
  for (const std::string name :
       {"erfc", "erf_inv", "lgamma", "digamma", "bessel_i1e"}) {
    expect_calls(special_calls(name, 1), "chlo." + name, 40);
  }
}

TEST(GpuOracle, SpecialFunctionsOfTwoArguments) {
  for (const std::string name : {"zeta", "polygamma"}) {
    expect_calls(special_calls(name, 2), "chlo." + name, 80);
  }
}

TEST(GpuOracle, RootsOfComplexNumbers) {
  for (const bool is_double : {false, true}) {
    expect_calls(complex_calls("cbrt", is_double, 1), "stablehlo.cbrt", 5);
    expect_calls(complex_calls("asin_acos_kernel", is_double, 1),
                 "chlo._asin_acos_kernel", 5);
  }
}

TEST(GpuOracle, PowersOfComplexNumbers) {
  for (const bool is_double : {false, true}) {
    Calls calls = complex_calls("pow", is_double, 2);
    calls.function = "power";
    expect_calls(calls, "power", 20);
  }
}

}  // namespace
}  // namespace hlo::gpu
