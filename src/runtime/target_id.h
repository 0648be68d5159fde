// Targets as Highway's bits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tidepool::inline v0_1::detail {

std::string target_name(int64_t id);
// The bit of a target that this CPU supports, or 0 for "". Throws Error for other names; the message begins with `function`.
int64_t target_id(std::string_view function, std::string_view name);
// The target of plans that the calling thread makes now, unless they name another one: that of the innermost ScopedTarget, or the best.
int64_t current_target_id() noexcept;

}  // namespace tidepool::inline v0_1::detail
