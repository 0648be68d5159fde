// Names of Highway's target bits, and a counter that moves when the target is forced.
#pragma once

#include <cstdint>
#include <string>

namespace tidepool::detail {

std::string target_name(int64_t id);
uint64_t target_generation() noexcept;

}  // namespace tidepool::detail
