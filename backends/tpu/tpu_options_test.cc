#include "backends/tpu/tpu_options.h"

#include <gtest/gtest.h>

#include "backends/tpu/tpu_backend.h"
#include "interpreter/error.h"

namespace hlo {
namespace {

std::string message_of(const std::string& uri) {
  try {
    make_tpu_backend(uri);
  } catch (const Error& error) {
    return error.rule() + ": " + error.what();
  }
  return "";
}

TEST(TpuOptions, SayHowTheMatrixUnitMultiplies) {
  using tpu::MatrixMode;
  EXPECT_EQ(tpu::options_of("tpu:").matrix, MatrixMode::kExact);
  EXPECT_EQ(tpu::options_of("tpu:?matrix=exact").matrix, MatrixMode::kExact);
  EXPECT_EQ(tpu::options_of("tpu:?matrix=bf16").matrix, MatrixMode::kBf16);
  EXPECT_EQ(tpu::options_of("tpu:?matrix=bf16x3").matrix, MatrixMode::kBf16x3);
  EXPECT_EQ(tpu::options_of("tpu:?matrix=bf16x6").matrix, MatrixMode::kBf16x6);
  EXPECT_EQ(tpu::options_of("tpu:?matrix=bf16x9").matrix, MatrixMode::kBf16x9);
}

// As the table of spec/commands.md has them.
TEST(TpuOptions, DeclareTheProfileOfTheirMatrixUnit) {
  for (const char* const exact :
       {"tpu:", "tpu:?matrix=exact", "tpu:?generation=v3"}) {
    EXPECT_EQ(profile_of_tpu_backend(exact), "tight") << exact;
  }
  for (const std::string passes : {"1", "3", "6", "9"}) {
    const std::string mode = "bf16" + (passes == "1" ? "" : "x" + passes);
    EXPECT_EQ(profile_of_tpu_backend("tpu:?poison=1&matrix=" + mode),
              "tight,accumulation=bf16x" + passes + ",subnormals=daz");
  }
  EXPECT_EQ(profile_of_tpu_backend("cpu:"), "");
}

TEST(TpuOptions, HaveTheSeedOfPoison) {
  EXPECT_EQ(tpu::options_of("tpu:").poison, 0U);
  EXPECT_EQ(tpu::options_of("tpu:?poison=7&matrix=bf16").poison, 7U);
  EXPECT_EQ(tpu::options_of("tpu:?poison=18446744073709551615").poison,
            18446744073709551615U);
  for (const std::string seed :
       {"", "-1", "+1", " 1", "1 ", "0x1", "1.5", "18446744073709551616"}) {
    EXPECT_TRUE(
        message_of("tpu:?poison=" + seed).starts_with("usage.backend: "))
        << seed;
  }
}

TEST(TpuOptions, HaveTheBytesOfTheScratchMemory) {
  EXPECT_EQ(tpu::options_of("tpu:").scratch, int64_t{16} << 20);
  EXPECT_EQ(tpu::options_of("tpu:?scratch=262144").scratch, 262144);
  EXPECT_EQ(tpu::options_of("tpu:?scratch=1073741824").scratch, 1073741824);
  for (const std::string bytes : {"", "0", "262143", "1073741825", "1MB"}) {
    const std::string message = message_of("tpu:?scratch=" + bytes);
    EXPECT_TRUE(message.starts_with("usage.backend: ")) << bytes;
    EXPECT_NE(message.find("scratch=BYTES (2^18 to 2^30)"), std::string::npos)
        << message;
  }
}

TEST(TpuOptions, SayWhichGenerationTheMachineIs) {
  EXPECT_EQ(tpu::options_of("tpu:").generation->name, "v5e");
  for (const std::string name : {"v2", "v3", "v4", "v5e", "v6e"}) {
    EXPECT_EQ(tpu::options_of("tpu:?generation=" + name).generation->name,
              name);
  }
  const tpu::Options both = tpu::options_of("tpu:?generation=v3&matrix=bf16");
  EXPECT_EQ(both.generation->name, "v3");
  EXPECT_EQ(both.matrix, tpu::MatrixMode::kBf16);
  EXPECT_NE(message_of("tpu:?generation=v1")
                .find("generation=CHOICE (v5e, v2, v3, v4, v6e)"),
            std::string::npos);
}

TEST(TpuOptions, RefuseWhatThereIsNot) {
  for (const std::string uri :
       {"tpu:x", "tpu:?", "tpu:?matrix", "tpu:?matrix=", "tpu:?matrix=bf16x2",
        "tpu:?Matrix=bf16", "tpu:?matrix=bf16&matrix=bf16", "tpu:?matrix=bf16&",
        "tpu:?colour=red", "tpu:?generation=v1", "tpu:?generation="}) {
    EXPECT_TRUE(message_of(uri).starts_with("usage.backend: ")) << uri;
  }
  EXPECT_NE(message_of("tpu:?matrix=fast").find("\"fast\" for matrix"),
            std::string::npos);
}

TEST(TpuOptions, ListUrisThatCanBeMade) {
  EXPECT_EQ(known_tpu_backends().front(), "tpu:?matrix=bf16");
  for (const std::string& uri : known_tpu_backends()) {
    EXPECT_EQ(make_tpu_backend(uri)->name(), uri);
  }
}

TEST(TpuMutants, SayWhatTheyDo) {
  for (const std::string& uri : known_tpu_backends()) {
    EXPECT_EQ(fault_of_tpu_backend(uri).empty(), uri.starts_with("tpu:"))
        << uri;
  }
  EXPECT_EQ(fault_of_tpu_backend("tpu-mutant:scan-forward"),
            "a scan never goes backward");
  EXPECT_EQ(make_tpu_backend("tpu-mutant:scan-backward"), nullptr);
}

}  // namespace
}  // namespace hlo
