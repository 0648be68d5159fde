// Numbers as people read them. All functions take every value of their type.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tidepool::inline v0_1::analyze {

std::string grouped(int64_t number);        // "13,860"
std::string short_count(int64_t number);    // "13,860", from a million on "1.2 M"
std::string short_bytes(int64_t bytes);     // "512 B", "25.6 MB"
std::string short_seconds(double seconds);  // "1.3 ms"
std::string short_ratio(double ratio);      // "2.25", "0.0012"

// "38" for equal texts, "38x46" for others.
std::string joined_axes(const std::vector<std::string>& texts);

}  // namespace tidepool::inline v0_1::analyze
