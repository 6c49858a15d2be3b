#include "backends/process/frame.h"

#include <algorithm>
#include <cstddef>

namespace hlo::process {
namespace {

constexpr std::string_view kLetters = "ASSY";
constexpr size_t kHeaderWidth = 4;
constexpr size_t kBodyWidth = 8;
constexpr size_t kBefore = kLetters.size() + kHeaderWidth + kBodyWidth;
constexpr uint64_t kLeastHeader = 2;  // {}

void append_number(std::string& bytes, uint64_t number, size_t width) {
  for (size_t k = 0; k < width; ++k) {
    bytes += static_cast<char>((number >> (8 * k)) & 0xffU);
  }
}

uint64_t read_number(std::string_view bytes) {
  uint64_t number = 0;
  for (size_t k = 0; k < bytes.size(); ++k) {
    number |= uint64_t{static_cast<unsigned char>(bytes[k])} << (8 * k);
  }
  return number;
}

/// The bytes that do not begin a frame, as messages show them.
std::string shown(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += c >= ' ' && c <= '~' ? c : '?';
  return text;
}

/// Moves bytes from `bytes` until `target` has so many.
void fill(std::string& target, uint64_t size, std::string_view& bytes) {
  const size_t some = static_cast<size_t>(
      std::min<uint64_t>(size - target.size(), bytes.size()));
  target.append(bytes.substr(0, some));
  bytes.remove_prefix(some);
}

std::string of_bytes(uint64_t size) {
  return std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

}  // namespace

std::string to_bytes(const Frame& frame) {
  std::string bytes(kLetters);
  append_number(bytes, frame.header.size(), kHeaderWidth);
  append_number(bytes, frame.body.size(), kBodyWidth);
  return bytes + frame.header + frame.body;
}

std::string_view FrameReader::take(std::string_view bytes) {
  if (!has_lengths_) take_lengths(bytes);
  if (!has_lengths_) return bytes;
  fill(frame_.header, header_size_, bytes);
  fill(frame_.body, body_size_, bytes);
  return bytes;
}

bool FrameReader::is_wrong() const {
  return !kLetters.starts_with(
      std::string_view(lengths_).substr(0, kLetters.size()));
}

void FrameReader::end() const {
  if (!is_wrong()) return;
  throw BadWorker("wrote \"" + shown(lengths_) +
                  "\" on standard output, but a frame must begin with ASSY");
}

uint64_t FrameReader::missing() const {
  if (!has_lengths_) return kBefore - lengths_.size();
  return header_size_ - frame_.header.size() + body_size_ - frame_.body.size();
}

void FrameReader::take_lengths(std::string_view& bytes) {
  fill(lengths_, kBefore, bytes);
  if (lengths_.size() < kBefore) return;
  end();
  read_lengths();
}

void FrameReader::read_lengths() {
  const std::string_view lengths =
      std::string_view(lengths_).substr(kLetters.size());
  header_size_ = read_number(lengths.substr(0, kHeaderWidth));
  body_size_ = read_number(lengths.substr(kHeaderWidth));
  if (header_size_ < kLeastHeader || header_size_ > kMostHeader) {
    throw BadWorker("sent a frame with a header of " + of_bytes(header_size_) +
                    ", but it must have from 2 to 2^24");
  }
  if (body_size_ > most_body_) {
    throw BadWorker("sent a frame with a body of " + of_bytes(body_size_) +
                    ", but it can have at most " + std::to_string(most_body_));
  }
  has_lengths_ = true;
}

}  // namespace hlo::process
