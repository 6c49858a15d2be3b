#include "backends/registry/make_backend.h"

#include <gtest/gtest.h>

#include <string>

#include "interpreter/error.h"

namespace hlo {
namespace {

std::string rule_of(const std::string& uri) {
  try {
    make_backend(uri);
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

TEST(MakeBackend, RunsTheReferenceAndCpuOn1To64Threads) {
  for (const std::string threads : {"interpreter:threads=", "cpu:threads="}) {
    for (const char* const number : {"1", "2", "64", "064"}) {
      EXPECT_EQ(rule_of(threads + number), "") << threads << number;
    }
    for (const char* const number :
         {"", "0", "65", "-1", "+1", " 1", "1 ", "1x", "0x1", "1.5",
          "99999999999999999999"}) {
      EXPECT_EQ(rule_of(threads + number), "usage.backend")
          << threads << number;
    }
  }
}

TEST(MakeBackend, NamesTheThreadsOfCpu) {
  EXPECT_EQ(make_backend("cpu:threads=3")->name(), "cpu:threads=3");
  EXPECT_EQ(make_backend("cpu:")->name(), "cpu:");
}

}  // namespace
}  // namespace hlo
