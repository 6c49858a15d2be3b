#include "conformance/case/manifest.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/files/output_file.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

using Lines = std::vector<std::string>;

class Manifest : public testing::Test {
 protected:
  Manifest() {
    std::filesystem::create_directories(folder_ + "/inner");
    write("a.jsonl", "head\none\ntwo\n");
    write("inner/b.jsonl", "head\none\n");
  }

  ~Manifest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    write_file(path(name), text);
  }

  std::string path(const std::string& name) const {
    return folder_ + "/" + name;
  }

  Lines differences(const std::string& manifest, const Lines& names) const {
    Lines files;
    for (const std::string& name : names) files.push_back(path(name));
    return manifest_differences(manifest, folder_, files);
  }

  std::string folder_ = (std::filesystem::temp_directory_path() /
                         ("assay_manifest_" + std::to_string(getpid())))
                            .string();
};

TEST_F(Manifest, TellsWhatHasChanged) {
  const Lines both = {path("a.jsonl"), path("inner/b.jsonl")};
  const std::string manifest = make_manifest(folder_, both);
  EXPECT_NE(manifest.find("\"cases\": 3"), std::string::npos) << manifest;
  EXPECT_EQ(differences(manifest, {"a.jsonl", "inner/b.jsonl"}), Lines());
  EXPECT_EQ(differences(manifest, {"a.jsonl"}),
            Lines({"inner/b.jsonl is missing"}));
  write("a.jsonl", "head\none\ntwx\n");
  write("c.jsonl", "head\n");
  EXPECT_EQ(differences(manifest, {"a.jsonl", "inner/b.jsonl", "c.jsonl"}),
            Lines({"a.jsonl has changed", "c.jsonl is not in the manifest"}));
  write("a.jsonl", "head\none\n");
  EXPECT_EQ(differences(manifest, {"a.jsonl", "inner/b.jsonl"}),
            Lines({"a.jsonl has 1 cases instead of 2"}));
}

TEST_F(Manifest, IsRefusedWhereItIsNone) {
  for (const char* text :
       {"", "{}", "[]", R"({"format":2,"files":{}})", R"({"format":1})",
        R"({"format":1,"files":[]})", R"({"format":1,"files":{"a":{}}})",
        R"({"format":1,"files":{"a":{"cases":"1","sha256":""}}})"}) {
    try {
      differences(text, {});
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.rule(), "vectors.manifest") << text;
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
