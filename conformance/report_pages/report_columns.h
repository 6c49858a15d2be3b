#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

namespace hlo::conformance {

/// Values that are often the same one after the other: [value, count, ...].
class RunLengths {
 public:
  void add(const nlohmann::json& value) {
    if (!runs_.empty() && runs_[runs_.size() - 2] == value) {
      ++count_;
      runs_.back() = count_;
    } else {
      count_ = 1;
      runs_.push_back(value);
      runs_.push_back(count_);
    }
  }

  const nlohmann::json& json() const { return runs_; }

 private:
  nlohmann::json runs_ = nlohmann::json::array();
  int64_t count_ = 0;
};

/// Texts, each once, and their numbers.
class TextTable {
 public:
  int64_t number(const std::string& text) {
    const auto [place, is_new] = numbers_.try_emplace(text, numbers_.size());
    if (is_new) texts_.push_back(text);
    return static_cast<int64_t>(place->second);
  }

  const nlohmann::json& json() const { return texts_; }

 private:
  std::unordered_map<std::string, size_t> numbers_;
  nlohmann::json texts_ = nlohmann::json::array();
};

}  // namespace hlo::conformance
