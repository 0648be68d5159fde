// Names of Highway's target bits, and a counter that increases whenever force_target is called, which invalidates cached plans.
#pragma once

#include <cstdint>
#include <string>

namespace tidepool::inline v0_1::detail {

std::string target_name(int64_t id);
uint64_t target_generation() noexcept;

}  // namespace tidepool::inline v0_1::detail
