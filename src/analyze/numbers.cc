#include "analyze/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tidepool::inline v0_1::analyze {

namespace {

// The magnitude, also of the smallest number, which has no positive counterpart.
uint64_t magnitude(int64_t number) { return number < 0 ? uint64_t{0} - static_cast<uint64_t>(number) : static_cast<uint64_t>(number); }

std::string formatted(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

// With one digit behind the point, in the largest unit below the number.
std::string in_units(uint64_t number, const char* units) {
  uint64_t unit = 1000;
  size_t at = 0;
  const auto tenths = [&] { return number / (unit / 10) + (number % (unit / 10) >= unit / 20 ? 1 : 0); };
  for (; units[at + 1] != '\0' && tenths() >= 10000; ++at) unit *= 1000;
  const uint64_t shown = tenths();
  return std::to_string(shown / 10) + "." + std::to_string(shown % 10) + " " + units[at];
}

}  // namespace

std::string grouped(int64_t number) {
  std::string digits = std::to_string(magnitude(number));
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return (number < 0 ? "-" : "") + digits;
}

std::string short_count(int64_t number) {
  const uint64_t size = magnitude(number);
  return size < 1'000'000 ? grouped(number) : (number < 0 ? "-" : "") + in_units(size, "kMGTPE");
}

std::string short_bytes(int64_t bytes) {
  const uint64_t size = magnitude(bytes);
  return (bytes < 0 ? "-" : "") + (size < 1000 ? std::to_string(size) + " " : in_units(size, "kMGTPE")) + "B";
}

std::string short_seconds(double seconds) {
  if (!(seconds < 1e6)) return formatted("%.1e s", seconds);
  if (seconds >= 1) return formatted("%.1f s", seconds);
  if (seconds >= 1e-3) return formatted("%.1f ms", seconds * 1e3);
  if (seconds >= 1e-6) return formatted("%.1f us", seconds * 1e6);
  return formatted("%.1f ns", seconds * 1e9);
}

std::string short_ratio(double ratio) { return formatted(ratio >= 1e4 ? "%.1e" : "%.3g", ratio); }

std::string joined_axes(const std::vector<std::string>& texts) {
  if (std::ranges::adjacent_find(texts, std::ranges::not_equal_to()) == texts.end()) return texts.empty() ? "" : texts.front();
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : "x") + text;
  return joined;
}

}  // namespace tidepool::inline v0_1::analyze
