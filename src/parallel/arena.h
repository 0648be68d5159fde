// The oneTBB executor. Only in builds with oneTBB (TIDEPOOL_HAS_TBB); tbb.cc is the library's only file that includes oneTBB's headers.
#pragma once

#include <memory>

#include "tidepool/executor.h"

namespace tidepool::inline v0_1::detail {

std::unique_ptr<Executor> make_arena_executor(int threads);

}  // namespace tidepool::inline v0_1::detail
