// The one door to oneTBB, present when the build has it.
#pragma once

#include <memory>

#include "tidepool/executor.h"

namespace tidepool::detail {

std::unique_ptr<Executor> make_arena_executor(int threads);

}  // namespace tidepool::detail
